import { checkGet, checkRange, checkTransaction, keyOf } from '#infra/local/dynamodb-limits.ts'
import { itemSize } from '#infra/local/item-size.ts'
import { readUnits } from '#infra/local/units.ts'
import {
  type DueRange,
  type Item,
  type Key,
  type Range,
  type Table,
  type Write,
  WriteConflict,
} from '#shared/platform/ports.ts'
import { MemoryDue } from './memory-due.ts'

interface Page {
  items: Item[]
  next?: string
}

/**
 * The table in memory. Calls are executed at once, in their order. Tests use it to decide the order of calls, or for a
 * million items. The table has no clock, so it ignores the option `latest` of a write.
 */
export class MemoryTable implements Table {
  /** The items of each `pk`, in the order of their `sk`. */
  readonly items = new Map<string, Item[]>()
  readonly due_index: MemoryDue
  /** The read units that all reads so far have consumed. */
  read_units = 0
  readonly #page_bytes: number

  constructor({ page_bytes = 1 << 20 }: { page_bytes?: number } = {}) {
    this.#page_bytes = page_bytes
    this.due_index = new MemoryDue(page_bytes)
  }

  async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    checkGet(keys)
    return keys.map((key) => {
      const item = this.at(key)
      this.read_units += readUnits(item ? itemSize(item) : 0)
      return item
    })
  }

  async query(range: Range): Promise<Page> {
    return this.#page(range)
  }

  async count(range: Range): Promise<{ count: number; next?: string }> {
    const { items, next } = this.#page(range)
    return { count: items.length, next }
  }

  async write(writes: readonly Write[]): Promise<void> {
    checkTransaction(writes, 0)
    const keys = writes.map(keyOf)
    const lost = writes.flatMap((write, index) =>
      write.was !== undefined && (this.at(keys[index]!)?.version ?? 0) !== write.was ? [index] : [],
    )
    if (lost.length > 0) throw new WriteConflict(lost)
    for (const write of writes) this.#apply(write)
  }

  async due(range: DueRange) {
    const { bytes, ...page } = this.due_index.page(range)
    this.read_units += readUnits(bytes) / 2
    return page
  }

  /** Returns an item without counting a read. */
  at({ pk, sk }: Key): Item | undefined {
    const items = this.items.get(pk) ?? []
    const item = items[indexOf(items, sk)]
    return item?.sk === sk ? item : undefined
  }

  #apply(write: Write): void {
    if ('check' in write) return
    const { pk, sk } = keyOf(write)
    const items = this.items.get(pk) ?? []
    this.items.set(pk, items)
    const place = indexOf(items, sk)
    const before = items[place]?.sk === sk ? items[place] : undefined
    const after = 'put' in write ? write.put : undefined
    items.splice(place, before ? 1 : 0, ...(after ? [after] : []))
    this.due_index.change(before, after)
  }

  #page(range: Range): Page {
    checkRange(range)
    const { pk, from = '', to, descending = false, limit = Number.POSITIVE_INFINITY, after } = range
    if (to !== undefined && from > to) throw new Error('the range ends before it begins')
    const all = this.items.get(pk) ?? []
    const step = descending ? -1 : 1
    let place = descending ? (to === undefined ? all.length : indexAfter(all, to)) - 1 : indexOf(all, from)
    if (after !== undefined) place = descending ? indexOf(all, after) - 1 : indexAfter(all, after)
    const items: Item[] = []
    let bytes = 0
    let is_full = false
    for (; !is_full && isWithin(all[place], from, to); place += step) {
      const size = itemSize(all[place]!)
      const fits = bytes + size <= this.#page_bytes
      if (fits) {
        bytes += size
        items.push(all[place]!)
      }
      is_full = !fits || items.length === limit
    }
    this.read_units += readUnits(bytes)
    return { items, next: is_full ? items.at(-1)?.sk : undefined }
  }
}

function isWithin(item: Item | undefined, from: string, to: string | undefined): boolean {
  return item !== undefined && item.sk >= from && (to === undefined || item.sk <= to)
}

/** Returns the index of `sk`, or of its place if it is missing. */
function indexOf(items: readonly Item[], sk: string): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (items[middle]!.sk < sk) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the index after `sk`, or after its place if it is missing. */
function indexAfter(items: readonly Item[], sk: string): number {
  const place = indexOf(items, sk)
  return items[place]?.sk === sk ? place + 1 : place
}
