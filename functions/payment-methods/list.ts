import { payment_types } from '#shared/domain/payment-details.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { payment_methods } from '#shared/resources/payment-method.ts'

/**
 * Lists every payment type with its names in English, Japanese and Korean.
 * @refuses none
 */
export const handler = endpoint('GET /payment_methods', {
  returns: payment_methods,
  run: async () => ({ answer: payment_types }),
})
