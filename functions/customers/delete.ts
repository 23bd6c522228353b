import { eraseDetails } from '#shared/customers/store-payment-details.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { customer } from '#shared/resources/customer.ts'
import { removed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import { endSubscriptionsOfCustomer } from '#shared/subscriptions/end-subscriptions-of-customer.ts'

/**
 * Deletes a customer, erases the stored payment details, and ends the customer's subscriptions.
 * @refuses not_found
 */
export const handler = endpoint('DELETE /customers/:id', {
  returns: customer,
  async run({ params, work }) {
    const before = await work.get(customers, params.id)
    const { source, changes } = await eraseDetails(work, before.id)
    const gone = { ...before, source }
    const ended = await endSubscriptionsOfCustomer(work, before)
    return { changes: [removed(customers, gone, ['customer.deleted']), ...changes, ...ended], answer: gone }
  },
})
