import { rotateSecret } from '#shared/domain/webhook.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { RotateSecret, webhook } from '#shared/resources/webhook.ts'
import { changed } from '#shared/store/change.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { sealSecret } from '#shared/webhooks/manage.ts'

/**
 * Replaces the secret of a webhook. During a grace time, the previous secret signs as well.
 * @refuses invalid_parameter, missing_parameter, not_found
 */
export const handler = endpoint('POST /webhooks/:id/rotate', {
  request: RotateSecret,
  returns: webhook,
  async run({ params, request: { secret_token, grace_seconds }, work }) {
    const before = await work.get(webhooks, params.id)
    const sealed = await sealSecret(work, before.id, secret_token)
    const { next, events } = rotateSecret(before, sealed, grace_seconds, work.now())
    return { changes: [changed(webhooks, next, events)], answer: next }
  },
})
