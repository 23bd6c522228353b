import { redelivered } from '#shared/domain/delivery.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { delivery } from '#shared/resources/delivery.ts'
import { changed } from '#shared/store/change.ts'
import { deliveries } from '#shared/store/deliveries.ts'
import { refuseUnreachable } from '#shared/webhooks/manage.ts'
import { toldDelivery } from '#shared/webhooks/told-delivery.ts'

/** Delivers again at once, also what was delivered; the schedule of retries begins anew. */
export const handler = endpoint('POST /deliveries/:id/redeliver', {
  returns: delivery,
  async run({ params, work, now }) {
    const before = await work.get(deliveries, params.id)
    await refuseUnreachable(work, before)
    const next = redelivered(before, now)
    return { changes: [changed(deliveries, next)], answer: await toldDelivery(work, next) }
  },
})
