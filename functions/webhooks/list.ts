import { endpoint } from '#shared/http/endpoint.ts'
import { listOf } from '#shared/resources/list.ts'
import { ListWebhooks, webhook } from '#shared/resources/webhook.ts'
import { pageOfRecords } from '#shared/store/list-query.ts'
import { webhookList, webhooks } from '#shared/store/webhooks.ts'

/**
 * Lists webhooks, newest first.
 * @refuses invalid_parameter
 */
export const handler = endpoint('GET /webhooks', {
  request: ListWebhooks,
  returns: listOf(webhook),
  async run({ request, work }) {
    return { answer: await pageOfRecords(work, webhooks, webhookList(work.merchant), request) }
  },
})
