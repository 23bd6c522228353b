import { endpoint } from '#shared/http/endpoint.ts'
import { webhook } from '#shared/resources/webhook.ts'
import { removed } from '#shared/store/change.ts'
import { webhooks } from '#shared/store/webhooks.ts'

/**
 * Deletes a webhook. Its pending deliveries fail.
 * @refuses not_found
 */
export const handler = endpoint('DELETE /webhooks/:id', {
  returns: webhook,
  async run({ params, work }) {
    const gone = await work.get(webhooks, params.id)
    return { changes: [removed(webhooks, gone)], answer: gone }
  },
})
