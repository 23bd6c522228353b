import type { WholePlatform } from '#shared/operations/decide-payment.ts'

/** Where an operator works: a stage on AWS, or a data folder on this machine. */
export interface Place {
  readonly platform: WholePlatform
  close(): void
}

/** How a verb was called. */
export interface Call {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, string | undefined>>
  /** The stage; undefined on this machine. */
  readonly stage: string | undefined
  readonly data_dir: string
  /** Opens the place; it is closed when the verb has ended. */
  open(): Promise<WholePlatform>
  /** A line of the result. */
  out(line: string): void
  /** A line about how far it has come, which is no part of the result. */
  progress(line: string): void
}

/** One thing that an operator can do. */
export interface Verb {
  readonly does: string
  /** What follows the verb: `<…>` has to be given. */
  readonly args: readonly string[]
  /** Its own options, by name, each with what it means. */
  readonly options?: Readonly<Record<string, string>>
  /** Answers the exit code where it is not 0. */
  run(call: Call): Promise<number | undefined>
}

/** The command was not called as it can be. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
