import { endpoint } from '#shared/http/endpoint.ts'
import { CreateToken, token } from '#shared/resources/token.ts'
import { createToken } from '#shared/tokens/create-token.ts'

/**
 * Creates a single-use token for payment details. Browsers call this endpoint, so that no merchant sees a card number.
 * @refuses invalid_currency, invalid_parameter, invalid_payment_type, missing_parameter
 */
export const handler = endpoint('POST /tokens', {
  request: CreateToken,
  returns: token,
  run: ({ request, work }) => createToken(work, request),
})
