import type { Provider } from '#shared/domain/payment.ts'

/**
 * The ports of the service. `Table`, `Queue`, `Vault` and `Bucket` each have one adapter for AWS and one for a single
 * machine. Both adapters of a port pass the same contract tests (`test/shared/platform/contract/`).
 */

/** The value of an attribute: what JSON can express, without numbers that DynamoDB refuses. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value }

/** The key of an item. Only `shared/store/` builds keys. */
export interface Key {
  readonly pk: string
  readonly sk: string
}

/**
 * One item. An item with `due_shard` and `due_at` is in the due index. The table can drop an item after its `ttl`
 * (epoch seconds).
 */
export type Item = Key & {
  readonly version: number
  readonly due_shard?: string
  readonly due_at?: string
  readonly ttl?: number
  readonly [attribute: string]: Value | undefined
}

/**
 * One write of a transaction. `was` is the version that the writer read, 0 if there was no item. If any version has
 * changed since, the whole transaction is refused. A write without `was` is unconditional, and is only for items that
 * another write of the same transaction guards.
 */
export type Write =
  | { readonly put: Item; readonly was?: number }
  | { readonly delete: Key; readonly was?: number }
  | { readonly check: Key; readonly was: number }

/** The items of one `pk` in order of `sk`. `from` and `to` are optional and inclusive. */
export interface Range {
  readonly pk: string
  readonly from?: string
  readonly to?: string
  /** Highest `sk` first. */
  readonly descending?: boolean
  /** The most items that a page contains. A page also ends at 1 MB. */
  readonly limit?: number
  /** Continues after this `sk`, the `next` of the previous page. */
  readonly after?: string
}

/**
 * The keys in one shard of the due index whose `due_at` is later than `after` and not later than `until`, earliest
 * first.
 */
export interface DueRange {
  readonly shard: string
  readonly after: string
  readonly until: string
  readonly limit?: number
  /** Continues after the previous page, with its `next`. */
  readonly next?: string
}

export interface Table {
  /** Reads up to 100 items with strong consistency, in the order of the keys; undefined where there is no item. */
  get(keys: readonly Key[]): Promise<(Item | undefined)[]>
  /** Reads one page of a range with strong consistency. `next` is absent on the last page. */
  query(range: Range): Promise<{ items: Item[]; next?: string }>
  /** Counts the items of one page of a range. It costs as many read units as `query`, but returns no items. */
  count(range: Range): Promise<{ count: number; next?: string }>
  /**
   * Writes up to 100 items in one transaction, all or nothing. Throws `WriteConflict` if a version check fails, if
   * another transaction is writing to one of the items, or if the time of sending is after `latest` (epoch
   * milliseconds).
   */
  write(writes: readonly Write[], options?: { readonly latest?: number }): Promise<void>
  /**
   * Reads one page of the due index. The index can lag behind the table, and can contain items that no longer exist.
   */
  due(range: DueRange): Promise<{ keys: (Key & { readonly due_at: string })[]; next?: string }>
}

/** A scan of the items whose `pk` begins with `pk_prefix`, or of all items. */
export interface ScanRange {
  readonly pk_prefix?: string
  /** Continues after the previous page, with its `next`. */
  readonly after?: string
}

/**
 * A table that can be scanned. A scan reads the whole table and is billed for it. Only an operator may scan, no
 * function.
 */
export interface WholeTable extends Table {
  /**
   * Reads one page of all items. Each item is read with strong consistency and returned only once. A page can be empty
   * without being the last.
   */
  scan(range: ScanRange): Promise<{ items: Item[]; next?: string }>
}

/**
 * A version check failed, the transaction was too late, or another transaction was writing to one of its items. Nothing
 * was written.
 */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict'
  /** The indexes of the writes whose version check failed; empty if no failed version check is known. */
  readonly lost: readonly number[]
  constructor(lost: readonly number[]) {
    super('a version has changed')
    this.lost = lost
  }
}

/**
 * A call to the platform was throttled, cut off or timed out. The call was not executed, or it is unknown whether it
 * was executed.
 */
export class PlatformUnavailable extends Error {
  override readonly name = 'PlatformUnavailable'
}

/** A pointer to an item that falls due. It contains no work: the worker reads the item. */
export interface Message {
  readonly kind: string
  readonly pk: string
  readonly sk: string
  /** The due time that the sender saw. A worker that reads another due time drops the message. */
  readonly due_at: string
}

export interface Queue {
  /**
   * Sends messages with at-least-once delivery and in no order. `delay_seconds` is at most 900. The backlog of one
   * `group` does not delay the messages of other groups.
   */
  send(messages: readonly { message: Message; delay_seconds?: number; group?: string }[]): Promise<void>
}

export type QueueName = 'deliveries' | 'captures' | 'chores' | 'clocks'

/**
 * Seals data that the table must not reveal. The context is bound into the sealed bytes, which cannot be opened with
 * another context.
 */
