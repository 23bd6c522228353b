import * as v from 'valibot'
import { integer, oneOf, optional, withDefault } from './fields.ts'

/** How long a rolled key stays valid: a day by default, at most 30 days. */
const GRACE_SECONDS = 86_400
const GRACE_SECONDS_MAX = 30 * 86_400

/** The parameters that create an API key. The key has the mode of the caller's key. */
export const CreateKey = v.object({
  mode: v.pipe(
    optional(oneOf(['test', 'live'])),
    v.description(
      'The mode of the new key. It must be the mode of the key that makes the request, which is the default.',
    ),
  ),
  kind: v.pipe(
    oneOf(['secret', 'publishable']),
    v.description('`secret` for a server. `publishable` for a browser, which may call only a few endpoints.'),
  ),
})
export type CreateKey = v.InferOutput<typeof CreateKey>

/** How long the old key stays valid beside the new key. */
export const RollKey = v.object({
  grace_seconds: v.pipe(
    withDefault(integer(0, GRACE_SECONDS_MAX), GRACE_SECONDS),
    v.description('The number of seconds for which the old key stays valid, at most 30 days.'),
  ),
})
export type RollKey = v.InferOutput<typeof RollKey>

/** The fields of a stored API key that are shown. */
export interface ShownKey {
  readonly id: string
  readonly account: string
  readonly merchant: string
  readonly mode: string
  readonly kind: string
  readonly created_at: string
  readonly revoked_at: string | null
}

/** An API key as a merchant sees it. The key itself is shown once, when it is created. */
export function api_key({ id, account, merchant, mode, kind, created_at, revoked_at }: ShownKey) {
  return { id, resource: 'key' as const, account, merchant, mode, kind, created_at, revoked_at }
}

/** A new API key as its creator sees it, with the key itself. */
export const new_api_key = ({ record, secret }: { readonly record: ShownKey; readonly secret: string }) => ({
  ...api_key(record),
  key: secret,
})
