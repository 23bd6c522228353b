import { createHash, randomBytes } from 'node:crypto'
import { Refusal } from '#shared/domain/errors.ts'
import type { Event, EventType } from '#shared/domain/event.ts'
import { base32, type IdKind, idOf, letters, prefixes, timeLetters } from '#shared/domain/ids.ts'
import type { Mode, Outcome } from '#shared/domain/payment.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item, Key, Platform, Write } from '#shared/platform/ports.ts'
import { sendSoonDue } from './due.ts'
import { events } from './events.ts'
import { isId } from './keys.ts'
import { itemOf, type Kind, recordOf } from './kind.ts'
import { entryWrites } from './list-entries.ts'

/** The largest record that a request may make, in bytes: what an item may hold, less room for what an outcome adds. */
const RECORD_BYTES_MAX = 340_000

/**
 * What is to become of a record: its next state and the events that tell of it, in their order. `owed` marks a change
 * that must not be refused any more, since money has moved.
 */
export type Change =
  | {
      readonly kind: Kind<never>
      readonly after: { readonly version: number }
      readonly events?: readonly EventType[]
      readonly owed?: boolean
    }
  | { readonly kind: Kind<never>; readonly gone: { readonly version: number }; readonly events?: readonly EventType[] }
  | { readonly kind: Kind<never>; readonly unchanged: { readonly version: number } }

export const changed = <R extends { readonly version: number }>(
  kind: Kind<R>,
  after: R,
  events: readonly EventType[] = [],
  { owed = false } = {},
): Change => ({ kind: kind as unknown as Kind<never>, after, events, owed })

/** The record is erased; `gone` is what its last event shows of it. */
export const removed = <R extends { readonly version: number }>(
  kind: Kind<R>,
  gone: R,
  events: readonly EventType[] = [],
): Change => ({ kind: kind as unknown as Kind<never>, gone, events })

/** The commit holds only if nobody changed the record since it was read. */
export const unchanged = <R extends { readonly version: number }>(kind: Kind<R>, record: R): Change => ({
  kind: kind as unknown as Kind<never>,
  unchanged: record,
})

/** What an idempotency key is bound to: the payment, and the attempt of it, that its first request began. */
export interface Binding {
  readonly payment: string
  readonly attempt: number
}

/** The hold of a request on its idempotency key, as far as work that commits midway must know it. */
export interface Claim {
  /** What an earlier request with this key began and did not end. */
  readonly bound: Binding | undefined
  /** To be committed with what begins. */
  bind(binding: Binding): Write
  /** Tells that the write of `bind` is committed. */
  held(): void
}

export interface WorkOptions {
  readonly platform: Platform
  readonly merchant: string
  readonly mode: Mode
  /** Where the request came to: what links to our own pages begin with. */
  readonly base_url?: string
  /** The hard case that a test-mode request asked the sandbox for. */
  readonly scenario?: string
}

/**
 * The work of one request or message for one merchant: reads records once, and commits changes with their list entries
 * and events in one transaction. Throws `WriteConflict` where someone else was faster; then `forget` and do it again.
 */
export class Work {
  readonly platform: Platform
  readonly merchant: string
  readonly mode: Mode
  readonly base_url: string
  readonly scenario: string | undefined
  claim: Claim | undefined
  /** What this request has begun at the acquirer, remembered when a lost race makes it start over. */
  begun: (Binding & { outcome?: Outcome }) | undefined
  #read = new Map<string, Promise<Item | undefined>>()
  #asked: { key: Key; resolve: (item: Item | undefined) => void; reject: (error: unknown) => void }[] = []

  constructor({ platform, merchant, mode, base_url = '', scenario }: WorkOptions) {
    this.platform = platform
    this.merchant = merchant
    this.mode = mode
    this.base_url = base_url
    this.scenario = scenario
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.platform.clock.now()
  }

  newId(kind: IdKind): string {
    return idOf(kind, this.now(), randomBytes(16))
  }

  /** Forgets what was read, so that the next read sees what others have done. */
  forget(): void {
    this.#read.clear()
  }

