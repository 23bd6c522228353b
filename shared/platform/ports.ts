/**
 * What the service needs of the place it runs in. Each port has one implementation over the AWS SDK and one for a single
 * machine; both pass the same contract tests (`test/shared/platform/`).
 */

/** What an attribute of an item may hold: what JSON can say, without numbers that DynamoDB refuses. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value }

/** Where an item stands. Only `shared/store/keys.ts` spells one. */
export interface Key {
  readonly pk: string
  readonly sk: string
}

/** One item. `due_shard` with `due_at` puts it into the due index; `ttl` (epoch seconds) lets the table drop it later. */
export type Item = Key & {
  readonly version: number
  readonly due_shard?: string
  readonly due_at?: string
  readonly ttl?: number
  readonly [attribute: string]: Value | undefined
}

/**
 * One write of a transaction. `was` is the version that the writer read, 0 for "there was nothing"; the whole transaction
 * is refused when it is not so any more. Without `was` the write is unconditional: only for items that another write of
 * the same transaction guards.
 */
export type Write =
  | { readonly put: Item; readonly was?: number }
  | { readonly delete: Key; readonly was?: number }
  | { readonly check: Key; readonly was: number }

/** The items of one `pk` in order of `sk`: from `from` to `to`, both inclusive and optional. */
export interface Range {
  readonly pk: string
  readonly from?: string
  readonly to?: string
  /** Highest `sk` first. */
  readonly descending?: boolean
  /** Most items to answer; a page also ends at 1 MB. */
  readonly limit?: number
  /** Go on behind this `sk`: the `next` of the page before. */
  readonly after?: string
}

/** The keys in one shard of the due index whose `due_at` is above `after` and not above `until`, earliest first. */
export interface DueRange {
  readonly shard: string
  readonly after: string
  readonly until: string
  readonly limit?: number
  /** Go on behind the page before: its `next`. */
  readonly next?: string
}

export interface Table {
  /** Up to 100 items, read consistently, in the order asked for; undefined where there is none. */
  get(keys: readonly Key[]): Promise<(Item | undefined)[]>
  /** One page of a range, read consistently; `next` is missing on the last page. */
  query(range: Range): Promise<{ items: Item[]; next?: string }>
  /** How many items one page of a range holds, at the same cost in units but without carrying them. */
  count(range: Range): Promise<{ count: number; next?: string }>
  /**
   * All of up to 100 writes, or none of them: throws `WriteConflict` when a `was` is not so any more, or when the clock
   * is past `latest` (epoch milliseconds) at the moment of sending.
   */
  write(writes: readonly Write[], options?: { readonly latest?: number }): Promise<void>
  /** One page of what falls due. The index may lag behind the table and may name what is there no more. */
  due(range: DueRange): Promise<{ keys: (Key & { readonly due_at: string })[]; next?: string }>
}

/** A stretch of the whole table: the items whose `pk` begins so, behind the page before. */
export interface ScanRange {
  readonly pk_prefix?: string
  /** Go on behind the page before: its `next`. */
  readonly after?: string
}

/** A table that can be read whole. That costs what all that is kept costs, so that no function may: the operator alone. */
export interface WholeTable extends Table {
  /** One page of all items, each read consistently and none of them twice; a page may be empty and not the last. */
  scan(range: ScanRange): Promise<{ items: Item[]; next?: string }>
}

/** A transaction that was refused since someone else was faster. Nothing of it was written. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict'
  /** Which of the writes, by index, were no longer so; empty where the platform does not say. */
  readonly lost: readonly number[]
  constructor(lost: readonly number[]) {
    super('a version has changed')
    this.lost = lost
  }
}

/** The platform did not do it, or does not say whether it did: throttled, cut off, timed out. */
export class PlatformUnavailable extends Error {
  override readonly name = 'PlatformUnavailable'
}

/** A bookmark, never the work itself: which item, and what the sender saw of it. */
export interface Message {
  readonly kind: string
  readonly pk: string
  readonly sk: string
  /** The due time that the sender saw; whoever finds another one drops the message. */
  readonly due_at: string
}

export interface Queue {
  /** At least once, in no order. `delay_seconds` ≤ 900. Messages of one `group` wait only for each other. */
  send(messages: readonly { message: Message; delay_seconds?: number; group?: string }[]): Promise<void>
}

export type QueueName = 'deliveries' | 'captures' | 'chores'

/** Seals what nobody may read from the table. The context is bound in: opened with another one, it stays shut. */
export interface Vault {
  /** Up to 4,096 bytes. */
  seal(plain: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>
  /** Throws `SealBroken` for other bytes, another key or another context. */
  open(sealed: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>
}

/** What a link to an object answers with. */
export interface LinkOptions {
  /** The whole header. */
  readonly content_disposition: string
  readonly content_type: string
  /** How long the link lives. */
  readonly seconds: number
}

/** Objects of some megabytes, encrypted at rest and private: nobody reads one but through a link. */
export interface Bucket {
  /** Keeps 1 byte to 4 MB under a name: ids, and slashes between them. What was kept under it before is gone. */
  put(name: string, bytes: Uint8Array, content_type: string): Promise<void>
  /** Does nothing where nothing is kept. */
  remove(name: string): Promise<void>
  /** The address of an object for whoever has it: a URL, or a path on the service's own host. It asks for no key. */
  link(name: string, options: LinkOptions): Promise<string>
}

/** Sealed bytes that this vault cannot open in this context. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

/** The time. A local run can turn it; so nobody else may ask the machine. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Resolves once that much time has passed. Aborted, it never does, and leaves nothing behind. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** A line of the log. Only these fields exist, so that nothing secret can slip in: no bodies, no messages, no headers. */
export interface LogEntry {
  readonly level: 'info' | 'error'
  readonly event: string
  readonly request_id?: string
  readonly route?: string
  readonly merchant?: string
  readonly payment?: string
  /** The id of what a background function worked on. */
  readonly record?: string
  /** A kind of what falls due, and for how many seconds its oldest has been overdue. */
  readonly kind?: string
  readonly overdue_seconds?: number
  /** For how long the outcome of an operation at the acquirer has not been known. */
  readonly unresolved_seconds?: number
  readonly status?: number
  readonly code?: string
  readonly latency_ms?: number
  /** Whether the client's address is on a reputation list of the firewall. */
  readonly listed_address?: boolean
  /** What came of something, in one word: of a charge what the acquirer said, of an attempt to deliver what the delivery is now. */
  readonly outcome?: string
  /** Which attempt of a delivery it was, from 1; of the first, how long after its event it began. */
  readonly attempt?: number
  readonly first_latency_ms?: number
  /** The class of an error and where it was thrown, without its message, which may repeat what was sent. */
  readonly error?: string
  readonly stack?: readonly string[]
}

export interface Platform {
  readonly table: Table
  readonly queues: Readonly<Record<QueueName, Queue>>
  readonly vault: Vault
  readonly bucket: Bucket
  readonly clock: Clock
  /** The IP addresses of a host name. Throws when there is none, or nobody tells. */
  resolve(host: string): Promise<readonly string[]>
  log(entry: LogEntry): void
  /** Who charges live payments: a stage without an acquirer has `none`, and live payments answer 503 there. */
  readonly live_acquirer: 'sandbox' | 'none'
  /** Whether webhooks of test mode may lead to this very host: on a local run alone. */
  readonly loopback_webhooks: boolean
  /** Whether an IP address and port lead to this service's own server: on a local run alone. */
  isOwnServer(address: string, port: number): boolean
}
