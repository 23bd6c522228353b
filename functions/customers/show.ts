import { endpoint } from '#shared/http/endpoint.ts'
import { customer } from '#shared/resources/customer.ts'
import { customers } from '#shared/store/customers.ts'

/**
 * Shows one customer. The secret parts of stored payment details are never shown.
 * @refuses not_found
 */
export const handler = endpoint('GET /customers/:id', {
  returns: customer,
  async run({ params, work }) {
    return { answer: await work.get(customers, params.id) }
  },
})
