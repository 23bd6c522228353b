import { eraseDetails, storeDetails } from '#shared/customers/store-payment-details.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
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
    const stored =
      payment_details === undefined
        ? { source: before.source, changes: [] }
        : payment_details === null
          ? await eraseDetails(work, before.id)
          : await storeDetails(work, before.id, payment_details)
    const next = { ...before, ...fields, source: stored.source, updated_at: timestamp(now) }
    return { changes: [changed(customers, next, ['customer.updated']), ...stored.changes], answer: next }
  },
})
