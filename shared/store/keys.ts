import { createHash } from 'node:crypto'
import type { Key } from '#shared/platform/ports.ts'

/**
 * The keys of the table. The key of a merchant's record contains the merchant, so a request cannot read the record of
 * another merchant. A `pk` begins with the kind of the record, so a role can be limited to `payment#*`. Items share a
 * `pk` only if they are read together.
 */

/** The key of a merchant's record. Its `pk` is `<kind>#<merchant>#<id>`. */
export const recordKey = (kind: string, merchant: string, id: string): Key => ({
  pk: `${kind}#${merchant}#${id}`,
  sk: kind,
})

/** The key of an API key's credential, by the hash of the API key. */
export const apiKeyKey = (hash: string): Key => ({ pk: `key#${hash}`, sk: 'key' })

/**
 * The SHA-256 of an API key, the only form in which the key is stored. A key has 160 random bits, so nobody can find it
 * from its hash by trying.
 */
export const hashOfKey = (secret: string): string => sha256(secret)

/** The key of the reservation of an account name, which is unique in the service. */
export const accountNameKey = (name: string): Key => ({ pk: `account_name#${name}`, sk: 'account_name' })

/** The key of the test clock of a merchant. Only merchants of test mode whose clock was ever moved have one. */
export const testClockKey = (merchant: string): Key => recordKey('test_clock', merchant, merchant)

/** The `pk` of the due records of a merchant's test mode, which are sorted by their due time. */
export const dueEntriesPk = (merchant: string): string => `due_entry#${merchant}`

/** The key of one onboarding record of a merchant, by its name. A merchant has at most one record of each name. */
export const applicationKey = (merchant: string, record: string): Key => ({
  pk: `application#${merchant}#${record}`,
  sk: 'application',
})

export const merchantKey = (id: string): Key => ({ pk: `merchant#${id}`, sk: 'merchant' })

/**
 * The key of an attempt, under its payment. One query reads all attempts of a payment in the order of their numbers.
 */
export const attemptKey = (merchant: string, payment: string, number: number): Key => ({
  pk: recordKey('payment', merchant, payment).pk,
  sk: `attempt#${String(number).padStart(6, '0')}`,
})

/** The key of an attempt of a delivery, under the delivery. */
export const deliveryAttemptKey = (merchant: string, delivery: string, number: number): Key => ({
  pk: recordKey('delivery', merchant, delivery).pk,
  sk: `attempt#${String(number).padStart(6, '0')}`,
})

/**
 * The key of an event's outbox row, which exists until all deliveries of the event are created. The stream starts the
 * fan-out when such a row is put: see `OUTBOX`.
 */
export const outboxKey = (merchant: string, event: string): Key => ({
  pk: recordKey('event', merchant, event).pk,
  sk: OUTBOX.sk,
})

/** The prefix of every outbox row's `pk`, and the `sk` of every outbox row. The stream's filter uses both. */
export const OUTBOX = { pk_prefix: 'event#', sk: 'outbox' } as const

/**
 * The key of a customer's sealed payment details. It differs from the customer's key, so a role can read customers
 * without their payment details.
 */
export const cardKey = (merchant: string, customer: string): Key => ({ pk: `card#${merchant}#${customer}`, sk: 'card' })

/**
 * The key of a token, by the look-up half of its id. The other half opens the payment details of the token and is never
 * stored.
 */
export const tokenKey = (merchant: string, lookup: string): Key => ({ pk: `token#${merchant}#${lookup}`, sk: 'token' })

export const idempotencyKey = (merchant: string, hash: string): Key => ({
  pk: `idempotency#${merchant}#${hash}`,
  sk: 'idempotency',
})

/** The key of the record that names the weeks of a merchant which are still to be settled. */
export const settlingKey = (merchant: string): Key => ({ pk: `settling#${merchant}#${merchant}`, sk: 'settling' })

/** The `pk` of a merchant's money movements, which are sorted by the time of writing. */
export const movementsPk = (merchant: string): string => `movement#${merchant}`

