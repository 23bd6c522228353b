import { makeToken } from '#shared/charging/make-token.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateToken, token } from '#shared/resources/token.ts'

/** Turns payment details into a token that stands for them once. Browsers call it, so that no merchant sees a card number. */
export const handler = endpoint('POST /tokens', {
  request: CreateToken,
  returns: ({ record, id }) => token(record, id),
  run: ({ request, work }) => makeToken(work, request),
})
