import { update } from '#shared/domain/payment-decisions.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { payment, UpdatePayment } from '#shared/resources/payment.ts'
import { changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'

/**
 * Changes the merchant's notes on a payment: the description, the order number and the metadata.
 * @refuses invalid_parameter, not_found, unprocessable_entity
 */
export const handler = endpoint('PATCH /payments/:id', {
  request: UpdatePayment,
  returns: payment,
  async run({ params, request, work }) {
    const { next, events } = update(await work.get(payments, params.id), request)
    return { changes: [changed(payments, next, events)], answer: next }
  },
})
