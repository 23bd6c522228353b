import { updateWebhook } from '#shared/domain/webhook.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { UpdateWebhook, webhook } from '#shared/resources/webhook.ts'
import { changed } from '#shared/store/change.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { refuseUnsafeUrl } from '#shared/webhooks/address.ts'
import { sealSecret } from '#shared/webhooks/manage.ts'

/**
 * Changes the named fields of a webhook. A new secret replaces the previous one at once; null removes the secret.
 * @refuses invalid_parameter, not_found
 */
export const handler = endpoint('PATCH /webhooks/:id', {
  request: UpdateWebhook,
  returns: webhook,
  async run({ params, request: { secret_token, ...fields }, work }) {
    if (fields.url !== undefined) refuseUnsafeUrl(work, fields.url, 'url')
    const before = await work.get(webhooks, params.id)
    const sealed = secret_token ? await sealSecret(work, before.id, secret_token) : secret_token
    const { next, events } = updateWebhook(before, fields, sealed)
    return { changes: [changed(webhooks, next, events)], answer: next }
  },
})
