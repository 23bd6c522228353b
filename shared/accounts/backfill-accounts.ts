import { withMerchant } from '#shared/domain/account.ts'
import type { Item, WholePlatform } from '#shared/platform/ports.ts'
import { workOn } from '#shared/scheduling/worker-batch.ts'
import { accountOf } from '#shared/store/account-of.ts'
import { accounts } from '#shared/store/accounts.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { findItems, type OnProgress } from '#shared/store/find-items.ts'
import { merchantKey, recordKey } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import { type Merchant, merchants } from '#shared/store/merchants.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { namedOwner } from './change-account.ts'

/**
 * Stores what the accounts and merchants of older versions lack, while the service runs: the account of each merchant
 * that no other merchant created, and the owner of each account that a merchant created. It can be repeated, and
 * changes nothing that is complete. Returns the number of records that it has changed.
 */
export async function backfillAccounts(platform: WholePlatform, onProgress?: OnProgress): Promise<number> {
  let stored = 0
  const { table } = platform
  for await (const item of findItems(table, { kind: 'merchant' }, ({ created_by }) => created_by === null, onProgress))
    stored += await commitOf(workOf(platform, recordOf(merchants, item)), ownAccount)
  const lacksOwner = ({ owner }: Item) => owner === undefined
  for await (const item of findItems(table, { kind: 'account' }, lacksOwner, onProgress))
    stored += await commitOf(await workOn(platform, item), (work) => owner(work, item))
  return stored
}

const workOf = (platform: WholePlatform, { id, mode }: Merchant): UnitOfWork =>
  new UnitOfWork({ platform, merchant: id, mode })

/** Commits the changes that `decide` returns, and returns their number. A failed version check starts it again. */
const commitOf = (work: UnitOfWork, decide: (work: UnitOfWork) => Promise<readonly Change[]>): Promise<number> =>
  retryOnConflict(work, async () => {
    const changes = await decide(work)
    await work.commit(changes)
    return changes.length
  })

/** Returns the change that stores the account of a merchant, with the merchant in it. */
async function ownAccount(work: UnitOfWork): Promise<readonly Change[]> {
  const merchant = await work.at(merchants, merchantKey(work.merchant))
  const account = merchant && (await accountOf(work, merchant))
  if (!merchant || !account) return []
  const stored = await work.at(accounts, recordKey('account', merchant.account, merchant.account))
  return stored && withMerchant(stored, merchant) === stored ? [] : [changed(accounts, account)]
}

/** Returns the changes by which an account and its merchants name the merchant that created the account. */
async function owner(work: UnitOfWork, item: Item): Promise<readonly Change[]> {
  const before = await work.at(accounts, item)
  if (!before || before.owner !== undefined) return []
  const { pointers, account } = await namedOwner(work, before)
  return [changed(accounts, account), ...pointers]
}
