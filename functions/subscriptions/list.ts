import { endpoint } from '#shared/http/endpoint.ts'
import { listOf } from '#shared/resources/list.ts'
import { ListSubscriptions, subscription } from '#shared/resources/subscription.ts'
import { pageOfRecords } from '#shared/store/list-query.ts'
import { payerOf, withPayer } from '#shared/store/subscription-payers.ts'
import { subscriptions, subscriptionsBy } from '#shared/store/subscriptions.ts'

/**
 * Lists subscriptions, newest first.
 * @refuses invalid_parameter, unprocessable_entity
 */
export const handler = endpoint('GET /subscriptions', {
  request: ListSubscriptions,
  returns: listOf(subscription),
  async run({ request, work }) {
    const { list, accepts } = subscriptionsBy(work.merchant, request)
    const page = await pageOfRecords(work, subscriptions, list, request, accepts)
    const data = page.data.map(async (kept) => withPayer(kept, await payerOf(work, kept.customer.uuid)))
    return { answer: { ...page, data: await Promise.all(data) } }
  },
})
