import { endpoint } from '#shared/http/endpoint.ts'
import { makeKey } from '#shared/onboarding/account-keys.ts'
import { CreateKey, new_api_key } from '#shared/resources/api-key.ts'

/** Makes an API key for a merchant of an account. The key is told this once. */
export const handler = endpoint('POST /accounts/:id/keys', {
  request: CreateKey,
  returns: new_api_key,
  run: ({ params, request, work }) => makeKey(work, params.id, request),
})
