import { throughAcquirer } from '#shared/charging/through-acquirer.ts'
import { refund } from '#shared/domain/payment-operations.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { payment } from '#shared/resources/payment.ts'
import { RefundPayment } from '#shared/resources/refund.ts'
import { payments } from '#shared/store/payments.ts'

/** Gives back part of a payment, or all that is left of it. */
export const handler = endpoint('POST /payments/:id/refund', {
  request: RefundPayment,
  returns: payment,
  load: ({ params, work }) => work.find(payments, params.id),
  run: ({ params, request, work }) =>
    throughAcquirer(work, {
      begin: async () => refund(await work.get(payments, params.id), request, work.newId('refund')),
    }),
})
