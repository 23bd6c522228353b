import { endSubscriptionsOf } from '#shared/charging/end-subscriptions-of.ts'
import { eraseDetails } from '#shared/charging/store-details.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { customer } from '#shared/resources/customer.ts'
import { removed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'

/** Deletes a customer; the stored payment details are erased with it, and its subscriptions end. */
export const handler = endpoint('DELETE /customers/:id', {
  returns: customer,
  async run({ params, work }) {
    const before = await work.get(customers, params.id)
    const { source, changes } = await eraseDetails(work, before.id)
    const gone = { ...before, source }
    const ended = await endSubscriptionsOf(work, before)
    return { changes: [removed(customers, gone, ['customer.deleted']), ...changes, ...ended], answer: gone }
  },
})
