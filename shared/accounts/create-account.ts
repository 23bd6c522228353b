import { type Account, newAccount } from '#shared/domain/account.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { CreateAccount } from '#shared/resources/account.ts'
import { accountNames, accounts } from '#shared/store/accounts.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { accountNameKey, merchantKey } from '#shared/store/keys.ts'
import { merchants, newMerchant } from '#shared/store/merchants.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Creates an account with a test merchant and a live merchant. The keys of the caller's account may act for both
 * merchants, each key in its own mode. Refuses a name that another account of the service has with `invalid_parameter`.
 * If two requests use the same name concurrently, one of them is refused.
 */
export async function createAccount(
  work: UnitOfWork,
  request: CreateAccount,
): Promise<{ changes: readonly Change[]; answer: Account }> {
  const [taken, caller] = await Promise.all([
    work.at(accountNames, accountNameKey(request.name)),
    work.at(merchants, merchantKey(work.merchant)),
  ])
  if (taken)
    throw new Refusal('invalid_parameter', {
      param: 'name',
      message: 'An account of this name exists already. Choose another name.',
    })
  const now = work.realNow()
  const id = work.newId('account')
  const owner = work.merchant
  const of_account = { name: request.name, account_owner: owner }
  const test = newMerchant(id, 'test', caller!.account, now, of_account)
  const live = newMerchant(id, 'live', caller!.account, now, of_account)
  const record = newAccount({ ...request, id, owner, live_merchant: live.id, test_merchant: test.id }, now)
  const name = changed(accountNames, { version: 0, name: request.name, account: id })
  return {
    changes: [changed(accounts, record), name, changed(merchants, test), changed(merchants, live)],
    answer: record,
  }
}
