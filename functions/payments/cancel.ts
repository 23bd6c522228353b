import { throughAcquirer } from '#shared/charging/through-acquirer.ts'
import { cancel } from '#shared/domain/payment-operations.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CancelPayment, payment } from '#shared/resources/payment.ts'
import { payments } from '#shared/store/payments.ts'

/** Cancels a payment that is not paid yet, and releases what was held for it. */
export const handler = endpoint('POST /payments/:id/cancel', {
  request: CancelPayment,
  returns: payment,
  load: ({ params, work }) => work.find(payments, params.id),
  run: ({ params, work }) => throughAcquirer(work, { begin: async () => cancel(await work.get(payments, params.id)) }),
})
