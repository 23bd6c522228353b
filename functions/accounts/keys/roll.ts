import { endpoint } from '#shared/http/endpoint.ts'
import { rollKey } from '#shared/onboarding/account-keys.ts'
import { new_api_key, RollKey } from '#shared/resources/api-key.ts'

/** Makes a new key in the place of one that lives on for a grace time. The new key is told this once. */
export const handler = endpoint('POST /accounts/:id/keys/:key/roll', {
  request: RollKey,
  returns: new_api_key,
  run: ({ params, request, work }) => rollKey(work, params, request.grace_seconds),
})
