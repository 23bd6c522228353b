import { throughAcquirer } from '#shared/charging/through-acquirer.ts'
import { capture } from '#shared/domain/payment-operations.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CapturePayment, payment } from '#shared/resources/payment.ts'
import { payments } from '#shared/store/payments.ts'

/** Captures a card payment that was authorized, whole or in part. */
export const handler = endpoint('POST /payments/:id/capture', {
  request: CapturePayment,
  returns: payment,
  load: ({ params, work }) => work.find(payments, params.id),
  run: ({ params, request, work }) =>
    throughAcquirer(work, { begin: async () => capture(await work.get(payments, params.id), request) }),
})
