import type { Account } from '#shared/domain/account.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { CreateAccount } from '#shared/resources/account.ts'
import { accountNames, accounts } from '#shared/store/accounts.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { accountNameKey, merchantKey } from '#shared/store/keys.ts'
import { merchants, newMerchant } from '#shared/store/merchants.ts'
import type { Work } from '#shared/store/work.ts'

/**
 * Makes an account with a merchant for each mode, for which the keys of the caller's account may act. Refuses a name that
 * any account of the service has with `invalid_parameter`, also when two ask for it at the same time.
 */
export async function makeAccount(
  work: Work,
  request: CreateAccount,
): Promise<{ changes: readonly Change[]; answer: Account }> {
  const [taken, caller] = await Promise.all([
    work.at(accountNames, accountNameKey(request.name)),
    work.at(merchants, merchantKey(work.merchant)),
  ])
  if (taken)
    throw new Refusal('invalid_parameter', { param: 'name', message: 'An account of this name exists already.' })
  const now = work.now()
  const id = work.newId('account')
  const test = newMerchant(id, 'test', caller!.account, now)
  const live = newMerchant(id, 'live', caller!.account, now)
  const record: Account = {
    ...request,
    id,
    version: 0,
    live_merchant: live.id,
    test_merchant: test.id,
    accepted_service_agreement_at: null,
    accepted_service_agreement_ip: null,
    created_at: timestamp(now),
    updated_at: timestamp(now),
  }
  const name = changed(accountNames, { version: 0, name: request.name, account: id })
  return {
    changes: [changed(accounts, record), name, changed(merchants, test), changed(merchants, live)],
    answer: record,
  }
}

/** An account with other fields than before. */
export function updatedAccount(
  work: Work,
  before: Account,
  fields: Partial<Account>,
): { changes: readonly Change[]; answer: Account } {
  const next: Account = { ...before, ...fields, updated_at: timestamp(work.now()) }
  return { changes: [changed(accounts, next)], answer: next }
}
