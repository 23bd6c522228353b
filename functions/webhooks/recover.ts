import { recoverWebhook, refuseFuture } from '#shared/domain/webhook.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { RecoverWebhook, webhook } from '#shared/resources/webhook.ts'
import { changed } from '#shared/store/change.ts'
import { webhooks } from '#shared/store/webhooks.ts'

/**
 * Starts a recovery: every event whose last attempt at the webhook failed at or after `since` is delivered again. It
 * starts with the oldest event, but deliveries run at the same time and can arrive in another order.
 * Refuses an inactive webhook with `unprocessable_entity`, and a time in the future with `invalid_parameter`.
 * @refuses invalid_parameter, missing_parameter, not_found, unprocessable_entity
 */
export const handler = endpoint('POST /webhooks/:id/recover', {
  request: RecoverWebhook,
  returns: webhook,
  async run({ params, request: { since }, work, now }) {
    refuseFuture(since, now)
    const { next, events } = recoverWebhook(await work.get(webhooks, params.id), since, now)
    return { changes: [changed(webhooks, next, events)], answer: next }
  },
})
