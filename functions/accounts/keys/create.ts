import { createKey } from '#shared/accounts/api-keys.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateKey, new_api_key } from '#shared/resources/api-key.ts'

/**
 * Creates an API key for a merchant of an account. The key is shown only once.
 * @refuses invalid_parameter, missing_parameter, not_found
 */
export const handler = endpoint('POST /accounts/:id/keys', {
  request: CreateKey,
  returns: new_api_key,
  run: ({ params, request, work }) => createKey(work, params.id, request),
})
