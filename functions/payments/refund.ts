import { refund } from '#shared/domain/payment-operations.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { runOperation } from '#shared/payments/run-operation.ts'
import { payment } from '#shared/resources/payment.ts'
import { RefundPayment } from '#shared/resources/refund.ts'
import { payments } from '#shared/store/payments.ts'

/**
 * Refunds part of a captured payment, or all that is left of the payment.
 * @refuses gateway_timeout, invalid_parameter, not_found, not_refundable, other_error, service_unavailable,
 *   unprocessable_entity
 */
export const handler = endpoint('POST /payments/:id/refund', {
  request: RefundPayment,
  returns: payment,
  load: ({ params, work }) => work.find(payments, params.id),
  run: ({ params, request, work, operation }) =>
    runOperation(work, operation, {
      begin: async () => refund(await work.get(payments, params.id), request, work.newId('refund')),
    }),
})
