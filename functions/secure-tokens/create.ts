import { pageUrl } from '#shared/domain/page-url.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { loadSource } from '#shared/payments/payment-source.ts'
import { CreateSecureToken, created_secure_token } from '#shared/resources/secure-token.ts'
import { createSecureToken, refusePublicCustomer } from '#shared/tokens/create-secure-token.ts'

/**
 * Creates a secure token. The customer passes 3-D Secure at `authentication_url`, and returns with the token, which
 * can be used once.
 * @refuses forbidden, invalid_currency, invalid_parameter, invalid_payment_type, invalid_token, missing_parameter,
 *   service_unavailable, unprocessable_entity
 */
export const handler = endpoint('POST /secure_tokens', {
  request: CreateSecureToken,
  returns: created_secure_token,
  authorize: ({ request, work }) => refusePublicCustomer(work, request),
  load: ({ request, work }) => loadSource(work, request),
  async run({ request, work }) {
    const { changes, answer: record } = await createSecureToken(work, request)
    const url = record.at_provider?.redirect_url ?? pageUrl(work, 'secure_tokens', record.id)
    return { changes, answer: { record, url } }
  },
})
