import { randomBytes } from 'node:crypto'
import { accountOfMerchants } from '#shared/domain/account.ts'
import { idOf } from '#shared/domain/ids.ts'
import type { Mode } from '#shared/domain/payment.ts'
import type { Write } from '#shared/platform/ports.ts'
import { accounts } from './accounts.ts'
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
  /**
   * The merchant under which the record of the account is stored. Absent for a merchant that no account created, whose
   * account is stored under itself, and for a merchant of an older version.
   */
  readonly account_owner?: string
}

export const merchants: Kind<Merchant> = { name: 'merchant', key: (_merchant, { id }) => merchantKey(id) }

/** A new merchant of an account, without API keys. */
export const newMerchant = (
  account: string,
  mode: Mode,
  created_by: string | null,
  now: number,
  { name, account_owner }: Pick<Merchant, 'name' | 'account_owner'> = {},
): Merchant => ({
  id: idOf('merchant', now, randomBytes(16)),
  version: 0,
  account,
  mode,
  created_by,
  ...(name !== undefined && { name }),
  ...(account_owner !== undefined && { account_owner }),
})

/** A new merchant with its API keys. The keys are shown once; only their hashes are stored. */
export interface NewMerchant {
  readonly id: string
  readonly secret_key: string
  readonly publishable_key: string
}

/** The merchants of a new account, and the writes that create them and the account. */
export interface NewMerchants {
  readonly account: string
  readonly merchants: Readonly<Record<Mode, NewMerchant>>
  readonly writes: readonly Write[]
}

/** A new account that no merchant created, with a test and a live merchant, each with a key of each kind. */
export function newMerchants(now: number, name?: string): NewMerchants {
  const account = idOf('account', now, randomBytes(16))
  const records = [
    newMerchant(account, 'test', null, now, { name }),
    newMerchant(account, 'live', null, now, { name }),
  ] as const
  const [test, live] = [withKeys(records[0], now), withKeys(records[1], now)]
  const stored = itemOf(accounts, account, accountOfMerchants(records), now)
  return {
    account,
    merchants: { test: test.merchant, live: live.merchant },
    writes: [{ put: stored, was: 0 }, ...test.writes, ...live.writes],
  }
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
