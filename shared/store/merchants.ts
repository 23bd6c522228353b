import { randomBytes } from 'node:crypto'
import { idOf, letters } from '#shared/domain/ids.ts'
import type { Mode } from '#shared/domain/payment.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item, Write } from '#shared/platform/ports.ts'
import { apiKeyKey, hashOfKey, merchantKey, recordKey } from './keys.ts'
import { itemOf, type Kind } from './kind.ts'

/** What a secret key may do is everything; a publishable key is for browsers and may do what its rows say. */
export type KeyKind = 'secret' | 'publishable'

/** Who an API key stands for: what is found by the hash of a key that a request carries. */
export interface Credential {
  readonly version: number
  readonly merchant: string
  readonly account: string
  readonly mode: Mode
  readonly kind: KeyKind
  /** Epoch milliseconds from which the key is dead; null while nobody has ended it. */
  readonly revoked_at: number | null
}

/** A merchant. `created_by` is the account whose keys may act for it, null for one that nobody made for another. */
export interface Merchant {
  readonly version: number
  readonly id: string
  readonly account: string
  readonly mode: Mode
  readonly created_by: string | null
  /** What the operator calls it. */
  readonly name?: string
}

export const merchants: Kind<Merchant> = { name: 'merchant', key: (_merchant, { id }) => merchantKey(id) }

/** An API key as it is kept beneath its merchant: by an id of its own, for the key itself is told once and kept nowhere. */
export interface ApiKey extends Omit<Credential, 'revoked_at'> {
  readonly id: string
  readonly hash: string
  readonly created_at: string
  readonly revoked_at: string | null
}

/** API keys of a merchant, named by the merchant in the record; each writes the credential that requests are checked by. */
export const apiKeys: Kind<ApiKey> = {
  name: 'api_key',
  key: (_merchant, { merchant, id }) => recordKey('api_key', merchant, id),
  beside: (_merchant, _before, after) => [credentialOf(after)],
}

function credentialOf({ hash, merchant, account, mode, kind, revoked_at, version }: ApiKey): Item {
  const dead_at = revoked_at === null ? null : Date.parse(revoked_at)
  return { ...apiKeyKey(hash), version: version + 1, merchant, account, mode, kind, revoked_at: dead_at }
}

/** A new API key, and the record of it. 32 letters are 160 random bits. */
export function newApiKey(of: Pick<Merchant, 'id' | 'account' | 'mode'>, kind: KeyKind, now: number) {
  const secret = `${kind === 'secret' ? 'sk' : 'pk'}_${of.mode}_${letters(randomBytes(32))}`
  const record: ApiKey = {
    id: idOf('api_key', now, randomBytes(16)),
    version: 0,
    merchant: of.id,
    account: of.account,
    mode: of.mode,
    kind,
    hash: hashOfKey(secret),
    created_at: timestamp(now),
    revoked_at: null,
  }
  return { secret, record }
}

/** A new merchant of an account, without keys. */
export const newMerchant = (account: string, mode: Mode, created_by: string | null, now: number): Merchant => ({
  id: idOf('merchant', now, randomBytes(16)),
  version: 0,
  account,
  mode,
  created_by,
})

/** A merchant as whoever makes it learns of it: its keys are told once, only their hashes are kept. */
export interface NewMerchant {
  readonly id: string
  readonly secret_key: string
  readonly publishable_key: string
}

/** The test and the live merchant of a new account, with a key of each kind, and the writes that make them. */
export function newMerchants(now: number, name?: string): { merchants: Record<Mode, NewMerchant>; writes: Write[] } {
  const account = idOf('account', now, randomBytes(16))
  const test = withKeys({ ...newMerchant(account, 'test', null, now), name }, now)
  const live = withKeys({ ...newMerchant(account, 'live', null, now), name }, now)
  return { merchants: { test: test.merchant, live: live.merchant }, writes: [...test.writes, ...live.writes] }
}

function withKeys(record: Merchant, now: number): { merchant: NewMerchant; writes: Write[] } {
  const secret = newApiKey(record, 'secret', now)
  const publishable = newApiKey(record, 'publishable', now)
  const keys = [secret, publishable].map((key) => key.record)
  return {
    merchant: { id: record.id, secret_key: secret.secret, publishable_key: publishable.secret },
    writes: [
      { put: itemOf(merchants, record.id, record, now), was: 0 },
      ...keys.map((key) => ({ put: itemOf(apiKeys, record.id, key, now), was: 0 })),
      ...keys.map((key) => ({ put: credentialOf(key), was: 0 })),
    ],
  }
}
