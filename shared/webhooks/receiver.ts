import type { AttemptError, Delivery } from '#shared/domain/delivery.ts'
import type { WebhookSecret } from '#shared/domain/webhook.ts'
import { payments } from '#shared/store/payments.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import type { Work } from '#shared/store/work.ts'

/** Where a delivery goes, and the secrets that are valid there, sealed for `record`, the current one first; or why it goes nowhere. */
export type Receiver =
  | { readonly url: string; readonly record: string; readonly sealed: readonly string[] }
  | { readonly error: Extract<AttemptError, 'webhook_inactive' | 'webhook_deleted'> }

/** The receiver of a delivery as it is now: a webhook that was changed since is called as it is. */
export async function receiverOf(work: Work, { webhook, payment, entry, event_type }: Delivery): Promise<Receiver> {
  if (webhook === null) {
    const { session, webhooks: own } = await work.get(payments, payment!)
    const { url, secret_sealed } = own[entry!]!
    // A session's payments have its webhooks as they were sealed for it.
    return { url, record: session ?? payment!, sealed: secret_sealed === null ? [] : [secret_sealed] }
  }
  const found = await work.find(webhooks, webhook)
  if (!found) return { error: 'webhook_deleted' }
  if (!found.active && event_type !== 'ping') return { error: 'webhook_inactive' }
  return { url: found.url, record: webhook, sealed: found.secret ? validSecrets(found.secret, work.now()) : [] }
}

const validSecrets = ({ sealed, previous }: WebhookSecret, now: number): string[] => [
  sealed,
  ...(previous && Date.parse(previous.until) > now ? [previous.sealed] : []),
]
