import * as v from 'valibot'
import { type ApiKey, key_kinds } from '#shared/domain/api-key.ts'
import { modes } from '#shared/domain/payment.ts'
import { described, resourceName, shown_timestamp, shownId } from './answer-fields.ts'
import { integer, oneOf, optional, withDefault } from './fields.ts'
import { viewOf } from './view.ts'

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

/** An API key as a merchant sees it. The key itself is shown once, when it is created. */
export const ApiKeyResource = described(
  v.strictObject({
    id: described(shownId('api_key'), 'Id of the API key, which is not the key itself.'),
    resource: resourceName('key'),
    account: described(shownId('account'), 'Id of the account.'),
    merchant: described(shownId('merchant'), 'Id of the merchant that the key belongs to.'),
    mode: described(v.picklist(modes), 'Whether the key makes test payments or live payments.'),
    kind: described(
      v.picklist(key_kinds),
      '`secret`: for your server, can call every endpoint. `publishable`: for browsers, can call only the endpoints for browsers.',
    ),
    created_at: described(shown_timestamp, 'Time at which the key was created, in UTC.'),
    revoked_at: described(
      v.nullable(shown_timestamp),
      'Time in UTC from which the key is not valid any more. It can be in the future. Null for a key that stays valid.',
    ),
  }),
  'An API key, without the key itself.',
)
export type ApiKeyResource = v.InferOutput<typeof ApiKeyResource>

/** A new API key as its creator sees it, with the key itself. */
export const NewApiKeyResource = described(
  v.strictObject({
    ...ApiKeyResource.entries,
    key: described(v.string(), 'The key itself. It is shown only once, in this response.'),
  }),
  'A new API key, with the key itself.',
)
export type NewApiKeyResource = v.InferOutput<typeof NewApiKeyResource>

/** Shows an API key. */
export const api_key = viewOf(
  ApiKeyResource,
  ({
    id,
    account,
    merchant,
    mode,
    kind,
    created_at,
    revoked_at,
  }: Omit<ApiKey, 'hash' | 'version'>): ApiKeyResource => ({
    id,
    resource: 'key',
    account,
    merchant,
    mode,
    kind,
    created_at,
    revoked_at,
  }),
)

/** Shows a new API key. */
export const new_api_key = viewOf(
  NewApiKeyResource,
  ({ record, secret }: { readonly record: ApiKey; readonly secret: string }): NewApiKeyResource => ({
    ...api_key(record),
    key: secret,
  }),
)
