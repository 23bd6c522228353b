import { endpoint } from '#shared/http/endpoint.ts'
import { payment } from '#shared/resources/payment.ts'
import { payments } from '#shared/store/payments.ts'

/**
 * Shows one payment.
 * @refuses not_found
 */
export const handler = endpoint('GET /payments/:id', {
  returns: payment,
  async run({ params, work }) {
    return { answer: await work.get(payments, params.id) }
  },
})
