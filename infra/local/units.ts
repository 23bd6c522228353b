/** The units that DynamoDB would consume for one call of the table. */
export interface Use {
  readonly operation: 'get' | 'query' | 'count' | 'write' | 'due' | 'scan'
  readonly read_units: number
  readonly write_units: number
  /** The number of items that were requested, returned or written. */
  readonly items: number
}

/** Returns the read units of a consistent read of `bytes`, the size of one item of a get or of a page. */
export const readUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 4096))

/** Returns the write units of a transactional write: two per KB of the item, at its larger size before or after. */
export const writeUnits = (bytes_before: number, bytes_after: number): number =>
  2 * kilobytes(Math.max(bytes_before, bytes_after))

/** Returns the write units of the due index when an item's row in it changes: for the removed row and the added row. */
export function indexUnits(before: IndexRow | undefined, after: IndexRow | undefined): number {
  if (before?.due_shard === after?.due_shard && before?.due_at === after?.due_at) return 0
  return rowUnits(before) + rowUnits(after)
}

/** The attributes of an item that the due index holds: its key and its due attributes. */
export interface IndexRow {
  readonly pk: string
  readonly sk: string
  readonly due_shard?: string | null
  readonly due_at?: string | null
}

const NAMES_BYTES = ['pk', 'sk', 'due_shard', 'due_at'].join('').length

/** Returns the size of a row of the due index in bytes: names and values of its four attributes. */
export const indexRowSize = ({ pk, sk, due_shard, due_at }: IndexRow): number =>
  NAMES_BYTES + Buffer.byteLength(`${pk}${sk}${due_shard}${due_at}`)

const rowUnits = (row: IndexRow | undefined): number =>
  row?.due_shard && row.due_at ? kilobytes(indexRowSize(row)) : 0

const kilobytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024))
