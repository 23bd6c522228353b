/** What one call of the table would consume on DynamoDB. */
export interface Use {
  readonly operation: 'get' | 'query' | 'count' | 'write' | 'due' | 'scan'
  readonly read_units: number
  readonly write_units: number
  /** How many items were asked for, answered or written. */
  readonly items: number
}

/** Units of a consistent read of `bytes`: an item of a get, or a page. */
export const readUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 4096))

/** Units of a transactional write: twice the larger of what the item was and what it is now. */
export const writeUnits = (bytes_before: number, bytes_after: number): number =>
  2 * kilobytes(Math.max(bytes_before, bytes_after))

/** Units that the due index consumes when an item's row in it changes: one row out, one row in. */
export function indexUnits(before: IndexRow | undefined, after: IndexRow | undefined): number {
  if (before?.due_shard === after?.due_shard && before?.due_at === after?.due_at) return 0
  return rowUnits(before) + rowUnits(after)
}

/** The due attributes of an item, with its key: what the index holds of it. */
export interface IndexRow {
  readonly pk: string
  readonly sk: string
  readonly due_shard?: string | null
  readonly due_at?: string | null
}

const NAMES_BYTES = ['pk', 'sk', 'due_shard', 'due_at'].join('').length

/** The bytes of a row of the index: names and values of its four attributes. */
export const indexRowSize = ({ pk, sk, due_shard, due_at }: IndexRow): number =>
  NAMES_BYTES + Buffer.byteLength(`${pk}${sk}${due_shard}${due_at}`)

const rowUnits = (row: IndexRow | undefined): number =>
  row?.due_shard && row.due_at ? kilobytes(indexRowSize(row)) : 0

const kilobytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024))
