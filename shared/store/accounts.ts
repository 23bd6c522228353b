import type { Account } from '#shared/domain/account.ts'
import { accountNameKey, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** Accounts, stored under the merchant that created them, or under themselves if no merchant created them. */
export const accounts: Kind<Account> = {
  name: 'account',
  key: (merchant, { id, owner = merchant }) => recordKey('account', owner, id),
}

/** The reservation of an account name, which is unique in the service. */
export interface AccountName {
  readonly version: number
  readonly name: string
  readonly account: string
}

export const accountNames: Kind<AccountName> = {
  name: 'account_name',
  key: (_merchant, { name }) => accountNameKey(name),
}
