import { itemSize } from '#infra/local/item-size.ts'
import { indexRowSize } from '#infra/local/units.ts'
import type { Item } from '#shared/platform/ports.ts'

/** The overhead of DynamoDB for each item and each row of an index. */
const OVERHEAD_BYTES = 100

/** The stored size of items: permanent items, and items that a TTL removes. */
export interface Stored {
  readonly items: number
  readonly bytes: number
  readonly passing_items: number
  readonly passing_bytes: number
}

/** The size of items as DynamoDB counts it, including their rows in the due index. */
export function storedBy(items: readonly Item[]): Stored {
  const passing = items.filter(({ ttl }) => ttl !== undefined)
  const staying = items.filter(({ ttl }) => ttl === undefined)
  return {
    items: staying.length,
    bytes: bytesOf(staying),
    passing_items: passing.length,
    passing_bytes: bytesOf(passing),
  }
}

const bytesOf = (items: readonly Item[]): number => items.reduce((sum, item) => sum + storedBytes(item), 0)

function storedBytes(item: Item): number {
  const row = item.due_shard && item.due_at ? indexRowSize(item) + OVERHEAD_BYTES : 0
  return itemSize(item) + OVERHEAD_BYTES + row
}
