import { randomBytes } from 'node:crypto'
import type { ApiKey, KeyKind } from '#shared/domain/api-key.ts'
import { idOf, letters } from '#shared/domain/ids.ts'
import type { Mode } from '#shared/domain/payment.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item } from '#shared/platform/ports.ts'
import { apiKeyKey, hashOfKey, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** The record that authentication reads. It is stored under the hash of the API key that a request carries. */
export interface Credential {
  readonly version: number
  readonly merchant: string
  readonly account: string
  readonly mode: Mode
  readonly kind: KeyKind
  /** Epoch milliseconds from which the key is invalid; null for a key that does not expire. */
  readonly revoked_at: number | null
}

/** API keys, stored under their merchant. Each write of a key also writes its credential. */
export const apiKeys: Kind<ApiKey> = {
  name: 'api_key',
  key: (_merchant, { merchant, id }) => recordKey('api_key', merchant, id),
  extra_items: (_merchant, _before, after) => [credentialOf(after)],
}

/** The credential item of an API key. */
export function credentialOf({ hash, merchant, account, mode, kind, revoked_at, version }: ApiKey): Item {
  const expires_at = revoked_at === null ? null : Date.parse(revoked_at)
  return { ...apiKeyKey(hash), version: version + 1, merchant, account, mode, kind, revoked_at: expires_at }
}

/**
 * Creates an API key of a merchant. Returns the key, which holds 160 random bits, and its record, which stores only the
 * hash of the key.
 */
export function newApiKey(
  { id: merchant, account, mode }: { readonly id: string; readonly account: string; readonly mode: Mode },
  kind: KeyKind,
  now: number,
): { secret: string; record: ApiKey } {
  const secret = `${kind === 'secret' ? 'sk' : 'pk'}_${mode}_${letters(randomBytes(32))}`
  const id = idOf('api_key', now, randomBytes(16))
  const created_at = timestamp(now)
  return {
    secret,
    record: { id, version: 0, merchant, account, mode, kind, hash: hashOfKey(secret), created_at, revoked_at: null },
  }
}
