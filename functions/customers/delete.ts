import { eraseDetails } from '#shared/customers/store-payment-details.ts'
import { deleteCustomer } from '#shared/domain/customer.ts'
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
    const { changes } = await eraseDetails(work, before.id)
    const ended = await endSubscriptionsOfCustomer(work, before)
    const { next: gone, events } = deleteCustomer(before)
    return { changes: [removed(customers, gone, events), ...changes, ...ended], answer: gone }
  },
})
