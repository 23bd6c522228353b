import type { WholePlatform } from '#shared/platform/ports.ts'

/** What a command works on: a stage on AWS, or a data folder on this machine. */
export interface Place {
  readonly platform: WholePlatform
  /** Returns the bytes of an object of the bucket. */
  readObject(name: string): Promise<Uint8Array>
  close(): void
}

/** One call of a command: its arguments, its options and its output. */
export interface Call {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, string | undefined>>
  /** The name of the stage; undefined with `--local`. */
  readonly stage: string | undefined
  readonly data_dir: string
  /** Opens the place. The place is closed when the command ends. */
  open(): Promise<WholePlatform>
  /** Returns the bytes of an object of the bucket. */
  readObject(name: string): Promise<Uint8Array>
  /** Prints a line of the result. */
  out(line: string): void
  /** Prints a line about the progress, which is not part of the result. */
  progress(line: string): void
}

/** One command of the operator. */
export interface Verb {
  readonly does: string
  /** The arguments of the command, such as `<payment>`. All of them are required. */
  readonly args: readonly string[]
  /** The options of this command alone, by name, each with its meaning. */
  readonly options?: Readonly<Record<string, string>>
  /** Runs the command. Returns the exit code; undefined means 0. */
  run(call: Call): Promise<number | undefined>
}

/** The command line is not valid. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Returns the stage of a call that works only on stages. Throws for a call with `--local`. */
export function stageOf({ stage }: Call): string {
  if (stage === undefined) throw new UsageError('The stage is missing: --stage <stage>.')
  return stage
}
