import * as v from 'valibot'
import { integer, oneOf, optional, orElse } from './fields.ts'

/** How long a rolled key lives on where nothing is chosen, and at most. */
const GRACE_SECONDS = 86_400
const GRACE_SECONDS_MAX = 30 * 86_400

/** An API key to be made, of the caller's own mode. */
export const CreateKey = v.object({
  mode: optional(oneOf(['test', 'live'])),
  kind: oneOf(['secret', 'publishable']),
})
export type CreateKey = v.InferOutput<typeof CreateKey>

/** How long the old key lives on beside the new one. */
export const RollKey = v.object({ grace_seconds: orElse(integer(0, GRACE_SECONDS_MAX), GRACE_SECONDS) })
export type RollKey = v.InferOutput<typeof RollKey>

/** An API key as it is kept, as far as it is shown. */
export interface ShownKey {
  readonly id: string
  readonly account: string
  readonly merchant: string
  readonly mode: string
  readonly kind: string
  readonly created_at: string
  readonly revoked_at: string | null
}

/** An API key as a merchant sees it. The key itself is told once, when it is made. */
export function api_key({ id, account, merchant, mode, kind, created_at, revoked_at }: ShownKey) {
  return { id, resource: 'key' as const, account, merchant, mode, kind, created_at, revoked_at }
}

/** An API key that was just made. */
export const new_api_key = ({ record, secret }: { readonly record: ShownKey; readonly secret: string }) => ({
  ...api_key(record),
  key: secret,
})
