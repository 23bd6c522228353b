import type { SQLInputValue } from 'node:sqlite'
import type { Item, Key, Write } from '#shared/platform/ports.ts'
import { keyOf } from './dynamodb-limits.ts'
import { itemSize } from './item-size.ts'
import { indexUnits, writeUnits } from './units.ts'

/** The maximum size of one page of results, as in DynamoDB. */
const PAGE_BYTES_MAX = 1024 * 1024

/** Inserts a row, or replaces the row with the same key. */
export const PUT = `
  INSERT INTO items (pk, sk, version, size, due_shard, due_at, ttl, item) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (pk, sk) DO UPDATE SET version = excluded.version, size = excluded.size, due_shard = excluded.due_shard,
    due_at = excluded.due_at, ttl = excluded.ttl, item = excluded.item
`

/**
 * Selects the earliest `due_at` of all shards after a time. It takes one seek for each shard in use, however many items
 * are due.
 */
export const EARLIEST = earliestWhere('')

/** Selects the same as `EARLIEST`, among the items for which the connection's function `is_skipped` returns 0. */
export const EARLIEST_NOT_SKIPPED = earliestWhere('AND NOT is_skipped(pk, sk)')

function earliestWhere(condition: string): string {
  return `
    WITH RECURSIVE shards (shard) AS (
      SELECT (SELECT min(due_shard) FROM items WHERE due_shard IS NOT NULL)
      UNION ALL
      SELECT (SELECT min(due_shard) FROM items WHERE due_shard > shard) FROM shards WHERE shard IS NOT NULL
    )
    SELECT min((SELECT min(due_at) FROM items WHERE due_shard = shard AND due_at > ? ${condition})) AS due_at FROM shards
  `
}

/** The row that a put writes, and the size of its item in bytes. */
export interface Put {
  readonly size: number
  readonly row: SQLInputValue[]
}

/** The values of an existing row that a write to the row needs. */
export interface Before {
  readonly version: number
  readonly size: number
  readonly due_shard: string | null
  readonly due_at: string | null
}

/** A row as SQLite returns it. */
export type Row = Record<string, unknown>

/** A key of the due index. */
type DueKey = Key & { readonly due_at: string }

/**
 * Takes rows up to the limit of the page or 1 MB. `full` is true if the page ends at one of these limits, and false if
 * the rows end first.
 */
export function take(rows: Iterable<Row>, limit: number, sizeOf: (row: Row) => number) {
  const taken: Row[] = []
  let bytes = 0
  for (const row of rows) {
    const size = sizeOf(row)
    if (bytes + size > PAGE_BYTES_MAX) return { rows: taken, bytes, full: true }
    bytes += size
    taken.push(row)
    if (taken.length === limit) return { rows: taken, bytes, full: true }
  }
  return { rows: taken, bytes, full: false }
}

/** Returns the row of an item. */
export function putOf(item: Item): Put {
  const size = itemSize(item)
  const { pk, sk, version, ttl = null } = item
  const [due_shard, due_at] = item.due_shard && item.due_at ? [item.due_shard, item.due_at] : [null, null]
  return { size, row: [pk, sk, version, size, due_shard, due_at, ttl, JSON.stringify(item)] }
}

/** Returns the key of the due index in a row. */
export const dueKeyOf = ({ pk, sk, due_at }: Row): DueKey => ({ pk, sk, due_at }) as DueKey

/** Returns the item of a row. */
export const parse = ({ item }: Row): Item => JSON.parse(item as string)

/** Whether a row has the version that a write expects. A `was` of 0 expects no row, and undefined accepts any row. */
export const hasVersion = (was: number | undefined, before: Before | undefined): boolean =>
  was === undefined || (was === 0 ? before === undefined : before?.version === was)

/**
 * Returns the write units that DynamoDB would consume for a transaction: for each item that it changes or checks, and
 * for the due index.
 */
export function unitsOf(
  writes: readonly Write[],
  puts: readonly (Put | undefined)[],
  before: readonly (Before | undefined)[],
): number {
  return writes.reduce((units, write, index) => {
    const was = before[index]
    const own = writeUnits(was?.size ?? 0, puts[index]?.size ?? 0)
    if ('check' in write) return units + own
    const { pk, sk } = keyOf(write)
    return units + own + indexUnits(was && { ...was, pk, sk }, 'put' in write ? write.put : undefined)
  }, 0)
}
