import type { fanOut, notFound, sweep, workers } from '#shared/background.ts'
import type { PageRoute, pages, Route, routes } from '#shared/routes.ts'

/** A file of `functions/`, as the route table or the background list names it. */
export type File =
  | (typeof routes)[Route]
  | (typeof pages)[PageRoute]
  | (typeof workers)[keyof typeof workers]
  | typeof sweep
  | typeof fanOut
  | typeof notFound

/**
 * The kinds of records. The keys of a kind begin with its name. The entries of a list have the kind `list#` followed by
 * the kind of their records.
 */
export type RecordKind =
  | 'account'
  | 'account_name'
  | 'api_key'
  | 'application'
  | 'card'
  | 'cursor'
  | 'customer'
  | 'delivery'
  | 'event'
  | 'file'
  | 'idempotency'
  | 'key'
  | 'merchant'
  | 'movement'
  | 'payment'
  | 'sandbox'
  | 'secure_token'
  | 'session'
  | 'settlement'
  | 'settling'
  | 'subscription'
  | 'token'
  | 'webhook'
  | 'webhook_slot'
  | `list#${Listed}`

/** The kinds of records that have lists. */
export type Listed = 'customer' | 'delivery' | 'event' | 'payment' | 'settlement' | 'subscription' | 'webhook'

/** The kinds of records that a function reads by key, queries, writes, deletes, and only checks in a transaction. */
export interface TableAccess {
  readonly gets?: readonly RecordKind[]
  readonly queries?: readonly RecordKind[]
  readonly puts?: readonly RecordKind[]
  readonly deletes?: readonly RecordKind[]
  readonly checks?: readonly RecordKind[]
}

/** The kinds of table access: the fields of `TableAccess`. */
export const table_ways = ['gets', 'queries', 'puts', 'deletes', 'checks'] as const

/** Combines several accesses into one. */
export function together(...uses: readonly TableAccess[]): TableAccess {
  const kindsOf = (way: (typeof table_ways)[number]) => [...new Set(uses.flatMap((use) => use[way] ?? []))].sort()
  const entries = table_ways.map((way) => [way, kindsOf(way)] as const)
  return Object.fromEntries(entries.filter(([, kinds]) => kinds.length > 0))
}
