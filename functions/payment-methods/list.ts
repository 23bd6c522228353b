import { payment_types } from '#shared/domain/payment-details.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { payment_method } from '#shared/resources/payment-method.ts'

/** Lists every way to pay, with its name in the languages of the pages. */
export const handler = endpoint('GET /payment_methods', {
  returns: () => payment_types.map(payment_method),
  run: async () => ({ answer: null }),
})
