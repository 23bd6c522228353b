import type { Delivery } from '#shared/domain/delivery.ts'
import type { Event } from '#shared/domain/event.ts'
import { creationTimeOf } from '#shared/domain/ids.ts'
import type { PaymentEvent } from '#shared/domain/payment.ts'
import { wants } from '#shared/domain/webhook.ts'
import type { Key } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { deliveries, deliveryId } from '#shared/store/deliveries.ts'
import { dueEntryWrites, dueOfItem } from '#shared/store/due-entries.ts'
import { events } from '#shared/store/events.ts'
import { itemsOf } from '#shared/store/items-of.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { webhookList, webhooks } from '#shared/store/webhooks.ts'

/** The most deliveries that fit into one transaction, with the writes that their list entries may need. */
const DELIVERIES_AT_A_TIME = 11

/**
 * Creates the deliveries of the event whose outbox row is stored under `key`: one for each webhook that subscribes to
 * the event and was created before the event or in the same millisecond. The last transaction also removes the outbox
 * row. Until then, a repeated fan-out creates only the missing deliveries. `also` runs before the outbox row is
 * removed.
 */
export async function fanOut(
  work: UnitOfWork,
  key: Key,
  also: (work: UnitOfWork, event: Event) => Promise<void> = async () => {},
): Promise<void> {
  const outbox = await work.read(key)
  if (!outbox) return
  const [event, entries] = await Promise.all([
    work.get(events, merchantAndId(key.pk).id),
    itemsOf(work.platform.table, { pk: webhookList(work.merchant).pk }),
  ])
  const ids = entries.map(({ sk }) => sk).filter((id) => creationTimeOf(id) <= creationTimeOf(event.id))
  const [by_merchant, by_payment] = await Promise.all([
    toWebhooks(work, event, ids),
    toPaymentWebhooks(work, event),
    also(work, event),
  ])
  const unlisted = work.test_clock ? dueEntryWrites(work.merchant, dueOfItem(outbox), undefined, work.realNow()) : []
  const missing = await withoutKnown(work, [...by_merchant, ...by_payment])
  do {
    const some = missing.splice(0, DELIVERIES_AT_A_TIME)
    await work.commit(
      some.map((delivery) => changed(deliveries, delivery)),
      missing.length === 0 ? [{ delete: { pk: key.pk, sk: key.sk }, was: outbox.version }, ...unlisted] : [],
    )
  } while (missing.length > 0)
}

async function withoutKnown(work: UnitOfWork, all: readonly Delivery[]): Promise<Delivery[]> {
  const known = await Promise.all(all.map(({ id }) => work.find(deliveries, id)))
  return all.filter((_, index) => !known[index])
}

/** Returns the deliveries to the merchant's webhooks that subscribe to the event now. */
async function toWebhooks(work: UnitOfWork, event: Event, ids: readonly string[]): Promise<Delivery[]> {
  const found = await Promise.all(ids.map((id) => work.find(webhooks, id)))
  return found.flatMap((webhook) => {
    if (!webhook || !wants(webhook, event)) return []
    return [newDelivery(event, `webhook#${webhook.id}`, { webhook: webhook.id, entry: null, url: webhook.url })]
  })
}

/** Returns the deliveries to the webhooks that were created with the payment. */
async function toPaymentWebhooks(work: UnitOfWork, event: Event): Promise<Delivery[]> {
  if (event.about.kind !== 'payment') return []
  const { webhooks: own } = await work.get(payments, event.about.id)
  return own.flatMap(({ url, events: wanted }, entry) => {
    if (!wanted.includes(event.type as PaymentEvent)) return []
    return [newDelivery(event, `url#${entry}#${url.replace(/[?#].*/s, '')}`, { webhook: null, entry, url })]
  })
}

const newDelivery = (
  { id, type, about, created_at }: Event,
  receiver: string,
  to: Pick<Delivery, 'webhook' | 'entry' | 'url'>,
): Delivery => ({
  ...to,
  id: deliveryId(id, receiver),
  version: 0,
  event: id,
  event_type: type,
  payment: about.kind === 'payment' ? about.id : null,
  status: 'pending',
  next_attempt_at: created_at,
  created_at,
  attempts_made: 0,
  tries: 0,
  first_attempt_at: null,
  failed_at: null,
  lease: null,
})