/** The key of a notification of a provider, by the provider's id of its event. */
export const notificationKey = (provider: string, event: string): Key => ({
  pk: `notification#${provider}#${event}`,
  sk: 'notification',
})

/** The key of the record that says how far the event list of a provider has been read. */
export const eventPollKey = (provider: string): Key => ({
  pk: `provider_events#${provider}#${provider}`,
  sk: 'provider_events',
})

/** The key of an operation in the sandbox acquirer's ledger, by the operation's acquirer key. */
export const sandboxKey = (merchant: string, key: string): Key => ({ pk: `sandbox#${merchant}#${key}`, sk: 'sandbox' })

/** The `pk` of a list: all records of a kind, or the records with one value of a filter that has its own list. */
export const listPk = (
  kind: string,
  merchant: string,
  filter?: { readonly by: string; readonly value: string },
): string => (filter ? `list#${kind}#${merchant}#${filter.by}#${filter.value}` : `list#${kind}#${merchant}`)

/**
 * The lanes of a merchant's list of all records of a kind. These lists have the same lanes, because a transaction often
 * writes entries of several of them.
 */
export const lanesOf = (kind: string, merchant: string) => ({ pk: listPk('all', merchant), name: kind })

/** The kinds of work in the due index. The sweep treats all kinds alike. */
export const due_kinds = [
  'payment',
  'attempt',
  'outbox',
  'delivery',
  'webhook',
  'subscription',
  'occurrence',
  'settling',
  'file',
  'secure_token',
  'notification',
  'provider_events',
  'test_clock',
] as const
export type DueKind = (typeof due_kinds)[number]

/** The number of shards of a kind in the due index, which prevent hot partitions. Rare kinds have fewer shards. */
const SHARDS = 64
const SHARDS_OF_RARE = 4
const rare: ReadonlySet<DueKind> = new Set<DueKind>(['webhook', 'settling', 'file', 'provider_events', 'test_clock'])

/** The names of all shards of a kind. */
export const shardsOf = (kind: DueKind): string[] =>
  Array.from({ length: countOf(kind) }, (_, shard) => shardName(kind, shard))

const countOf = (kind: DueKind): number => (rare.has(kind) ? SHARDS_OF_RARE : SHARDS)

/** The shard of an item in the due index, derived from its `pk`. */
export const dueShard = (kind: DueKind, pk: string): string =>
  shardName(kind, createHash('sha1').update(pk).digest()[0]! % countOf(kind))

const shardName = (kind: DueKind, shard: number): string => `due#${kind}#${String(shard).padStart(2, '0')}`

/** The kind of work in a shard. */
export const kindOf = (shard: string): DueKind => shard.split('#')[1] as DueKind

/** The key of the sweep's cursor for a kind. */
export const cursorKey = (kind: DueKind): Key => ({ pk: `cursor#${kind}`, sk: 'cursor' })

/** The kinds of due records that belong to the service and to no merchant. */
export const service_kinds: ReadonlySet<string> = new Set<DueKind>(['notification', 'provider_events'])

/** The merchant and the id in the `pk` of a record. */
export function merchantAndId(pk: string): { merchant: string; id: string } {
  const [, merchant = '', id = ''] = pk.split('#')
  return { merchant, id }
}

/** The number of letters at the end of a delivery's id that identify its receiver. */
export const RECEIVER_LETTERS = 16

/** The message group of an item: deliveries to the same receiver share a group. Other kinds have no group. */
export const groupOf = (kind: DueKind, pk: string): string | undefined =>
  kind === 'delivery' ? merchantAndId(pk).merchant + pk.slice(-RECEIVER_LETTERS) : undefined

/**
 * Whether text has the form of an id. Invalid ids are rejected before any read, because the table limits the length of
 * keys.
 */
export const isId = (text: string): boolean => /^[a-z]{3}_[0-9a-z]{1,60}$/.test(text)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
