import { creationTimeOf } from './ids.ts'
import type { LogoType } from './logo.ts'
import type { Mode } from './payment.ts'
import { timestamp } from './timestamp.ts'

/** The logo of an account: a copy of a merchant's file. */
export interface AccountLogo {
  readonly file: string
  readonly mime_type: LogoType
}

/** An account as stored. It has one test merchant and one live merchant. */
export interface Account {
  readonly id: string
  readonly version: number
  /**
   * The id that the key of the record contains: the merchant that created the account, or the account itself if no
   * merchant created it. Absent in a record of an older version, which is stored under the merchant that created it.
   */
  readonly owner?: string
  readonly name: string
  readonly default_currency: string
  readonly time_zone: string
  /** Null only in an account of an older version that no merchant created, until the merchant is known. */
  readonly live_merchant: string | null
  /** Null only in an account of an older version that no merchant created, until the merchant is known. */
  readonly test_merchant: string | null
  /** The name that customers see; null or absent: they see `name`. */
  readonly display_name?: string | null
  /** `#rrggbb` in small letters; null or absent: the color of the service. */
  readonly accent_color?: string | null
  readonly logo?: AccountLogo | null
  readonly accepted_service_agreement_at: string | null
  readonly accepted_service_agreement_ip: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** What customers see of an account: the name and the design of the pages. */
export interface Shop {
  readonly name: string
  readonly accent_color: string | null
  readonly logo: { readonly account: string; readonly file: string } | null
}

type NewAccount = Pick<
  Account,
  'id' | 'owner' | 'name' | 'default_currency' | 'time_zone' | 'live_merchant' | 'test_merchant'
>

/** Returns a new account with its two merchants. Its owner has not accepted the service agreement yet. */
export function newAccount(fields: NewAccount, now: number): Account {
  const at = timestamp(now)
  const accepted = { accepted_service_agreement_at: null, accepted_service_agreement_ip: null }
  return { ...fields, ...accepted, version: 0, created_at: at, updated_at: at }
}

/** The part of a merchant that its account derives from. */
interface AccountMerchant {
  readonly id: string
  readonly account: string
  readonly mode: Mode
  readonly name?: string
}

/**
 * Returns the account of merchants that no other merchant created. It was created with the account's id. The currency
 * and the time zone are those of Japan until a merchant of the account changes them. The account of a merchant of an
 * older version names only this merchant, because the merchant does not name the one of the other mode.
 */
export function accountOfMerchants(merchants: readonly [AccountMerchant, ...AccountMerchant[]]): Account {
  const [merchant] = merchants
  const { account: id } = merchant
  const idIn = (mode: Mode) => merchants.find((merchant) => merchant.mode === mode)?.id ?? null
  const fields = { id, owner: id, name: accountName(merchant), default_currency: 'JPY', time_zone: 'Asia/Tokyo' }
  return newAccount({ ...fields, live_merchant: idIn('live'), test_merchant: idIn('test') }, creationTimeOf(id))
}

/** Returns the name of a merchant's account. A merchant without a name gets `Shop` and the end of the account's id. */
export const accountName = ({ account, name }: Pick<AccountMerchant, 'account' | 'name'>): string =>
  name?.trim() ? name : `Shop ${account.slice(-6).toUpperCase()}`

/** Returns an account that names this merchant of it. An account that names the merchant already stays the same. */
export function withMerchant(account: Account, { id, mode }: AccountMerchant): Account {
  const field = `${mode}_merchant` as const
  return account[field] === id ? account : { ...account, [field]: id }
}

/** Changes the named fields of an account. A later acceptance of the service agreement replaces an earlier one. */
export const updateAccount = (
  account: Account,
  fields: Partial<Omit<Account, 'id' | 'version' | 'owner' | 'name' | 'live_merchant' | 'test_merchant'>>,
  now: number,
): Account => ({ ...account, ...fields, updated_at: timestamp(now) })

/** Returns what customers see of an account. */
export const shopOfAccount = ({ id, name, display_name, accent_color, logo }: Account): Shop => ({
  name: display_name ?? name,
  accent_color: accent_color ?? null,
  logo: logo ? { account: id, file: logo.file } : null,
})

/**
 * Returns the id of the merchant that an account has in a mode. Throws if the merchant is not known, which never occurs
 * for an account that a merchant created.
 */
export function merchantOf(account: Account, mode: Mode): string {
  const id = mode === 'test' ? account.test_merchant : account.live_merchant
  if (id === null) throw new Error('The merchant of the account is not known.')
  return id
}
