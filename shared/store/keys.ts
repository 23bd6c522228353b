import { createHash } from 'node:crypto'
import type { Key } from '#shared/platform/ports.ts'

/**
 * The key design, on one screen. The merchant is in every key, so another merchant's record is not forbidden but absent;
 * the kind comes first, so that a role can be narrowed to `payment#*`; only what is read together shares a `pk`.
 */

/** A record of a merchant: `payment#<merchant>#<id>`. */
export const recordKey = (kind: string, merchant: string, id: string): Key => ({
  pk: `${kind}#${merchant}#${id}`,
  sk: kind,
})

/** Who an API key belongs to, by the hash of the key. */
export const apiKeyKey = (hash: string): Key => ({ pk: `key#${hash}`, sk: 'key' })

/** All that is kept of an API key: its SHA-256. A key has 160 random bits, so nobody can search for it. */
export const hashOfKey = (secret: string): string => sha256(secret)

/** Who has the name of an account: the only one in the service. */
export const accountNameKey = (name: string): Key => ({ pk: `account_name#${name}`, sk: 'account_name' })

/** A record of a merchant's application for live payments, of which there is one of each name. */
export const applicationKey = (merchant: string, record: string): Key => ({
  pk: `application#${merchant}#${record}`,
  sk: 'application',
})

export const merchantKey = (id: string): Key => ({ pk: `merchant#${id}`, sk: 'merchant' })

/** A charge attempt stands beneath its payment: all of them are one query, in the order they were made. */
export const attemptKey = (merchant: string, payment: string, number: number): Key => ({
  pk: recordKey('payment', merchant, payment).pk,
  sk: `attempt#${String(number).padStart(6, '0')}`,
})

/** An attempt of a delivery, beneath it. */
export const deliveryAttemptKey = (merchant: string, delivery: string, number: number): Key => ({
  pk: recordKey('delivery', merchant, delivery).pk,
  sk: `attempt#${String(number).padStart(6, '0')}`,
})

/** Where an event says that nobody was told of it yet. The stream rings when such a row is put: see `OUTBOX`. */
export const outboxKey = (merchant: string, event: string): Key => ({
  pk: recordKey('event', merchant, event).pk,
  sk: OUTBOX.sk,
})

/** How the key of every such row begins and ends. */
export const OUTBOX = { pk_prefix: 'event#', sk: 'outbox' } as const

/** The sealed payment details of a customer; in a key of their own, so that only who charges may read them. */
export const cardKey = (merchant: string, customer: string): Key => ({ pk: `card#${merchant}#${customer}`, sk: 'card' })

/** A token by the look-up half of its id. The other half opens its card and is never stored. */
export const tokenKey = (merchant: string, lookup: string): Key => ({ pk: `token#${merchant}#${lookup}`, sk: 'token' })

export const idempotencyKey = (merchant: string, hash: string): Key => ({
  pk: `idempotency#${merchant}#${hash}`,
  sk: 'idempotency',
})

/** Which weeks of a merchant are still to be settled. */
export const settlingKey = (merchant: string): Key => ({ pk: `settling#${merchant}#${merchant}`, sk: 'settling' })

/** The money of a merchant that moved, in the order it did. */
export const movementsPk = (merchant: string): string => `movement#${merchant}`

/** What the sandbox acquirer remembers of an operation, by its key there. */
export const sandboxKey = (merchant: string, key: string): Key => ({ pk: `sandbox#${merchant}#${key}`, sk: 'sandbox' })

/** The `pk` of a list: all records of a kind, or those with one value of a filter that has a list of its own. */
export const listPk = (
  kind: string,
  merchant: string,
  filter?: { readonly by: string; readonly value: string },
): string => (filter ? `list#${kind}#${merchant}#${filter.by}#${filter.value}` : `list#${kind}#${merchant}`)

/** What falls due, by kind. Each kind is swept and worked on alike. */
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
] as const
export type DueKind = (typeof due_kinds)[number]

/** Shards of the due index, so that none of its keys is hot; few for what is rare. */
const SHARDS = 64
const SHARDS_OF_RARE = 4
const rare: ReadonlySet<DueKind> = new Set<DueKind>(['webhook', 'settling', 'file'])

/** The shards that a kind falls due in. */
export const shardsOf = (kind: DueKind): string[] =>
  Array.from({ length: countOf(kind) }, (_, shard) => shardName(kind, shard))

const countOf = (kind: DueKind): number => (rare.has(kind) ? SHARDS_OF_RARE : SHARDS)

/** The shard that an item falls due in. */
export const dueShard = (kind: DueKind, pk: string): string =>
  shardName(kind, createHash('sha1').update(pk).digest()[0]! % countOf(kind))

const shardName = (kind: DueKind, shard: number): string => `due#${kind}#${String(shard).padStart(2, '0')}`

/** The kind of what falls due in a shard. */
export const kindOf = (shard: string): DueKind => shard.split('#')[1] as DueKind

/** How far a kind has been swept. */
export const cursorKey = (kind: DueKind): Key => ({ pk: `cursor#${kind}`, sk: 'cursor' })

/** The merchant and the id in the `pk` of a record. */
export function merchantAndId(pk: string): { merchant: string; id: string } {
  const [, merchant = '', id = ''] = pk.split('#')
  return { merchant, id }
}

/** How many letters at the end of a delivery's id tell its receiver. */
export const RECEIVER_LETTERS = 16

/** What waits only for its like in a queue: the deliveries of one receiver. */
export const groupOf = (kind: DueKind, pk: string): string | undefined =>
  kind === 'delivery' ? merchantAndId(pk).merchant + pk.slice(-RECEIVER_LETTERS) : undefined

/** Whether text can be an id at all. What cannot never reaches the table, whose keys are limited in length. */
export const isId = (text: string): boolean => /^[a-z]{3}_[0-9a-z]{1,60}$/.test(text)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
