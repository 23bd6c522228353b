import type { AttemptError, Delivery } from '#shared/domain/delivery.ts'
import { validSecrets } from '#shared/domain/webhook-secret.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { webhooks } from '#shared/store/webhooks.ts'

/**
 * The URL of a delivery, and its valid secrets, the current one first. The secrets are sealed for `record`. If the
 * delivery cannot be sent, `error` is the reason.
 */
export type Receiver =
  | { readonly url: string; readonly record: string; readonly sealed: readonly string[] }
  | { readonly error: Extract<AttemptError, 'webhook_inactive' | 'webhook_deleted'> }

/**
 * Returns the current receiver of a delivery. A webhook that has changed since the event is called with its current URL
 * and secrets.
 */
export async function receiverOf(
  work: UnitOfWork,
  { webhook, payment, entry, event_type }: Delivery,
): Promise<Receiver> {
  if (webhook === null) {
    const { session, webhooks: own } = await work.get(payments, payment!)
    const { url, secret_sealed } = own[entry!]!
    // A payment of a session copies the session's webhooks, whose secrets are sealed for the session.
    return { url, record: session ?? payment!, sealed: secret_sealed === null ? [] : [secret_sealed] }
  }
  const found = await work.find(webhooks, webhook)
  if (!found) return { error: 'webhook_deleted' }
  if (!found.active && event_type !== 'ping') return { error: 'webhook_inactive' }
  return { url: found.url, record: webhook, sealed: validSecrets(found.secret, work.now()) }
}
