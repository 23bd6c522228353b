import { randomBytes } from 'node:crypto'
import { Refusal } from '#shared/domain/errors.ts'
import { type IdKind, idOf } from '#shared/domain/ids.ts'
import type { Mode, Outcome } from '#shared/domain/payment.ts'
import type { Item, Key, Platform, Write } from '#shared/platform/ports.ts'
import type { Change } from './change.ts'
import { sendSoonDue } from './due-messages.ts'
import { isId } from './keys.ts'
import { type Kind, recordOf } from './kind.ts'
import { keyOfChange, recordOfChange, writesOfChange } from './writes-of-change.ts'

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
  /** Whether whoever asks has a key that anybody may have read in a browser. */
  readonly publishable?: boolean
  /** Where the request came to: what links to our own pages begin with. */
  readonly base_url?: string
  /** The hard case that a test-mode request asked the sandbox for. */
  readonly scenario?: string
  /** What was read already. */
  readonly known?: readonly Item[]
}

/** An item that is waited for. */
interface Asked {
  readonly key: Key
  readonly resolve: (item: Item | undefined) => void
  readonly reject: (error: unknown) => void
}

/** What the table takes in one call. */
const READ_AT_ONCE_MAX = 100

/**
 * The work of one request or message for one merchant: reads records once, and commits changes with their list entries
 * and events in one transaction. Throws `WriteConflict` where someone else was faster; then `forget` and do it again.
 */
export class Work {
  readonly platform: Platform
  readonly merchant: string
  readonly mode: Mode
  readonly publishable: boolean
  readonly base_url: string
  readonly scenario: string | undefined
  /** Epoch milliseconds. */
  readonly began_at: number
  claim: Claim | undefined
  /** What this request has begun at the acquirer, remembered when a lost race makes it start over. */
  begun: (Binding & { outcome?: Outcome }) | undefined
  #read = new Map<string, Promise<Item | undefined>>()
  #asked: Asked[] = []

  constructor({ platform, merchant, mode, publishable = false, base_url = '', scenario, known = [] }: WorkOptions) {
    this.platform = platform
    this.merchant = merchant
    this.mode = mode
    this.publishable = publishable
    this.base_url = base_url
    this.scenario = scenario
    this.began_at = platform.clock.now()
    for (const item of known) this.#read.set(nameOf(item), Promise.resolve(item))
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
    const now = this.now()
    const parts = await Promise.all(
      changes.map(async (change) => {
        const key = keyOfChange(change, this.merchant)
        const before = recordOfChange(change).version > 0 ? await this.read(key) : undefined
        return { key, ...writesOfChange(change, this.merchant, before, now) }
      }),
    )
    const writes = withoutTwins([...also, ...parts.flatMap((part) => part.writes)])
    if (writes.length === 0) return
    const latest = Math.min(...parts.map((part) => part.latest))
    await this.platform.table.write(writes, Number.isFinite(latest) ? { latest } : undefined)
    for (const change of changes) if ('after' in change && change.log) this.platform.log(change.log)
    for (const { key, item } of parts) this.#read.set(nameOf(key), Promise.resolve(item))
    const written = parts.flatMap(({ item }) => item ?? [])
    await sendSoonDue(this.platform, written, now)
  }
}

const nameOf = (key: Key): string => `${key.pk}|${key.sk}`

/** Several records of a list may each make the same row unknown; a transaction takes it once. */
function withoutTwins(writes: readonly Write[]): Write[] {
  const seen = new Set<string>()
  return writes.filter((write) => {
    if (!('put' in write) || write.was !== undefined) return true
    const name = nameOf(write.put)
    const isTwin = seen.has(name)
    seen.add(name)
    return !isTwin
  })
}
