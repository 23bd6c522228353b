import type { SQLInputValue } from 'node:sqlite'
import type { Item, Key } from '#shared/platform/ports.ts'
import { itemSize } from './item-size.ts'

/** Most that one page of an answer holds, as in DynamoDB. */
const PAGE_BYTES_MAX = 1024 * 1024

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
