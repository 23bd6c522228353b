import { createHash } from 'node:crypto'
import type { Event, EventType } from '#shared/domain/event.ts'
import { base32, letters, prefixes, timeLetters } from '#shared/domain/ids.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item, Key, Write } from '#shared/platform/ports.ts'
import type { Change } from './change.ts'
import { events } from './events.ts'
import { dueShard, outboxKey } from './keys.ts'
import { itemOf, type Kind, recordOf } from './kind.ts'
import { ENTRY_LATEST_MS, entryWrites } from './list-entries.ts'

type AnyRecord = { readonly version: number }
type AnyKind = Kind<AnyRecord>

/** The record that a change stores, removes or checks. */
export const recordOfChange = (change: Change): AnyRecord =>
  'after' in change ? change.after : 'gone' in change ? change.gone : change.unchanged

/** The key of the record of a change. */
export const keyOfChange = (change: Change, merchant: string): Key =>
  (change.kind as unknown as AnyKind).key(merchant, recordOfChange(change))

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
}

/** The writes of a change to the item `before`, at `now` in epoch milliseconds. */
export function writesOfChange(
  change: Change,
  merchant: string,
  before: Item | undefined,
  now: number,
): WritesOfChange {
  const kind = change.kind as unknown as AnyKind
  const record = recordOfChange(change)
  const key = kind.key(merchant, record)
  const was = record.version
  if ('unchanged' in change) return { item: before, writes: [{ check: key, was }], latest: Number.POSITIVE_INFINITY }

  const at = Math.max(now, Number(before?.changed_at ?? 0))
  const item = 'after' in change ? itemOf(kind, merchant, record, at) : undefined
  const newEvents = (change.events ?? []).map((type, index) => eventOf(kind, record, type, index, at))
  const known = before && recordOf(kind, before)
  const entriesBefore = known ? (kind.entries?.(merchant, known) ?? []) : []
  const entriesAfter = item ? (kind.entries?.(merchant, record) ?? []) : []
  const entriesOfEvents = newEvents.flatMap((event) => events.entries!(merchant, event))
  const { writes, latest = Number.POSITIVE_INFINITY } = entryWrites(
    entriesBefore,
    [...entriesAfter, ...entriesOfEvents],
    now,
  )
  const itemsOfEvents = newEvents.flatMap((event): Write[] => [
    { put: itemOf(events, merchant, event, at), was: 0 },
    { put: outboxItem(merchant, event, now) },
  ])
  const beside = item ? (kind.beside?.(merchant, known, record, now) ?? []) : []
  return {
    item,
    writes: [
      item ? { put: item, was } : { delete: key, was },
      ...itemsOfEvents,
      ...writes,
      ...beside.map((put) => ({ put })),
    ],
    latest: beside.length > 0 ? Math.min(latest, now + ENTRY_LATEST_MS) : latest,
  }
}

/**
 * The event of a change. Its id is derived from the change, so a repeated change creates the same event. The ids of
 * events sort in the order of their changes.
 */
function eventOf(kind: AnyKind, record: AnyRecord, type: EventType, index: number, at: number): Event {
  const version = record.version + 1
  const about = { kind: kind.name, id: (record as unknown as { id: string }).id, version }
  const order = timeLetters(at) + base32(version % 32 ** 4, 4) + base32(index, 1)
  const id = prefixes.event + order + endingOf(about, type)
  return { id, version: 0, type, about, data: kind.view!(record), created_at: timestamp(at) }
}

/** The end of an event's id: a hash of the record, its version and the event type, which `tellsOf` computes again. */
function endingOf({ kind, id, version }: Event['about'], type: EventType): string {
  const hash = createHash('sha256').update(`${kind}#${id}#${version}#${type}`).digest()
  return letters(hash.subarray(0, 11))
}

/** Whether an event with this id and type is about a record, in any version up to the given one. */
export function tellsOf(event: { readonly id: string; readonly type: EventType }, record: Event['about']): boolean {
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
