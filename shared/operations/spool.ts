import type { Value } from '#shared/platform/ports.ts'

/** What is remembered of one item while a table is looked through: a kind, and the few fields that tell whether it fits. */
export interface Fact {
  readonly kind: string
  readonly [field: string]: Value | undefined
}

/** The facts about one thing of one merchant, from wherever in the table they came. */
export interface Group {
  readonly merchant: string
  readonly id: string
  readonly facts: readonly Fact[]
}

/** Brings facts that belong together, and come from everywhere, together again. It keeps them outside of memory. */
export interface Spool {
  add(merchant: string, id: string, fact: Fact): void
  /** Every group once, merchant by merchant, in order of the ids. */
  groups(): Iterable<Group>
  close(): void
}
