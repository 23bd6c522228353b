import { requestRefund } from '#shared/domain/payment-decisions.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { payment } from '#shared/resources/payment.ts'
import { CreateRefundRequest, masked } from '#shared/resources/refund-request.ts'
import { changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'

/**
 * Creates a refund request for a payment whose type cannot be refunded. An operator completes or rejects the request.
 * @refuses invalid_parameter, missing_parameter, not_found, not_refundable, unprocessable_entity
 */
export const handler = endpoint('POST /payments/:id/refund_request', {
  request: CreateRefundRequest,
  returns: payment,
  async run({ params, request, work, now }) {
    const { next, events } = requestRefund(await work.get(payments, params.id), {
      ...request,
      id: work.newId('refund_request'),
      account_number: masked(request.account_number),
      created_at: timestamp(now),
    })
    return { changes: [changed(payments, next, events)], answer: next }
  },
})
