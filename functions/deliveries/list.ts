import { endpoint } from '#shared/http/endpoint.ts'
import { delivery, ListDeliveries } from '#shared/resources/delivery.ts'
import { listOf } from '#shared/resources/list.ts'
import { deliveries, deliveriesBy } from '#shared/store/deliveries.ts'
import { pageOfRecords } from '#shared/store/list-query.ts'
import { deliveryWithAttempts } from '#shared/webhooks/delivery-with-attempts.ts'

/**
 * Lists deliveries with their attempts, newest first.
 * @refuses invalid_parameter, unprocessable_entity
 */
export const handler = endpoint('GET /deliveries', {
  request: ListDeliveries,
  returns: listOf(delivery),
  async run({ request, work }) {
    const { list, accepts, times } = deliveriesBy(work.merchant, request)
    const { page, per_page } = request
    const found = await pageOfRecords(work, deliveries, list, { page, per_page, ...times }, accepts)
    const data = await Promise.all(found.data.map((record) => deliveryWithAttempts(work, record)))
    return { answer: { ...found, data } }
  },
})
