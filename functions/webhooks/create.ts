import { timestamp } from '#shared/domain/timestamp.ts'
import type { Webhook } from '#shared/domain/webhook.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateWebhook, webhook } from '#shared/resources/webhook.ts'
import { changed } from '#shared/store/change.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { refuseUnsafeUrl } from '#shared/webhooks/address.ts'
import { refuseOneMore, sealedSecret } from '#shared/webhooks/manage.ts'

/** Makes a webhook, and sends it a ping. */
export const handler = endpoint('POST /webhooks', {
  request: CreateWebhook,
  returns: webhook,
  async run({ request: { secret_token, ...fields }, work, now }) {
    refuseUnsafeUrl(work, fields.url, 'url')
    await refuseOneMore(work)
    const id = work.newId('webhook')
    const secret = await sealedSecret(work, id, secret_token)
    const made: Webhook = { ...fields, id, version: 0, secret, recovery: null, created_at: timestamp(now) }
    return { changes: [changed(webhooks, made, ['ping'])], answer: made }
  },
})
