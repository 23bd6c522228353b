import { randomBytes } from 'node:crypto'
import { idOf } from '#shared/domain/ids.ts'
import type { Mode } from '#shared/domain/payment.ts'
import type { Write } from '#shared/platform/ports.ts'
import { apiKeys, credentialOf, newApiKey } from './api-keys.ts'
import { merchantKey } from './keys.ts'
import { itemOf, type Kind } from './kind.ts'

/**
 * A merchant. `created_by` is the account whose keys can act for the merchant; null for a merchant that no account
 * created.
 */
export interface Merchant {
  readonly version: number
  readonly id: string
  readonly account: string
  readonly mode: Mode
  readonly created_by: string | null
  /** The name of the merchant's account, or the operator's name for the merchant. */
  readonly name?: string
}

export const merchants: Kind<Merchant> = { name: 'merchant', key: (_merchant, { id }) => merchantKey(id) }

/** A new merchant of an account, without API keys. */
export const newMerchant = (
  account: string,
  mode: Mode,
  created_by: string | null,
  now: number,
  name?: string,
): Merchant => ({
  id: idOf('merchant', now, randomBytes(16)),
  version: 0,
  account,
  mode,
  created_by,
  ...(name !== undefined && { name }),
})

/** A new merchant with its API keys. The keys are shown once; only their hashes are stored. */
export interface NewMerchant {
  readonly id: string
  readonly secret_key: string
  readonly publishable_key: string
}

/**
 * The test and the live merchant of a new account, each with a secret and a publishable key, and the writes that create
 * them.
 */
export function newMerchants(now: number, name?: string): { merchants: Record<Mode, NewMerchant>; writes: Write[] } {
  const account = idOf('account', now, randomBytes(16))
  const test = withKeys(newMerchant(account, 'test', null, now, name), now)
  const live = withKeys(newMerchant(account, 'live', null, now, name), now)
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
