import { storeDetails } from '#shared/customers/store-payment-details.ts'
import { createCustomer } from '#shared/domain/customer.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateCustomer, customer } from '#shared/resources/customer.ts'
import { changed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'

/**
 * Creates a customer with stored payment details, which can be charged later. Nothing is charged or authorized.
 * @refuses invalid_currency, invalid_parameter, invalid_payment_type, invalid_token, missing_parameter,
 *   unprocessable_entity
 */
export const handler = endpoint('POST /customers', {
  request: CreateCustomer,
  returns: customer,
  async run({ request: { payment_details, ...fields }, work, now }) {
    const id = work.newId('customer')
    const stored = await storeDetails(work, id, payment_details)
    const { next, events } = createCustomer(id, fields, stored, now)
    return { changes: [changed(customers, next, events), ...stored.changes], answer: next }
  },
})
