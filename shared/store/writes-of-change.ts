import { createHash } from 'node:crypto'
import type { Event, EventType } from '#shared/domain/event.ts'
import { base32, letters, prefixes, timeLetters } from '#shared/domain/ids.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item, Write } from '#shared/platform/ports.ts'
import { dueEntryWrites, dueOf, dueOfItem } from './due-entries.ts'
import { events } from './events.ts'
import { dueShard, outboxKey } from './keys.ts'
import { type AnyRecord, attributesOf, itemOf, type Kind, recordOf } from './kind.ts'
import { entryWrites, type Stamps } from './list-entries.ts'
import { ENTRY_LATEST_MS, type LaneWrites } from './list-lanes.ts'

/**
 * The writes of a change: the record with its next version, its events with their outbox rows, and the list entries of
 * both.
 */
export interface WritesOfChange {
  /** The item of the record after the change; undefined if the change removes the record. */
  readonly item: Item | undefined
  readonly writes: readonly Write[]
  /**
   * Epoch milliseconds after which the transaction must not be sent; infinite if none of its writes has a time limit.
   */
  readonly latest: number
  /** Whether the item falls due at a real time instead of a time of the merchant's clock. */
  readonly is_due_real: boolean
}

/** A change that stores the next state of a record, or removes the record, and emits events of these types. */
export interface StoredChange<R extends AnyRecord> {
  /** The next state of the record; for a removal, the record as its last events show it. */
  readonly record: R
  readonly is_removal: boolean
  readonly events: readonly EventType[]
}

/**
 * The merchant of a change, the item that the change applies to, the current times in epoch milliseconds, and the lanes
 * of the transaction.
 */
export interface ChangeContext {
  readonly merchant: string
  /** Whether the merchant has moved its test clock. The work of the merchant then has due entries. */
  readonly lists_due: boolean
  /** Undefined if there is no item under the key of the record. */
  readonly before: Item | undefined
  /** The time of the merchant. It dates what merchants see and what falls due. */
  readonly now: number
  /** The real time. It dates ids, list entries and lists. */
  readonly real_now: number
  /** The lanes of the transaction, which count the entries that the change adds, changes and deletes. */
  readonly lanes: LaneWrites
}

/** The writes of a change that stores or removes a record of a kind. */
export function writesOfChange<R extends AnyRecord>(
  kind: Kind<R>,
  { record, is_removal, events: types }: StoredChange<R>,
  { merchant, lists_due, before, now, real_now, lanes }: ChangeContext,
): WritesOfChange {
  const ahead_ms = now - real_now
  const at = Math.max(real_now, Number(before?.changed_at ?? 0))
  const newEvents = types.map((type, index) => eventOf(kind, record, type, { index, at, ahead_ms }))
  const known = before && recordOf(kind, before)
  const entriesBefore = known ? (kind.entries?.(merchant, known) ?? []) : []
  const entriesAfter = is_removal ? [] : (kind.entries?.(merchant, record) ?? [])
  const entriesOfEvents = newEvents.flatMap((event) => events.entries!(merchant, event))
  const ofRecord = entryWrites(entriesBefore, entriesAfter, { lanes, stamps: stampsOf(before) })
  const ofEvents = entryWrites([], entriesOfEvents, { lanes, stamps: {} })
  // A later change of the record writes its entries again, with these stamps.
  const item = is_removal ? undefined : { ...itemOf(kind, merchant, record, at, ahead_ms), ...ofRecord.stamps }
  const itemsOfEvents = newEvents.flatMap((event): Write[] => {
    const outbox = outboxItem(merchant, event, now)
    const listed = lists_due ? dueEntryWrites(merchant, undefined, dueOfItem(outbox), real_now) : []
    return [{ put: itemOf(events, merchant, event, at), was: 0 }, { put: outbox }, ...listed]
  })
  const dues = lists_due ? [known && dueOf(kind, merchant, known), item && dueOf(kind, merchant, record)] : []
  const extra_items = item ? (kind.extra_items?.(merchant, known, record, now) ?? []) : []
  const was = record.version
  return {
    item,
    writes: [
      item ? { put: item, was } : { delete: kind.key(merchant, record), was },
      ...itemsOfEvents,
      ...ofRecord.writes,
      ...ofEvents.writes,
      ...dueEntryWrites(merchant, dues[0], dues[1], real_now),
      ...extra_items.map((put) => ({ put })),
    ],
    latest: extra_items.length > 0 ? real_now + ENTRY_LATEST_MS : Number.POSITIVE_INFINITY,
    is_due_real: kind.due_by_clock !== undefined && kind.due?.(record) !== kind.due_by_clock(record),
  }
}

const stampsOf = (item: Item = { pk: '', sk: '', version: 0 }): Stamps => {
  const { counted_in, moved_in } = attributesOf<Stamps>(item)
  return { ...(counted_in && { counted_in }), ...(moved_in && { moved_in }) }
}

/**
 * The event of a change. Its id is derived from the change, so a repeated change creates the same event. The ids of
 * events sort in the order of their changes.
 */
function eventOf<R extends AnyRecord>(
  kind: Kind<R>,
  record: R,
  type: EventType,
  { index, at, ahead_ms }: { readonly index: number; readonly at: number; readonly ahead_ms: number },
): Event {
  const version = record.version + 1
  const about = { kind: kind.name, id: record.id!, version }
  const order = timeLetters(at) + base32(version % 32 ** 4, 4) + base32(index, 1)
  const id = prefixes.event + order + endingOf(about, type)
  return { id, version: 0, type, about, data: kind.view!(record), created_at: timestamp(at + ahead_ms) }
}

/** The end of an event's id: a hash of the record, its version and the event type. `isEventAbout` repeats the hash. */
function endingOf({ kind, id, version }: Event['about'], type: EventType): string {
  const hash = createHash('sha256').update(`${kind}#${id}#${version}#${type}`).digest()
  return letters(hash.subarray(0, 11))
}

/** Whether an event with this id and type is about a record, in any version up to the given one. */
export function isEventAbout(
  event: { readonly id: string; readonly type: EventType },
  record: Event['about'],
): boolean {
  const rest = event.id.slice(prefixes.event.length + timeLetters(0).length)
  const [order, ending] = [rest.slice(0, 4), rest.slice(5)]
  for (let version = 1; version <= record.version; version++)
    if (order === base32(version % 32 ** 4, 4) && ending === endingOf({ ...record, version }, event.type)) return true
  return false
}

/**
 * How long after its event an outbox row falls due. The stream normally creates the deliveries within a second, and the
 * sweep takes over if it fails.
 */
const OUTBOX_MS = 60_000

function outboxItem(merchant: string, { id }: Event, now: number): Item {
  const key = outboxKey(merchant, id)
  return { ...key, version: 1, due_shard: dueShard('outbox', key.pk), due_at: timestamp(now + OUTBOX_MS) }
}
