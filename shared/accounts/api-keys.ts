import { type Account, merchantOf } from '#shared/domain/account.ts'
import { type ApiKey, revoked, rolled } from '#shared/domain/api-key.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { CreateKey } from '#shared/resources/api-key.ts'
import { accounts } from '#shared/store/accounts.ts'
import { apiKeys, newApiKey } from '#shared/store/api-keys.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { isId, recordKey } from '#shared/store/keys.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** The record of a new API key, and the key itself, which is shown only once. */
export interface CreatedKey {
  readonly record: ApiKey
  readonly secret: string
}

/**
 * Creates an API key for the merchant of an account in the caller's own mode. Refuses the other mode with
 * `invalid_parameter`.
 */
export async function createKey(
  work: UnitOfWork,
  account_id: string,
  { mode, kind }: CreateKey,
): Promise<{ changes: readonly Change[]; answer: CreatedKey }> {
  const account = await work.get(accounts, account_id)
  if (mode && mode !== work.mode)
    throw new Refusal('invalid_parameter', {
      param: 'mode',
      message: `A ${work.mode} key makes ${work.mode} keys only: leave mode out, or use a key of the other mode.`,
    })
  return newKeyOf(work, account, kind)
}

/**
 * Creates a new key that replaces another one. The old key stays valid for `grace_seconds`. Refuses with
 * `unprocessable_entity` a key that was rolled or revoked before, also within its grace time.
 */
export async function rollKey(
  work: UnitOfWork,
  { id, key }: { readonly id: string; readonly key: string },
  grace_seconds: number,
): Promise<{ changes: readonly Change[]; answer: CreatedKey }> {
  const { account, record } = await keyOf(work, id, key)
  const before = rolled(record, grace_seconds, work.realNow())
  const { changes, answer } = newKeyOf(work, account, record.kind)
  return { changes: [...changes, changed(apiKeys, before)], answer }
}

/** Revokes a key at once. A key that is no longer valid stays unchanged. */
export async function revokeKey(
  work: UnitOfWork,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<{ changes: readonly Change[]; answer: ApiKey }> {
  const { record } = await keyOf(work, id, key)
  const next = revoked(record, work.realNow())
  return { changes: next === record ? [] : [changed(apiKeys, next)], answer: next }
}

function newKeyOf(work: UnitOfWork, account: Account, kind: ApiKey['kind']): { changes: Change[]; answer: CreatedKey } {
  const merchant = merchantOf(account, work.mode)
  const answer = newApiKey({ id: merchant, account: account.id, mode: work.mode }, kind, work.realNow())
  return { changes: [changed(apiKeys, answer.record)], answer }
}

async function keyOf(work: UnitOfWork, id: string, key: string): Promise<{ account: Account; record: ApiKey }> {
  const account = await work.get(accounts, id)
  if (!isId(key)) throw new Refusal('not_found')
  const record = await work.at(apiKeys, recordKey('api_key', merchantOf(account, work.mode), key))
  if (!record) throw new Refusal('not_found')
  return { account, record }
}
