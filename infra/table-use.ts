import type { fanOut, notFound, sweep, workers } from '#shared/background.ts'
import type { PageRoute, pages, Route, routes } from '#shared/routes.ts'

/** A file of `functions/` that uses the table. */
export type File =
  | (typeof routes)[Route]
  | (typeof pages)[PageRoute]
  | (typeof workers)[keyof typeof workers]
  | typeof sweep
  | typeof fanOut
  | typeof notFound

/** The kinds of records, each the beginning of their keys; a list's entries are of a kind of their own. */
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

/** The kinds that have lists. */
export type Listed = 'customer' | 'delivery' | 'event' | 'payment' | 'settlement' | 'subscription' | 'webhook'

/** Which kinds of records a function reads one by one and in ranges, writes, erases, and only checks, in the table. */
export interface TableUse {
  readonly gets?: readonly RecordKind[]
  readonly queries?: readonly RecordKind[]
  readonly puts?: readonly RecordKind[]
  readonly deletes?: readonly RecordKind[]
  readonly checks?: readonly RecordKind[]
}

/** The ways of using the table. */
export const table_ways = ['gets', 'queries', 'puts', 'deletes', 'checks'] as const

/** Several uses as one. */
export function together(...uses: readonly TableUse[]): TableUse {
  const kindsOf = (way: (typeof table_ways)[number]) => [...new Set(uses.flatMap((use) => use[way] ?? []))].sort()
  const entries = table_ways.map((way) => [way, kindsOf(way)] as const)
  return Object.fromEntries(entries.filter(([, kinds]) => kinds.length > 0))
}
