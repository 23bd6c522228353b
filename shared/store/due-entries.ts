import type { Item, Key, Message, Range, Table, Write } from '#shared/platform/ports.ts'
import { type DueKind, dueEntriesPk, kindOf } from './keys.ts'
import { type AnyRecord, attributesOf, type Kind } from './kind.ts'

/*
 * The due entries of a merchant's test mode: one per record on which work falls due, in order of the due times of the
 * merchant's clock. The due index cannot replace them, because it does not know the merchant and lags behind the table.
 * A test clock that moves must find what the work at its last stop has just scheduled.
 */

/** When work on a record falls due by the merchant's clock. */
export interface Due {
  readonly kind: DueKind
  readonly key: Key
  readonly due_at: string
}

/** One due entry, as it is stored. */
export interface DueEntry extends Message {
  readonly kind: DueKind
  /**
   * Until when, in epoch milliseconds of real time, the request that made the record can still be running. A due time
   * of such a record can be a safeguard that the request removes when it ends.
   */
  readonly settles_at: number
}

/** The longest time for which a request runs after it has made a record. */
const REQUEST_MS_MAX = 40_000

/** When work on a record of a kind falls due by the merchant's clock; undefined if never. */
export function dueOf<R extends AnyRecord>(kind: Kind<R>, merchant: string, record: R): Due | undefined {
  const due_at = kind.due_by_clock ? kind.due_by_clock(record) : kind.due?.(record)
  return due_at && kind.due_kind ? { kind: kind.due_kind, key: kind.key(merchant, record), due_at } : undefined
}

/** When an item that is no record of a kind falls due, such as an outbox row. */
export function dueOfItem({ pk, sk, due_shard, due_at }: Item): Due | undefined {
  return due_shard && due_at ? { kind: kindOf(due_shard), key: { pk, sk }, due_at } : undefined
}

/** The writes that bring the due entry of a record from `before` to `after`. None if its due time stays. */
export function dueEntryWrites(
  merchant: string,
  before: Due | undefined,
  after: Due | undefined,
  real_now: number,
): Write[] {
  const [old, next] = [before && entryKey(merchant, before), after && entryKey(merchant, after)]
  if (old?.sk === next?.sk) return []
  const settles_at = before ? 0 : real_now + REQUEST_MS_MAX
  return [
    ...(old ? [{ delete: old }] : []),
    ...(next ? [{ put: { ...next, version: 1, kind: after!.kind, of: { ...after!.key }, settles_at } }] : []),
  ]
}

function entryKey(merchant: string, { key, due_at }: Due): Key {
  return { pk: dueEntriesPk(merchant), sk: `${due_at}#${key.pk}#${key.sk}` }
}

/** A text that sorts after every entry with this due time and before every later one. */
const END = '~'

/** The entries of a merchant that fall due after `after` and not after `until`, earliest first. */
export async function dueEntries(
  table: Table,
  merchant: string,
  { after, until, limit }: { readonly after?: string; readonly until?: string; readonly limit: number },
): Promise<DueEntry[]> {
  const range: Range = {
    pk: dueEntriesPk(merchant),
    ...(after !== undefined && { from: after + END }),
    ...(until !== undefined && { to: until + END }),
    limit,
  }
  const { items } = await table.query(range)
  return items.map((item) => {
    const { kind, of, settles_at } = attributesOf<{ kind: DueKind; of: Key; settles_at: number }>(item)
    return { kind, pk: of.pk, sk: of.sk, due_at: item.sk.slice(0, item.sk.indexOf('#')), settles_at }
  })
}
