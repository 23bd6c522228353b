import type { World } from './world.ts'

/** The invariants of every simulation of processes. */
export const process_invariants = {
  processes_end: 'A process ends normally, or with a refusal, a failed version check or an unavailable platform.',
  no_lost_update:
    'A write raises the version of a record by one, so it overwrites no change that its writer has not read.',
  all_work_done: 'A while after the last fault, no work is overdue or left open.',
} as const

/** A broken invariant, with the sentence that states it, and what was seen instead. */
export interface Violation {
  readonly invariant: string
  readonly rule: string
  readonly seed: number
  readonly at: string
  readonly seen: string
}

/** Checks the invariants of a history and keeps the first violation. */
export class Invariants<Name extends string> {
  violation: Violation | undefined
  readonly #world: World
  readonly #rules: Readonly<Record<Name, string>>

  constructor(world: World, rules: Readonly<Record<Name, string>>) {
    this.#world = world
    this.#rules = rules
  }

  /** Reports a violation. `seen` says what was seen, with the ids of the records. */
  broken(invariant: Name, seen: string): void {
    const { seed, now } = this.#world
    this.violation ??= { invariant, rule: this.#rules[invariant], seed, at: new Date(now).toISOString(), seen }
  }

  /** Reports a violation unless the condition holds. `seen` is rendered only if it does not. */
  check(invariant: Name, holds: boolean, seen: () => string): void {
    if (!holds) this.broken(invariant, seen())
  }
}
