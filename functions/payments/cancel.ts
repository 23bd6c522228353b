import { cancel } from '#shared/domain/payment-operations.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { runOperation } from '#shared/payments/run-operation.ts'
import { CancelPayment, payment } from '#shared/resources/payment.ts'
import { payments } from '#shared/store/payments.ts'

/**
 * Cancels a payment that is not paid yet. The authorization of a card is voided.
 * @refuses conflict, gateway_timeout, not_cancellable, not_found, other_error, service_unavailable,
 *   unprocessable_entity
 */
export const handler = endpoint('POST /payments/:id/cancel', {
  request: CancelPayment,
  returns: payment,
  load: ({ params, work }) => work.find(payments, params.id),
  run: ({ params, work, operation }) =>
    runOperation(work, operation, { begin: async () => cancel(await work.get(payments, params.id)) }),
})
