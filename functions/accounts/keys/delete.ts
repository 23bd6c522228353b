import { revokeKey } from '#shared/accounts/api-keys.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { api_key } from '#shared/resources/api-key.ts'

/**
 * Revokes an API key at once.
 * @refuses not_found
 */
export const handler = endpoint('DELETE /accounts/:id/keys/:key', {
  returns: api_key,
  run: ({ params, work }) => revokeKey(work, params),
})
