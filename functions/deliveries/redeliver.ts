import { redelivered } from '#shared/domain/delivery.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { delivery } from '#shared/resources/delivery.ts'
import { changed } from '#shared/store/change.ts'
import { deliveries } from '#shared/store/deliveries.ts'
import { deliveryWithAttempts } from '#shared/webhooks/delivery-with-attempts.ts'
import { refuseUnreachable } from '#shared/webhooks/manage.ts'

/**
 * Delivers an event to its receiver again at once, even if it was delivered before. The retry schedule starts again.
 * Refuses with `unprocessable_entity` if the webhook is deleted or inactive.
 * @refuses not_found, unprocessable_entity
 */
export const handler = endpoint('POST /deliveries/:id/redeliver', {
  returns: delivery,
  async run({ params, work, now }) {
    const before = await work.get(deliveries, params.id)
    await refuseUnreachable(work, before)
    const next = redelivered(before, now, work.realNow())
    return { changes: [changed(deliveries, next)], answer: await deliveryWithAttempts(work, next) }
  },
})
