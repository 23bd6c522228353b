import { endpoint } from '#shared/http/endpoint.ts'
import { delivery } from '#shared/resources/delivery.ts'
import { deliveries } from '#shared/store/deliveries.ts'
import { deliveryWithAttempts } from '#shared/webhooks/delivery-with-attempts.ts'

/**
 * Shows one delivery with its attempts.
 * @refuses not_found
 */
export const handler = endpoint('GET /deliveries/:id', {
  returns: delivery,
  async run({ params, work }) {
    return { answer: await deliveryWithAttempts(work, await work.get(deliveries, params.id)) }
  },
})
