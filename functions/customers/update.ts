import { replaceDetails } from '#shared/customers/store-payment-details.ts'
import { updateCustomer } from '#shared/domain/customer.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { customer, UpdateCustomer } from '#shared/resources/customer.ts'
import { changed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'

/**
 * Changes the named fields of a customer. New payment details replace those stored; null erases the stored details.
 * @refuses invalid_currency, invalid_parameter, invalid_payment_type, invalid_token, missing_parameter, not_found,
 *   unprocessable_entity
 */
export const handler = endpoint('PATCH /customers/:id', {
  request: UpdateCustomer,
  returns: customer,
  async run({ params, request: { payment_details, ...fields }, work, now }) {
    const before = await work.get(customers, params.id)
    const { source, changes } = await replaceDetails(work, before, payment_details)
    const { next, events } = updateCustomer(before, { ...fields, source }, now)
    return { changes: [changed(customers, next, events), ...changes], answer: next }
  },
})
