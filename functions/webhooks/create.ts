import { createWebhook } from '#shared/domain/webhook.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateWebhook, webhook } from '#shared/resources/webhook.ts'
import { changed } from '#shared/store/change.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { refuseUnsafeUrl } from '#shared/webhooks/address.ts'
import { sealSecret, takeSlot } from '#shared/webhooks/manage.ts'

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
    const sealed = secret_token ? await sealSecret(work, id, secret_token) : null
    const { next, events } = createWebhook({ ...fields, id, slot }, sealed, now)
    return { changes: [changed(webhooks, next, events), ...changes], answer: next }
  },
})
