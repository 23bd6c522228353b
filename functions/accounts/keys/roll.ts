import { rollKey } from '#shared/accounts/api-keys.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { new_api_key, RollKey } from '#shared/resources/api-key.ts'

/**
 * Replaces an API key. The old key stays valid for a grace time. The new key is shown only once.
 * @refuses invalid_parameter, not_found, unprocessable_entity
 */
export const handler = endpoint('POST /accounts/:id/keys/:key/roll', {
  request: RollKey,
  returns: new_api_key,
  run: ({ params, request, work }) => rollKey(work, params, request.grace_seconds),
})