export interface Vault {
  /** Seals up to 4,096 bytes. */
  seal(plain: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>
  /** Opens sealed bytes. Throws `SealBroken` for other bytes, another key or another context. */
  open(sealed: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>
}

/** The response to a link to an object, and how long the link is valid. */
export interface LinkOptions {
  /** The whole `Content-Disposition` header. */
  readonly content_disposition: string
  readonly content_type: string
  /** How long the link is valid. */
  readonly seconds: number
}

/** A private store of objects of some megabytes, encrypted at rest. An object can be read only through a link. */
export interface Bucket {
  /**
   * Stores 1 byte to 4 MB under a name, which consists of ids and slashes. It replaces an earlier object of that name.
   */
  put(name: string, bytes: Uint8Array, content_type: string): Promise<void>
  /** The bytes of an object; undefined if there is none. */
  get(name: string): Promise<Uint8Array | undefined>
  /** Removes an object. Does nothing if there is none. */
  remove(name: string): Promise<void>
  /**
   * A link to an object: a URL, or a path on the service's own host. Anyone who has the link can read the object
   * without an API key.
   */
  link(name: string, options: LinkOptions): Promise<string>
}

/** The credentials of the service at the acquirer of live payments. */
export interface AcquirerSecret {
  /** The secret or restricted API key. */
  readonly api_key: string
  /** The secrets that sign the acquirer's notifications: one, or two while a secret is changed. */
  readonly notification_secrets: readonly string[]
}

/**
 * The store of the acquirer's credentials. Both methods throw if there are none or if they cannot be read.
 */
export interface Secrets {
  /** The credentials, which can be up to five minutes old. */
  acquirer(): Promise<AcquirerSecret>
  /**
   * The credentials as they are stored now, for a caller whose credentials the acquirer no longer accepts. They are
   * fetched at most twice a minute, so they can be older if the caller asks more often.
   */
  refetch(): Promise<AcquirerSecret>
}

/** The access of the service to a payment service provider. */
export interface ProviderAccess {
  readonly secrets: Secrets
  /** The name of the stage. The objects at the provider bear it, because several stages can share an account. */
  readonly stage: string
  /** The address of a stand-in on this machine; null for the provider itself. */
  readonly host: string | null
}

/** The error for sealed bytes that this vault cannot open in this context. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

/** The clock of the platform. A local run can change its time, so no other code may read the time of the machine. */
export interface Clock {
  /** The current time in epoch milliseconds. */
  now(): number
  /** The real time in epoch milliseconds, for a clock that can be advanced. Absent: `now` is the real time. */
  realNow?(): number
  /** Resolves after this time. An aborted wait never resolves, and leaves no timer behind. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** A line of the log. It has only these fields, so no bodies, messages, headers or secrets are logged. */
export interface LogEntry {
  readonly level: 'info' | 'error'
  readonly event: string
  readonly request_id?: string
  readonly route?: string
  readonly merchant?: string
  readonly payment?: string
  /** The id of the record that a background function worked on. */
  readonly record?: string
  /**
   * The kind of overdue work in the due index; `overdue_seconds` is how long its oldest item has been overdue. In a
   * line about a charge, `kind` is the payment type.
   */
  readonly kind?: string
  readonly overdue_seconds?: number
  /** How long the outcome of an operation at the acquirer has been unknown. */
  readonly unresolved_seconds?: number
  readonly status?: number
  readonly code?: string
  readonly latency_ms?: number
  /** Whether the client's address is on a reputation list of the firewall. */
  readonly listed_address?: boolean
  /** The acquirer that a line is about. Its messages are left out, because they may repeat data of a request. */
  readonly provider?: string
  /** The acquirer's id of a request, its code of an error, and the parameter that the error names. */
  readonly provider_request?: string
  readonly provider_code?: string
  readonly provider_param?: string
  /** What is missing of a bank transfer, or what the customer has sent too much, in the currency's smallest unit. */
  readonly amount_remaining?: number
  readonly amount_excess?: number
  /** A result in one word: the acquirer's outcome of a charge, or the status of a delivery after an attempt. */
  readonly outcome?: string
  /**
   * The number of an attempt of a delivery, from 1. For the first attempt, `first_latency_ms` is the time from the
   * event to its start.
   */
  readonly attempt?: number
  readonly first_latency_ms?: number
  /**
   * The class of an error. `stack` is where it was thrown. The message is left out, because it may repeat data of a
   * request.
   */
  readonly error?: string
  readonly stack?: readonly string[]
}

export interface Platform {
  readonly table: Table
  readonly queues: Readonly<Record<QueueName, Queue>>
  readonly vault: Vault
  readonly bucket: Bucket
  readonly clock: Clock
  /** The IP addresses of a host name. Throws if there are none or no name server responds. */
  resolve(host: string): Promise<readonly string[]>
  log(entry: LogEntry): void
  /** The acquirer of live payments. On a stage with `none`, live payments are refused with 503. */
  readonly live_acquirer: Provider | 'none'
  /**
   * The access to a provider outside this service. It stays while there are payments that began at the provider, even if
   * `live_acquirer` has changed. Null where there never was one.
   */
  readonly provider_access: ProviderAccess | null
  /** Whether webhooks of test mode may lead to this host. Only a local run allows it. */
  readonly loopback_webhooks: boolean
  /**
   * Advances the clock of a local run by some seconds, and does all work that falls due on the way. Absent on a stage,
   * where each merchant of test mode has a clock of its own.
   */
  readonly advanceClock?: (seconds: number) => Promise<void>
  /** Whether an IP address and port lead to this service's own server. Always false on AWS. */
  isOwnServer(address: string, port: number): boolean
}

/** The platform of an operator, whose table can be scanned. */
export type WholePlatform = Platform & { readonly table: WholeTable }
