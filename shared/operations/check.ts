import type { Key } from '#shared/platform/ports.ts'
import type { Fact, Group } from './spool.ts'

/** A group of facts as a check reads it, with the facts by kind. */
export interface Case extends Group {
  /** Returns the facts of a kind. Each kind has its own fields, which are defined where the facts are created. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind of fact has its own fields, named where it is made
  of(kind: string): any[]
  /** The record whose id names the group; undefined if the table does not hold the record. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly record: any
  /** The facts about the webhooks of the same merchant. */
  readonly webhooks: readonly Fact[]
  /** The time of the check, in epoch milliseconds. */
  readonly now: number
}

/**
 * A broken invariant, in one sentence that contains ids and no personal data. With `unless`, the invariant holds after
 * all if the table has an item under that key.
 */
export type Violation = string | { readonly text: string; readonly unless: Key }

/** An invariant: a rule that holds for every group at all times, whatever fails in the service. */
export interface Check {
  readonly name: string
  /** Returns one sentence for each violation. Returns undefined if the check does not apply to the group. */
  violations(found: Case): readonly Violation[] | undefined
}

/** Prepares a group for the checks. */
export function caseOf(group: Group, webhooks: readonly Fact[], now: number): Case {
  const by_kind = Map.groupBy(group.facts, ({ kind }) => kind)
  const of = (kind: string) => by_kind.get(kind) ?? []
  return { ...group, webhooks, now, of, record: of(kind_of_id[group.id.slice(0, 4)] ?? '')[0] }
}

const kind_of_id: Readonly<Record<string, string>> = {
  pay_: 'payment',
  sub_: 'subscription',
  ses_: 'session',
  cus_: 'customer',
  stl_: 'settlement',
  whk_: 'webhook',
  evt_: 'event',
  tok_: 'secure_token',
}
