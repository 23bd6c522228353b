import { endpoint } from '#shared/http/endpoint.ts'
import { webhook } from '#shared/resources/webhook.ts'
import { changed } from '#shared/store/change.ts'
import { webhooks } from '#shared/store/webhooks.ts'

/**
 * Sends a `ping` to a webhook, even if the webhook is inactive or does not list the event `ping`.
 * @refuses not_found
 */
export const handler = endpoint('POST /webhooks/:id/ping', {
  returns: webhook,
  async run({ params, work }) {
    const pinged = await work.get(webhooks, params.id)
    return { changes: [changed(webhooks, pinged, ['ping'])], answer: pinged }
  },
})
