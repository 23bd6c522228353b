import { redelivered } from '#shared/domain/delivery.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Message } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { deliveries, deliveryList } from '#shared/store/deliveries.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { startingOver } from '#shared/store/start-over.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { Work } from '#shared/store/work.ts'

/** How many of a webhook's deliveries one message looks through, and how many of them it delivers again. */
const LOOKED_THROUGH_MAX = 1_000
const REDELIVERED_MAX = 100

/**
 * Goes on with the recovery of a webhook: delivers again at once what failed since then, for good or not yet, a stretch
 * of its deliveries for each message. Oldest first, so that a receiver ends with what is newest.
 */
export async function recover(work: Work, { pk, due_at }: Message): Promise<void> {
  const webhook = await work.find(webhooks, merchantAndId(pk).id)
  if (webhook?.recovery?.due_at !== due_at) return
  const { since, next: after } = webhook.recovery
  const list = deliveryList(work.merchant, { by: 'webhook', value: webhook.id })
  const page = await work.platform.table.query({ pk: list.pk, limit: LOOKED_THROUGH_MAX, after: after ?? undefined })
  const undelivered = page.items.filter(({ facet }) => !String(facet).startsWith('delivered/'))
  const some = undelivered.slice(0, REDELIVERED_MAX)
  await Promise.all(some.map(({ sk }) => redeliverFailed(work, sk, since)))
  const next = some.length < undelivered.length ? some.at(-1)!.sk : page.next
  const recovery = next === undefined ? null : { since, next, due_at: timestamp(work.now()) }
  await work.commit([changed(webhooks, { ...webhook, recovery })])
}

/** Each stands alone: one that an attempt has crossed is looked at again. */
async function redeliverFailed({ platform, merchant, mode }: Work, id: string, since: string): Promise<void> {
  const work = new Work({ platform, merchant, mode })
  await startingOver(work, async () => {
    const delivery = await work.find(deliveries, id)
    if (!delivery?.failed_at || delivery.failed_at < since) return
    await work.commit([changed(deliveries, redelivered(delivery, work.now()))])
  })
}
