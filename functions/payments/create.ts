import { endpoint } from '#shared/http/endpoint.ts'
import { createPayment } from '#shared/payments/create-payment.ts'
import { loadSource } from '#shared/payments/payment-source.ts'
import { CreatePayment, payment } from '#shared/resources/payment.ts'
import { refuseUnsafeUrl } from '#shared/webhooks/address.ts'

/**
 * Creates a payment. A card is charged or authorized, a prepaid number is charged, a cash payment is reserved, and an
 * off-site payment begins.
 * @refuses bad_verification_value, card_declined, card_expired, exceeds_limit, fraudulent, gateway_timeout,
 *   insufficient_funds, invalid_currency, invalid_number, invalid_parameter, invalid_payment_type, invalid_token,
 *   missing_parameter, other_error, service_unavailable, unprocessable_entity
 */
export const handler = endpoint('POST /payments', {
  request: CreatePayment,
  returns: payment,
  load: ({ request, work }) => loadSource(work, request),
  async run({ request, work, operation }) {
    for (const [index, { url }] of request.webhooks.entries()) refuseUnsafeUrl(work, url, `webhooks[${index}][url]`)
    return createPayment(work, operation, request)
  },
})
