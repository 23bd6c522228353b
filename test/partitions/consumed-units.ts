import { keyOf } from '#infra/local/dynamodb-limits.ts'
import { itemSize } from '#infra/local/item-size.ts'
import { type IndexRow, indexUnits, readUnits, writeUnits } from '#infra/local/units.ts'
import type { Item, Key, Write } from '#shared/platform/ports.ts'
import { published } from './published-limits.ts'

/** The units of one item of a call. */
export interface ItemUnits {
  readonly key: Key
  readonly units: number
}

/** Whether the writes are sent as a transaction. The AWS adapter sends a single put or delete without one. */
export const isTransaction = (writes: readonly Write[]): boolean => writes.length > 1 || 'check' in writes[0]!

/** The write units of a write for each item, at the items before it. */
export function unitsOfWrite(writes: readonly Write[], before: readonly (Item | undefined)[]): ItemUnits[] {
  const part = isTransaction(writes) ? 1 : 1 / published.transaction_writes.value
  return writes.map((write, index) => {
    const { pk, sk } = keyOf(write)
    const was = before[index]
    const units = writeUnits(was ? itemSize(was) : 0, 'put' in write ? itemSize(write.put) : 0)
    return { key: { pk, sk }, units: units * part }
  })
}

/** The write units of the due index for each row that a write removes or adds. Its key is the row's in the index. */
export function unitsOfIndex(writes: readonly Write[], before: readonly (Item | undefined)[]): ItemUnits[] {
  return writes.flatMap((write, index) => {
    if ('check' in write) return []
    const [was, is] = [before[index], 'put' in write ? write.put : undefined]
    if (indexUnits(was, is) === 0) return []
    return [...rowUnits(was, undefined), ...rowUnits(undefined, is)]
  })
}

function rowUnits(removed: IndexRow | undefined, added: IndexRow | undefined): ItemUnits[] {
  const { due_shard, due_at } = removed ?? added ?? {}
  const units = indexUnits(removed, added)
  return due_shard && due_at ? [{ key: { pk: due_shard, sk: due_at }, units }] : []
}

/** The read units of a consistent read of each item. */
export const unitsOfGet = (keys: readonly Key[], items: readonly (Item | undefined)[]): ItemUnits[] =>
  keys.map((key, index) => ({ key, units: readUnits(items[index] ? itemSize(items[index]) : 0) }))
