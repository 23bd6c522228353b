import { redelivered } from '#shared/domain/delivery.ts'
import { continueRecovery } from '#shared/domain/webhook.ts'
import type { Message } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { deliveries, deliveryList } from '#shared/store/deliveries.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { webhooks } from '#shared/store/webhooks.ts'

/** The most deliveries of a webhook that one message looks through, and the most of them that it delivers again. */
const LOOKED_THROUGH_MAX = 1_000
const REDELIVERED_MAX = 100

/**
 * Continues the recovery of a webhook by one batch: each delivery whose last attempt failed at or after `since` is made
 * due at once, whether it was given up or waits for a retry. Each batch takes one message. The oldest deliveries come
 * first, so the receiver gets the newest state last.
 */
export async function recover(work: UnitOfWork, { pk, due_at }: Message): Promise<void> {
  const webhook = await work.find(webhooks, merchantAndId(pk).id)
  if (webhook?.recovery?.due_at !== due_at) return
  const { since, next: after } = webhook.recovery
  const list = deliveryList(work.merchant, { by: 'webhook', value: webhook.id })
  const page = await work.platform.table.query({ pk: list.pk, limit: LOOKED_THROUGH_MAX, after: after ?? undefined })
  const undelivered = page.items.filter(({ facet }) => !String(facet).startsWith('delivered/'))
  const some = undelivered.slice(0, REDELIVERED_MAX)
  await Promise.all(some.map(({ sk }) => redeliverFailed(work, sk, since)))
  const looked_through = some.length < undelivered.length ? some.at(-1)!.sk : page.next
  const { next, events } = continueRecovery(webhook, looked_through, work.now())
  await work.commit([changed(webhooks, next, events)])
}

/** Each delivery has its own unit of work, so a conflict with a concurrent attempt repeats only this delivery. */
async function redeliverFailed(parent: UnitOfWork, id: string, since: string): Promise<void> {
  const { platform, merchant, mode, test_clock } = parent
  const work = new UnitOfWork({ platform, merchant, mode, test_clock })
  await retryOnConflict(work, async () => {
    const delivery = await work.find(deliveries, id)
    if (!delivery?.failed_at || delivery.failed_at < since) return
    await work.commit([changed(deliveries, redelivered(delivery, work.now(), work.realNow()))])
  })
}
