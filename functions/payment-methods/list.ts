import { acceptedTypes } from '#shared/acquirer/accepted-types.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { payment_methods } from '#shared/resources/payment-method.ts'

/**
 * Lists the payment types that the merchant can be paid with, with their names in English, Japanese and Korean.
 * @refuses none
 */
export const handler = endpoint('GET /payment_methods', {
  returns: payment_methods,
  run: async ({ work }) => ({ answer: acceptedTypes(work) }),
})
