import { randomBytes } from 'node:crypto'
import { idOf, letters } from '#shared/domain/ids.ts'
import type { Mode } from '#shared/domain/payment.ts'
import type { Write } from '#shared/platform/ports.ts'
import { apiKeyKey, merchantKey } from './keys.ts'

/** What a secret key may do is everything; a publishable key is for browsers and may do what its rows say. */
export type KeyKind = 'secret' | 'publishable'

/** Who an API key stands for. */
export interface ApiKey {
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
}

/** A merchant as whoever makes it learns of it: its keys are told once, only their hashes are kept. */
export interface NewMerchant {
  readonly id: string
  readonly secret_key: string
  readonly publishable_key: string
}

/** The test and the live merchant of a new account, with a key of each kind, and the writes that make them. */
export function newMerchants(now: number): { merchants: Record<Mode, NewMerchant>; writes: Write[] } {
  const account = idOf('account', now, randomBytes(16))
  const test = newMerchant(account, 'test', now)
  const live = newMerchant(account, 'live', now)
  return { merchants: { test: test.merchant, live: live.merchant }, writes: [...test.writes, ...live.writes] }
}

function newMerchant(account: string, mode: Mode, now: number): { merchant: NewMerchant; writes: Write[] } {
  const id = idOf('merchant', now, randomBytes(16))
  const merchant = { id, secret_key: newSecret(mode, 'secret'), publishable_key: newSecret(mode, 'publishable') }
  const row: Merchant = { version: 1, id, account, mode, created_by: null }
  const key = (kind: KeyKind): ApiKey => ({ version: 1, merchant: id, account, mode, kind, revoked_at: null })
  return {
    merchant,
    writes: [
      { put: { ...row, ...merchantKey(id) }, was: 0 },
      { put: { ...key('secret'), ...apiKeyKey(merchant.secret_key) }, was: 0 },
      { put: { ...key('publishable'), ...apiKeyKey(merchant.publishable_key) }, was: 0 },
    ],
  }
}

/** A new API key: 32 letters are 160 random bits. */
const newSecret = (mode: Mode, kind: KeyKind): string =>
  `${kind === 'secret' ? 'sk' : 'pk'}_${mode}_${letters(randomBytes(32))}`
