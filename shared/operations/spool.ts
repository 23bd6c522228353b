import type { Value } from '#shared/platform/ports.ts'

/** The fields of one item that the checks need, with its kind. */
export interface Fact {
  readonly kind: string
  readonly [field: string]: Value | undefined
}

/** All facts about one thing of one merchant, from any part of the table. */
export interface Group {
  readonly merchant: string
  readonly id: string
  readonly facts: readonly Fact[]
}

/** A store that groups facts from all over the table by merchant and id. The facts are not all held in memory. */
export interface Spool {
  add(merchant: string, id: string, fact: Fact): void
  /** Yields each group once, by merchant and then by id, both in ascending order. */
  groups(): Iterable<Group>
  close(): void
}
