import { endpoint } from '#shared/http/endpoint.ts'
import { RecoverWebhook, webhook } from '#shared/resources/webhook.ts'
import { changed } from '#shared/store/change.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { recovering, refuseFuture } from '#shared/webhooks/manage.ts'

/** Delivers again whatever failed at a webhook since a time: the clock's workers begin with it at once. */
export const handler = endpoint('POST /webhooks/:id/recover', {
  request: RecoverWebhook,
  returns: webhook,
  async run({ params, request: { since }, work, now }) {
    refuseFuture(since, now)
    const next = recovering(await work.get(webhooks, params.id), since, now)
    return { changes: [changed(webhooks, next)], answer: next }
  },
})
