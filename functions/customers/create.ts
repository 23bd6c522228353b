import { storeDetails } from '#shared/customers/store-payment-details.ts'
import type { Customer } from '#shared/domain/customer.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateCustomer, customer } from '#shared/resources/customer.ts'
import { changed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'

/**
 * Creates a customer with stored payment details, which can be charged later. The acquirer is not involved.
 * @refuses invalid_currency, invalid_parameter, invalid_payment_type, invalid_token, missing_parameter,
 *   unprocessable_entity
 */
export const handler = endpoint('POST /customers', {
  request: CreateCustomer,
  returns: customer,
  async run({ request: { payment_details, ...fields }, work, now }) {
    const id = work.newId('customer')
    const { source, email, changes } = await storeDetails(work, id, payment_details)
    const record: Customer = {
      ...fields,
      id,
      version: 0,
      email: fields.email ?? email,
      source,
      created_at: timestamp(now),
      updated_at: timestamp(now),
    }
    return { changes: [changed(customers, record, ['customer.created']), ...changes], answer: record }
  },
})
