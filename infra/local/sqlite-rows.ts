import type { SQLInputValue } from 'node:sqlite'
import type { Item, Key, Write } from '#shared/platform/ports.ts'
import { keyOf } from './dynamodb-limits.ts'
import { itemSize } from './item-size.ts'
import { indexUnits, writeUnits } from './units.ts'

/** Most that one page of an answer holds, as in DynamoDB. */
const PAGE_BYTES_MAX = 1024 * 1024

/** Writes a row, whether there is one or not. */
export const PUT = `
  INSERT INTO items (pk, sk, version, size, due_shard, due_at, ttl, item) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (pk, sk) DO UPDATE SET version = excluded.version, size = excluded.size, due_shard = excluded.due_shard,
    due_at = excluded.due_at, ttl = excluded.ttl, item = excluded.item
`

/** The earliest time of all shards behind a time: one seek for each shard that holds anything, however many items are due. */
export const EARLIEST = earliestWhere('')

/** The same of the items for which the function `is_skipped` of the connection is 0. */
export const EARLIEST_KEPT = earliestWhere('AND NOT is_skipped(pk, sk)')

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

/** A row that a put writes, and the size of its item in bytes. */
export interface Put {
  readonly size: number
  readonly row: SQLInputValue[]
}

/** What a write must know of the row that it meets. */
export interface Before {
  readonly version: number
  readonly size: number
  readonly due_shard: string | null
  readonly due_at: string | null
}

/** A row as SQLite gives it. */
export type Row = Record<string, unknown>

/** A key of the due index. */
export type DueKey = Key & { readonly due_at: string }

/** Rows up to the limit of the page or 1 MB; `full` when it ends for one of these and not because there is no more. */
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

/** The row of an item. */
export function putOf(item: Item): Put {
  const size = itemSize(item)
  const { pk, sk, version, ttl = null } = item
  const [due_shard, due_at] = item.due_shard && item.due_at ? [item.due_shard, item.due_at] : [null, null]
  return { size, row: [pk, sk, version, size, due_shard, due_at, ttl, JSON.stringify(item)] }
}

/** The item of a row. */
export const parse = ({ item }: Row): Item => JSON.parse(item as string)

/** Whether a row is as a write asks for. */
export const isSo = (was: number | undefined, before: Before | undefined): boolean =>
  was === undefined || (was === 0 ? before === undefined : before?.version === was)

/** What DynamoDB would consume for a transaction: each row that it changes or looks at, and what follows in the index. */
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
