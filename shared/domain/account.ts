import type { Mode } from './payment.ts'
import { timestamp } from './timestamp.ts'

/** An account as stored for the merchant that created it. It has one test merchant and one live merchant. */
export interface Account {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly default_currency: string
  readonly time_zone: string
  readonly live_merchant: string
  readonly test_merchant: string
  readonly accepted_service_agreement_at: string | null
  readonly accepted_service_agreement_ip: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** Returns a new account with its two merchants. Its owner has not accepted the service agreement yet. */
export function newAccount(
  fields: Pick<Account, 'id' | 'name' | 'default_currency' | 'time_zone' | 'live_merchant' | 'test_merchant'>,
  now: number,
): Account {
  const at = timestamp(now)
  const accepted = { accepted_service_agreement_at: null, accepted_service_agreement_ip: null }
  return { ...fields, ...accepted, version: 0, created_at: at, updated_at: at }
}

/** Changes the named fields of an account. A later acceptance of the service agreement replaces an earlier one. */
export const updateAccount = (
  account: Account,
  fields: Partial<Omit<Account, 'id' | 'version' | 'name' | 'live_merchant' | 'test_merchant'>>,
  now: number,
): Account => ({ ...account, ...fields, updated_at: timestamp(now) })

/** Returns the id of the merchant that an account has in a mode. */
export const merchantOf = (account: Account, mode: Mode): string =>
  mode === 'test' ? account.test_merchant : account.live_merchant
