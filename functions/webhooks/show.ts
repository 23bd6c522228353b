import { endpoint } from '#shared/http/endpoint.ts'
import { webhook } from '#shared/resources/webhook.ts'
import { webhooks } from '#shared/store/webhooks.ts'

/**
 * Shows one webhook, without its secret.
 * @refuses not_found
 */
export const handler = endpoint('GET /webhooks/:id', {
  returns: webhook,
  async run({ params, work }) {
    return { answer: await work.get(webhooks, params.id) }
  },
})