  /** One item, read once. What is asked for in one turn is read in one call. */
  read(key: Key): Promise<Item | undefined> {
    const name = nameOf(key)
    let item = this.#read.get(name)
    if (!item) {
      item = new Promise((resolve, reject) => {
        if (this.#asked.length === 0) queueMicrotask(() => this.#readAll())
        this.#asked.push({ key, resolve, reject })
      })
      this.#read.set(name, item)
    }
    return item
  }

  async #readAll(): Promise<void> {
    const asked = this.#asked.splice(0)
    try {
      const items = await this.platform.table.get(asked.map(({ key }) => key))
      asked.forEach(({ resolve }, index) => {
        resolve(items[index])
      })
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  /** The record at a key, if there is one. */
  async at<R extends { readonly version: number }>(kind: Kind<R>, key: Key): Promise<R | undefined> {
    const item = await this.read(key)
    return item && recordOf(kind, item)
  }

  /** The merchant's record with this id, or undefined: also for what cannot be an id. */
  async find<R extends { readonly id: string; readonly version: number }>(
    kind: Kind<R>,
    id: string,
  ): Promise<R | undefined> {
    return isId(id) ? this.at(kind, kind.key(this.merchant, { id } as R)) : undefined
  }

  /** The merchant's record with this id; refused with `not_found` when there is none. */
  async get<R extends { readonly id: string; readonly version: number }>(kind: Kind<R>, id: string): Promise<R> {
    const record = await this.find(kind, id)
    if (!record) throw new Refusal('not_found')
    return record
  }

  /** Commits the changes, their list entries and events, and whatever else must hold with them: all of it, or nothing. */
  async commit(changes: readonly Change[], also: readonly Write[] = []): Promise<void> {
    refuseOversize(changes)
    const now = this.now()
    const parts = await Promise.all(changes.map((change) => this.#partOf(change, now)))
    const writes = [...also, ...parts.flatMap((part) => part.writes)]
    if (writes.length === 0) return
    const latest = Math.min(...parts.map((part) => part.latest))
    await this.platform.table.write(writes, Number.isFinite(latest) ? { latest } : undefined)
    for (const { key, item } of parts) this.#read.set(nameOf(key), Promise.resolve(item))
    await sendSoonDue(
      this.platform,
      parts.flatMap(({ item }) => item ?? []),
      now,
    )
  }

  async #partOf(
    change: Change,
    now: number,
  ): Promise<{ key: Key; item: Item | undefined; writes: Write[]; latest: number }> {
    const kind = change.kind as unknown as Kind<{ version: number }>
    const record = 'after' in change ? change.after : 'gone' in change ? change.gone : change.unchanged
    const key = kind.key(this.merchant, record)
    const was = record.version
    const before = was > 0 ? await this.read(key) : undefined
    if ('unchanged' in change)
      return { key, item: before, writes: [{ check: key, was }], latest: Number.POSITIVE_INFINITY }

    const at = Math.max(now, Number(before?.changed_at ?? 0))
    const item = 'after' in change ? itemOf(kind, this.merchant, record, at) : undefined
    const entriesBefore = before ? (kind.entries?.(this.merchant, recordOf(kind, before)) ?? []) : []
    const entriesAfter = item ? (kind.entries?.(this.merchant, record) ?? []) : []
    const told = (change.events ?? []).map((type, index) => this.#eventOf(kind, record, type, index, at))
    const entriesOfEvents = told.flatMap((event) => events.entries!(this.merchant, event))
    const entries = entryWrites(entriesBefore, [...entriesAfter, ...entriesOfEvents])
    return {
      key,
      item,
      writes: [
        item ? { put: item, was } : { delete: key, was },
        ...told.map((event): Write => ({ put: itemOf(events, this.merchant, event, at), was: 0 })),
        ...entries.writes,
      ],
      latest: entries.latest ?? Number.POSITIVE_INFINITY,
    }
  }

  /** The id is derived from the change, so that the same change told twice is one event. */
  #eventOf(
    kind: Kind<{ version: number }>,
    record: { version: number },
    type: EventType,
    index: number,
    at: number,
  ): Event {
    const version = record.version + 1
    const about = { kind: kind.name, id: (record as unknown as { id: string }).id, version }
    const hash = createHash('sha256').update(`${about.kind}#${about.id}#${version}#${type}`).digest()
    const id =
      prefixes.event + timeLetters(at) + base32(version % 32 ** 4, 4) + base32(index, 1) + letters(hash.subarray(0, 11))
    return { id, version: 0, type, about, data: kind.view!(record), created_at: timestamp(at) }
  }
}

const nameOf = (key: Key): string => `${key.pk}|${key.sk}`

/** Refuses with `unprocessable_entity` changes that would make a record too large to be kept. */
export function refuseOversize(changes: readonly Change[]): void {
  for (const change of changes)
    if ('after' in change && !change.owed && bytesOf(change.after) > RECORD_BYTES_MAX)
      throw new Refusal('unprocessable_entity', { message: 'The resource would become too large to be kept.' })
}

/** About what a record takes in the table: text as it is, all else no more than its JSON. */
function bytesOf(record: object): number {
  const texts = Object.values(record).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return texts.reduce((bytes, text = '') => bytes + Buffer.byteLength(text), 0)
}
