import { endpoint } from '#shared/http/endpoint.ts'
import { revokeKey } from '#shared/onboarding/account-keys.ts'
import { api_key } from '#shared/resources/api-key.ts'

/** Ends an API key at once. */
export const handler = endpoint('DELETE /accounts/:id/keys/:key', {
  returns: api_key,
  run: ({ params, work }) => revokeKey(work, params),
})
