import { capture } from '#shared/domain/payment-operations.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { runOperation } from '#shared/payments/run-operation.ts'
import { CapturePayment, payment } from '#shared/resources/payment.ts'
import { payments } from '#shared/store/payments.ts'

/**
 * Captures an authorized card payment, in full or in part.
 * @refuses conflict, exceeds_limit, gateway_timeout, invalid_parameter, not_capturable, not_found, other_error,
 *   service_unavailable, unprocessable_entity
 */
export const handler = endpoint('POST /payments/:id/capture', {
  request: CapturePayment,
  returns: payment,
  load: ({ params, work }) => work.find(payments, params.id),
  run: ({ params, request, work, operation }) =>
    runOperation(work, operation, { begin: async () => capture(await work.get(payments, params.id), request) }),
})
