import {
  type Account,
  accountName,
  accountOfMerchants,
  type Shop,
  shopOfAccount,
  withMerchant,
} from '#shared/domain/account.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { accounts } from './accounts.ts'
import { recordKey } from './keys.ts'
import { type Merchant, merchants } from './merchants.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/**
 * The account with this id, if the merchant created it or belongs to it. Refuses with `not_found` every other account.
 */
export async function getAccount(work: UnitOfWork, id: string): Promise<Account> {
  const [created, merchant] = await Promise.all([work.find(accounts, id), work.find(merchants, work.merchant)])
  const account = created ?? (merchant?.account === id ? await accountOf(work, merchant) : undefined)
  if (!account) throw new Refusal('not_found')
  return account
}

/**
 * The account of a merchant. The account of a merchant that no other merchant created derives from the merchant until
 * it is stored. Undefined for a merchant of an older version that does not name the owner of its account.
 */
export async function accountOf(work: UnitOfWork, merchant: Merchant): Promise<Account | undefined> {
  const owner = ownerOf(merchant)
  if (owner === undefined) return undefined
  const stored = await work.at(accounts, recordKey('account', owner, merchant.account))
  if (stored) return withMerchant({ ...stored, owner }, merchant)
  return merchant.created_by === null ? accountOfMerchants([merchant]) : undefined
}

/** What customers see of the account of a merchant: the name and the design of the pages. */
export async function shopOf(work: UnitOfWork, merchant: Merchant): Promise<Shop> {
  const account = await accountOf(work, merchant)
  return account ? shopOfAccount(account) : { name: accountName(merchant), accent_color: null, logo: null }
}

const ownerOf = ({ account, account_owner, created_by }: Merchant): string | undefined =>
  account_owner ?? (created_by === null ? account : undefined)
