import type { Account } from '#shared/domain/account.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { CreateKey } from '#shared/resources/api-key.ts'
import { accounts } from '#shared/store/accounts.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { isId, recordKey } from '#shared/store/keys.ts'
import { type ApiKey, apiKeys, newApiKey } from '#shared/store/merchants.ts'
import type { Work } from '#shared/store/work.ts'

/** A key that was just made, as it is told this once. */
export interface MadeKey {
  readonly record: ApiKey
  readonly secret: string
}

/** Makes an API key for the account's merchant of the caller's own mode. Refuses the other mode with `invalid_parameter`. */
export async function makeKey(
  work: Work,
  account_id: string,
  { mode, kind }: CreateKey,
): Promise<{ changes: readonly Change[]; answer: MadeKey }> {
  const account = await work.get(accounts, account_id)
  if (mode && mode !== work.mode)
    throw new Refusal('invalid_parameter', {
      param: 'mode',
      message: `A ${work.mode} key makes ${work.mode} keys only.`,
    })
  return newKeyOf(work, account, kind)
}

/** Makes a new key in the place of one that lives on for so many seconds. Refuses with `unprocessable_entity` one that has ended. */
export async function rollKey(
  work: Work,
  { id, key }: { readonly id: string; readonly key: string },
  grace_seconds: number,
): Promise<{ changes: readonly Change[]; answer: MadeKey }> {
  const { account, record } = await keyOf(work, id, key)
  if (record.revoked_at !== null) throw new Refusal('unprocessable_entity', { message: 'The key was ended already.' })
  const revoked_at = timestamp(work.now() + grace_seconds * 1000)
  const { changes, answer } = newKeyOf(work, account, record.kind)
  return { changes: [...changes, changed(apiKeys, { ...record, revoked_at })], answer }
}

/** Ends a key at once. One that has ended stays as it is. */
export async function revokeKey(
  work: Work,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<{ changes: readonly Change[]; answer: ApiKey }> {
  const { record } = await keyOf(work, id, key)
  const now = work.now()
  if (record.revoked_at !== null && Date.parse(record.revoked_at) <= now) return { changes: [], answer: record }
  const next = { ...record, revoked_at: timestamp(now) }
  return { changes: [changed(apiKeys, next)], answer: next }
}

function newKeyOf(work: Work, account: Account, kind: ApiKey['kind']): { changes: Change[]; answer: MadeKey } {
  const merchant = merchantOf(account, work)
  const answer = newApiKey({ id: merchant, account: account.id, mode: work.mode }, kind, work.now())
  return { changes: [changed(apiKeys, answer.record)], answer }
}

const merchantOf = (account: Account, { mode }: Work): string =>
  mode === 'test' ? account.test_merchant : account.live_merchant

async function keyOf(work: Work, id: string, key: string): Promise<{ account: Account; record: ApiKey }> {
  const account = await work.get(accounts, id)
  if (!isId(key)) throw new Refusal('not_found')
  const record = await work.at(apiKeys, recordKey('api_key', merchantOf(account, work), key))
  if (!record) throw new Refusal('not_found')
  return { account, record }
}
