import { timestamp } from '#shared/domain/timestamp.ts'
import type { Webhook } from '#shared/domain/webhook.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateWebhook, webhook } from '#shared/resources/webhook.ts'
import { changed } from '#shared/store/change.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { refuseUnsafeUrl } from '#shared/webhooks/address.ts'
import { sealedSecret, takeSlot } from '#shared/webhooks/manage.ts'

/**
 * Creates a webhook and sends a `ping` to it.
 * @refuses invalid_parameter, missing_parameter, unprocessable_entity
 */
export const handler = endpoint('POST /webhooks', {
  request: CreateWebhook,
  returns: webhook,
  // When 100 concurrent creates compete for the last 100 slots, each gets a slot after about seven tries.
  tries_max: 15,
  async run({ request: { secret_token, ...fields }, work, now }) {
    refuseUnsafeUrl(work, fields.url, 'url')
    const id = work.newId('webhook')
    const { slot, changes } = await takeSlot(work, id)
    const secret = await sealedSecret(work, id, secret_token)
    const made: Webhook = { ...fields, id, version: 0, secret, recovery: null, created_at: timestamp(now), slot }
    return { changes: [changed(webhooks, made, ['ping']), ...changes], answer: made }
  },
})
