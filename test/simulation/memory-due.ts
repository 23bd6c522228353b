import { indexRowSize } from '#infra/local/units.ts'
import type { DueRange, Item, Key } from '#shared/platform/ports.ts'

export type DueKey = Key & { readonly due_at: string }

/** The due index of the table in memory. It never lags behind. */
export class MemoryDue {
  /** The keys of each shard, earliest due time first. */
  readonly shards = new Map<string, DueKey[]>()
  readonly #page_bytes: number

  constructor(page_bytes: number) {
    this.#page_bytes = page_bytes
  }

  change(before: Item | undefined, after: Item | undefined): void {
    if (before?.due_shard === after?.due_shard && before?.due_at === after?.due_at) return
    if (before?.due_shard && before.due_at) {
      const keys = this.shards.get(before.due_shard)!
      keys.splice(indexAfter(keys, before as DueKey) - 1, 1)
    }
    if (after?.due_shard && after.due_at) {
      const { pk, sk, due_at } = after
      const keys = this.shards.get(after.due_shard) ?? []
      this.shards.set(after.due_shard, keys)
      keys.splice(indexAfter(keys, { pk, sk, due_at }), 0, { pk, sk, due_at })
    }
  }

  page({ shard, after, until, limit = Number.POSITIVE_INFINITY, next }: DueRange) {
    const all = this.shards.get(shard) ?? []
    const [due_at, pk, sk] = next === undefined ? [after, HIGHEST, HIGHEST] : (JSON.parse(next) as string[])
    const keys: DueKey[] = []
    let bytes = 0
    let is_full = false
    let place = indexAfter(all, { due_at: due_at!, pk: pk!, sk: sk! })
    for (; !is_full && place < all.length && all[place]!.due_at <= until; place++) {
      const size = indexRowSize({ ...all[place]!, due_shard: shard })
      const fits = bytes + size <= this.#page_bytes
      if (fits) {
        bytes += size
        keys.push(all[place]!)
      }
      is_full = !fits || keys.length === limit
    }
    const last = keys.at(-1)
    return { bytes, keys, ...(is_full && last && { next: JSON.stringify([last.due_at, last.pk, last.sk]) }) }
  }
}

/** A text that sorts after every key. */
const HIGHEST = '\uffff'

/** Returns the index after a key, or after its place if it is missing. */
function indexAfter(keys: readonly DueKey[], key: DueKey): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isGreater(keys[middle]!, key)) high = middle
    else low = middle + 1
  }
  return low
}

function isGreater(one: DueKey, other: DueKey): boolean {
  if (one.due_at !== other.due_at) return one.due_at > other.due_at
  return one.pk === other.pk ? one.sk > other.sk : one.pk > other.pk
}
