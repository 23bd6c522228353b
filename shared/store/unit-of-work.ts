import { randomBytes } from 'node:crypto'
import { Refusal } from '#shared/domain/errors.ts'
import { type IdKind, idOf } from '#shared/domain/ids.ts'
import type { Mode } from '#shared/domain/payment.ts'
import type { Scenario } from '#shared/domain/scenario.ts'
import type { Item, Key, Platform, Write } from '#shared/platform/ports.ts'
import { SOON_ON_TEST_CLOCK_MS, sendSoonDue } from '#shared/scheduling/queue-messages.ts'
import type { Change } from './change.ts'
import { isId, testClockKey } from './keys.ts'
import { type AnyRecord, attributesOf, type Kind, keyOfId, recordOf } from './kind.ts'
import { LaneWrites } from './list-lanes.ts'

export interface UnitOfWorkOptions {
  readonly platform: Platform
  readonly merchant: string
  readonly mode: Mode
  /** Whether the request uses a publishable key, which anyone can read in a browser. */
  readonly publishable?: boolean
  /** The base URL of the request. Links to the service's own pages begin with it. */
  readonly base_url?: string
  /** The sandbox scenario that a test-mode request asks for. */
  readonly scenario?: Scenario
  /** The item of the merchant's test clock, if it is known. `readTestClock` reads it otherwise. */
  readonly test_clock?: Item | undefined
  /** Items that have already been read. */
  readonly known?: readonly Item[]
}

/** A read that waits for its item. */
interface Asked {
  readonly key: Key
  readonly resolve: (item: Item | undefined) => void
  readonly reject: (error: unknown) => void
}

/** The most items that the table reads in one call. */
const READ_AT_ONCE_MAX = 100

/**
 * The unit of work of one request or message, for one merchant. It reads each record once, and commits changes with
 * their list entries and events in one transaction. `commit` throws `WriteConflict` if a version check fails: call
 * `forget`, then read, decide and commit again.
 */
export class UnitOfWork {
  readonly platform: Platform
  readonly merchant: string
  readonly mode: Mode
  readonly publishable: boolean
  readonly base_url: string
  readonly scenario: Scenario | undefined
  /** When the unit of work began, in epoch milliseconds of real time. */
  readonly began_at: number
  #test_clock: Item | undefined
  #read = new Map<string, Promise<Item | undefined>>()
  #asked: Asked[] = []

  constructor({
    platform,
    merchant,
    mode,
    publishable = false,
    base_url = '',
    scenario,
    test_clock,
    known = [],
  }: UnitOfWorkOptions) {
    this.platform = platform
    this.merchant = merchant
    this.mode = mode
    this.publishable = publishable
    this.base_url = base_url
    this.scenario = scenario
    this.began_at = platform.clock.now()
    this.#test_clock = test_clock
    for (const item of known) this.#read.set(nameOf(item), Promise.resolve(item))
  }

  /** The current time of the merchant in epoch milliseconds. In test mode, the merchant can move it ahead. */
  now(): number {
    return this.realNow() + this.ahead_ms
  }

  /** The current time of the platform in epoch milliseconds: for leases, ids, API keys and whatever the modes share. */
  realNow(): number {
    return this.platform.clock.now()
  }

  /** How far the merchant's test clock is ahead of real time, in milliseconds; 0 if the merchant never moved it. */
  get ahead_ms(): number {
    return this.#test_clock ? attributesOf<{ readonly ahead_ms: number }>(this.#test_clock).ahead_ms : 0
  }

  /** The item of the merchant's test clock; undefined if the merchant never moved it. */
  get test_clock(): Item | undefined {
    return this.#test_clock
  }

  /**
   * Reads the merchant's test clock, so that `now` follows it. Call it together with the first other reads, which then
   * share the call to the table. Live mode has no such clock.
   */
  async readTestClock(): Promise<void> {
    if (this.mode === 'test') this.#test_clock = await this.read(testClockKey(this.merchant))
  }

  /** A new id. Its creation time is real, because lists are ordered and counted by it. */
  newId(kind: IdKind): string {
    return idOf(kind, this.realNow(), randomBytes(16))
  }

  /** Forgets everything that was read, so the next reads see concurrent changes. */
  forget(): void {
    this.#read.clear()
  }

  /** One item, read once. Reads that are requested together share one call to the table. */
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

  #readAll(): void {
    const asked = this.#asked.splice(0)
    for (let at = 0; at < asked.length; at += READ_AT_ONCE_MAX) this.#readSome(asked.slice(at, at + READ_AT_ONCE_MAX))
  }

  async #readSome(asked: readonly Asked[]): Promise<void> {
    try {
      const items = await this.platform.table.get(asked.map(({ key }) => key))
      asked.forEach(({ resolve }, index) => {
        resolve(items[index])
      })
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  /** The record at a key; undefined if there is none. */
  async at<R extends AnyRecord>(kind: Kind<R>, key: Key): Promise<R | undefined> {
    const item = await this.read(key)
    return item && recordOf(kind, item)
  }

  /** The merchant's record with this id; undefined if there is none or the id is invalid. */
  async find<R extends AnyRecord & { readonly id: string }>(kind: Kind<R>, id: string): Promise<R | undefined> {
    return isId(id) ? this.at(kind, keyOfId(kind, this.merchant, id)) : undefined
  }

  /** The merchant's record with this id. Refuses with `not_found` if there is none. */
  async get<R extends AnyRecord & { readonly id: string }>(kind: Kind<R>, id: string): Promise<R> {
    const record = await this.find(kind, id)
    if (!record) throw new Refusal('not_found')
    return record
  }

  /**
   * Commits the changes, their list entries and events, and the writes of `also` in one transaction. Then it writes the
   * log lines of the changes, and queues the records that fall due soon.
   */
  async commit(changes: readonly Change[], also: readonly Write[] = []): Promise<void> {
    const { table } = this.platform
    const [now, real_now] = [this.now(), this.realNow()]
    const { merchant } = this
    const lists_due = this.#test_clock !== undefined
    const lanes = new LaneWrites(table, real_now)
    const parts = await Promise.all(
      changes.map(async (change) => {
        const key = change.key(this.merchant)
        const before = change.was > 0 ? await this.read(key) : undefined
        return { key, ...change.writes({ merchant, lists_due, before, now, real_now, lanes }) }
      }),
    )
    const writes = [...also, ...parts.flatMap((part) => part.writes), ...lanes.writes()]
    if (writes.length === 0) return
    const latest = Math.min(lanes.latest, ...parts.map((part) => part.latest))
    try {
      await table.write(writes, Number.isFinite(latest) ? { latest } : undefined)
    } catch (error) {
      lanes.failed(error, writes)
      throw error
    }
    lanes.committed()
    for (const { log } of changes) if (log) this.platform.log(log)
    for (const { key, item } of parts) this.#read.set(nameOf(key), Promise.resolve(item))
    const itemsOn = (real: boolean) =>
      parts.flatMap((part) => (part.item && part.is_due_real === real ? part.item : []))
    await Promise.all([
      sendSoonDue(this.platform, itemsOn(true), real_now),
      sendSoonDue(this.platform, itemsOn(false), now, this.ahead_ms > 0 ? SOON_ON_TEST_CLOCK_MS : undefined),
    ])
  }
}

const nameOf = (key: Key): string => `${key.pk}|${key.sk}`
