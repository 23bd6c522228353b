import { Refusal } from './errors.ts'
import type { Mode } from './payment.ts'
import { timestamp } from './timestamp.ts'

/**
 * The kinds of an API key. A secret key can call every endpoint. A publishable key can call only the endpoints for
 * browsers.
 */
export const key_kinds = ['secret', 'publishable'] as const

export type KeyKind = (typeof key_kinds)[number]

/** An API key as stored. The key itself is shown once, in the response that creates it. Only its hash is stored. */
export interface ApiKey {
  readonly id: string
  readonly version: number
  readonly merchant: string
  readonly account: string
  readonly mode: Mode
  readonly kind: KeyKind
  readonly hash: string
  readonly created_at: string
  readonly revoked_at: string | null
}

/**
 * Sets a key to expire after the grace period. Refuses with `unprocessable_entity` a key that was already rolled or
 * revoked.
 */
export function rolled(key: ApiKey, grace_seconds: number, now: number): ApiKey {
  if (key.revoked_at !== null)
    throw new Refusal('unprocessable_entity', {
      message: 'The key was ended already. Create another key.',
    })
  return { ...key, revoked_at: timestamp(now + grace_seconds * 1000) }
}

/** Revokes a key at `now` (epoch milliseconds). A key that is already revoked stays unchanged. */
export function revoked(key: ApiKey, now: number): ApiKey {
  const is_revoked = key.revoked_at !== null && Date.parse(key.revoked_at) <= now
  return is_revoked ? key : { ...key, revoked_at: timestamp(now) }
}
