import { makePayment } from '#shared/charging/make-payment.ts'
import { loadSource } from '#shared/charging/source.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreatePayment, payment } from '#shared/resources/payment.ts'
import { refuseUnsafeUrl } from '#shared/webhooks/address.ts'

/** Charges a card, or reserves or begins a payment by another method. */
export const handler = endpoint('POST /payments', {
  request: CreatePayment,
  returns: payment,
  load: ({ request, work }) => loadSource(work, request),
  async run({ request, work }) {
    for (const [index, { url }] of request.webhooks.entries()) refuseUnsafeUrl(work, url, `webhooks[${index}][url]`)
    return makePayment(work, request)
  },
})
