import { endpoint } from '#shared/http/endpoint.ts'
import { RotateSecret, webhook } from '#shared/resources/webhook.ts'
import { changed } from '#shared/store/change.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { rotatedSecret } from '#shared/webhooks/manage.ts'

/**
 * Replaces the secret of a webhook. The previous secret signs as well for a grace time.
 * @refuses invalid_parameter, missing_parameter, not_found
 */
export const handler = endpoint('POST /webhooks/:id/rotate', {
  request: RotateSecret,
  returns: webhook,
  async run({ params, request, work }) {
    const before = await work.get(webhooks, params.id)
    const next = { ...before, secret: await rotatedSecret(work, before, request) }
    return { changes: [changed(webhooks, next)], answer: next }
  },
})
