import { ATTEMPTS_MAX } from '#shared/domain/retry-schedule.ts'
import { outboxKey } from '#shared/store/keys.ts'
import type { Case, Check } from './check.ts'
import { WEBHOOKS } from './facts.ts'

/**
 * Each delivery has the status that its attempts require, is the only delivery of its event to its receiver, and is due
 * only while it is pending.
 */
const deliveriesAreWhatWasTried: Check = {
  name: 'deliveries match their attempts',
  violations(found) {
    const { id, of } = found
    if (!id.startsWith('evt_')) return undefined
    const deliveries = of('delivery')
    const known = deliveries.map((delivery) => delivery.id)
    const lost = of('delivery_attempt').filter(({ delivery }) => !known.includes(delivery))
    if (deliveries.length === 0 && lost.length === 0) return undefined
    const receivers = deliveries.map(({ webhook, payment, entry }) => webhook ?? `${payment} ${entry}`)
    return [
      ...lost.map(({ delivery }) => `${delivery} has attempts but does not exist`),
      ...(new Set(receivers).size === receivers.length ? [] : [`a receiver has more than one delivery of ${id}`]),
      ...(found.record || deliveries.length === 0 ? [] : [`${known} deliver ${id}, which does not exist`]),
      ...deliveries.flatMap((delivery) => [...ofAttempts(found, delivery), ...ofDue(delivery)]),
    ]
  },
}

type Delivery = ReturnType<Case['of']>[number]

function ofAttempts({ of }: Case, { id, status, attempts_made, tries }: Delivery): string[] {
  const made = of('delivery_attempt').filter(({ delivery }) => delivery === id)
  const numbers = made.map(({ number }) => number).sort((one, other) => one - other)
  const has_gap = numbers.length !== attempts_made || numbers.some((number, index) => number !== index)
  if (has_gap) return [`${id} counts ${attempts_made} attempts but has ${numbers.length}`]
  const { status_code, error } = made.find(({ number }) => number === attempts_made - 1) ?? {}
  const is_success = status_code >= 200 && status_code < 300
  const is_gone = error === 'webhook_deleted' || error === 'webhook_inactive'
  if (status === 'delivered' && !is_success) return [`${id} is delivered, but its last attempt failed`]
  const is_over = is_gone || tries === ATTEMPTS_MAX
  return status === 'failed' && (is_success || !is_over) ? [`${id} failed before its last retry`] : []
}

function ofDue({ id, status, next_attempt_at, until, due_at }: Delivery): string[] {
  const due = status === 'pending' ? (until ?? next_attempt_at) : null
  return due === due_at ? [] : [`${id} is ${status} but due ${due_at ?? 'never'}`]
}

/**
 * Each webhook of a payment has a delivery for every event that it subscribes to, unless the outbox row of the event
 * still exists.
 */
const ownWebhooksHaveDeliveries: Check = {
  name: 'webhooks of payments have their deliveries',
  violations({ id, merchant, of, record: payment }) {
    if (!payment?.webhooks?.length) return undefined
    return payment.webhooks.flatMap((wanted: readonly string[], entry: number) =>
      of('event')
        .filter(({ type }) => wanted.includes(type))
        .filter((event) => !of('delivery').some((one) => one.event === event.id && one.entry === entry))
        .map((event) => ({
          text: `webhook ${entry} of ${id} has no delivery of ${event.id}`,
          unless: outboxKey(merchant, event.id),
        })),
    )
  },
}

/**
 * The slot of each webhook names that webhook, so no two webhooks share a slot. A webhook that was created before slots
 * were introduced has no slot.
 */
const webhooksHaveTheirSlots: Check = {
  name: 'webhooks do not share slots',
  violations({ id, of }) {
    if (id !== WEBHOOKS) return undefined
    const holders = new Map(of('webhook_slot').map(({ slot, webhook }) => [slot, webhook]))
    return of('webhook')
      .filter((webhook) => webhook.slot !== null && holders.get(webhook.slot) !== webhook.id)
      .map(
        (webhook) => `${webhook.id} has slot ${webhook.slot}, which names ${holders.get(webhook.slot) ?? 'no webhook'}`,
      )
  },
}

/** The invariants of deliveries and of their webhooks. */
export const deliveryChecks: readonly Check[] = [
  deliveriesAreWhatWasTried,
  ownWebhooksHaveDeliveries,
  webhooksHaveTheirSlots,
]
