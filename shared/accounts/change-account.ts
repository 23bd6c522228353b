import { type Account, type AccountLogo, updateAccount } from '#shared/domain/account.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { logoTypeOf, refuseLargeLogo } from '#shared/domain/logo.ts'
import type { UpdateAccount } from '#shared/resources/account.ts'
import { getAccount } from '#shared/store/account-of.ts'
import { accounts } from '#shared/store/accounts.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { findFile, readFile } from '#shared/store/files.ts'
import { merchantKey, recordKey } from '#shared/store/keys.ts'
import { copyLogo, logos } from '#shared/store/logos.ts'
import { merchants } from '#shared/store/merchants.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Changes the account that the merchant created or belongs to. Refuses with `not_found` every other account, and with
 * `invalid_parameter` a logo that is no image of at most 100 KB among the files of the calling merchant. The present
 * logo is accepted from every merchant that can change the account.
 */
export async function changeAccount(
  work: UnitOfWork,
  id: string,
  { logo: file, ...fields }: UpdateAccount,
): Promise<{ changes: readonly Change[]; answer: Account }> {
  const before = await getAccount(work, id)
  const { changes, ...chosen } = file && file !== before.logo?.file ? await newLogo(work, id, file) : { changes: [] }
  const cleared = file === null && { logo: null }
  const next = updateAccount(before, { ...fields, ...chosen, ...cleared }, work.realNow())
  const { pointers, account } = await namedOwner(work, next)
  return { changes: [changed(accounts, account), ...pointers, ...changes], answer: account }
}

/**
 * Returns the changes by which the merchants of an account name the owner of the account, and the account that names
 * its owner. An older version has stored neither. There are no changes if the account names its owner already.
 */
export async function namedOwner(
  work: UnitOfWork,
  account: Account,
): Promise<{ pointers: readonly Change[]; account: Account }> {
  if (account.owner !== undefined) return { pointers: [], account }
  const ids = [account.test_merchant, account.live_merchant].filter((id) => id !== null)
  const found = await Promise.all(ids.map((id) => work.at(merchants, merchantKey(id))))
  const pointers = found
    .filter((merchant) => merchant !== undefined)
    .map((merchant) => changed(merchants, { ...merchant, account_owner: work.merchant }))
  return { pointers, account: { ...account, owner: work.merchant } }
}

/** Copies a file of the merchant, so that everybody can see the copy. The file itself stays private. */
async function newLogo(
  work: UnitOfWork,
  account: string,
  file: string,
): Promise<{ changes: readonly Change[]; logo: AccountLogo }> {
  const found = await findFile(work, file)
  if (!found)
    throw new Refusal('invalid_parameter', {
      param: 'logo',
      message: 'logo must be the id of a file that you uploaded with POST /files.',
    })
  const known = await work.at(logos, recordKey('logo', account, file))
  if (known) return { changes: [], logo: { file, mime_type: known.mime_type } }
  refuseLargeLogo(found.size)
  const bytes = await readFile(work, found)
  const mime_type = logoTypeOf(bytes)
  await copyLogo(work, { account, file, mime_type, bytes })
  return { changes: [changed(logos, { version: 0, account, file, mime_type })], logo: { file, mime_type } }
}
