import { createPayment } from '#shared/domain/create-payment.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { moved } from '#shared/domain/payment-states.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { begun, captureDue, captured, failed } from '#shared/domain/subscription-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Message } from '#shared/platform/ports.ts'
import { type Change, changed, unchanged } from '#shared/store/change.ts'
import { type Card, cards } from '#shared/store/customers.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { Work } from '#shared/store/work.ts'
import { openSource } from './source.ts'
import { payerOf, withPayer } from './subscription-source.ts'
import { throughAcquirer } from './through-acquirer.ts'

/** A worker's clock may be behind that of the sweep which has sent it a message just in time. */
const CLOCKS_DIFFER_MS = 2_000

/**
 * Captures the interval of a subscription that fell due, once. A message about another moment than the subscription's own
 * is dropped: the capture was made, or somebody is at it. An unknown outcome is left to its inquiries.
 */
export async function captureSubscription(work: Work, { pk, due_at }: Message): Promise<void> {
  if (work.begun) return settleBegun(work)
  const kept = await work.find(subscriptions, merchantAndId(pk).id)
  if (!kept || captureDue(kept) !== due_at || Date.parse(due_at) > work.now() + CLOCKS_DIFFER_MS) return
  const payer = await payerOf(work, kept.customer.uuid)
  const subscription = withPayer(kept, payer)
  if (payer.card?.shown.type !== 'credit_card') {
    const { next, events } = failed(subscription, work.now())
    await work.commit([changed(subscriptions, next, events)])
  } else if (subscription.amount === 0) {
    await work.commit(freeOccurrence(work, subscription, payer.card).changes)
  } else {
    const next = occurrencePayment(work, subscription, payer.card)
    // Whatever has become of its size, a subscription that was made is captured.
    const under_way = changed(subscriptions, begun(subscription, next.id), [], { owed: true })
    const plan = { next, operation: next.in_flight[0]!, also: [under_way, unchanged(cards, payer.card)] }
    const details = () => openSource(work, { customer: kept.customer.uuid })
    await settleWith(work, { begin: async () => plan, details })
  }
}

/** What has begun in an earlier try of this message is settled, whatever else has changed. */
const settleBegun = (work: Work) => settleWith(work, { begin: () => Promise.reject(new Error('it has begun already')) })

async function settleWith(work: Work, plan: Parameters<typeof throughAcquirer>[1]): Promise<void> {
  try {
    await work.commit((await throughAcquirer(work, plan)).changes)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'gateway_timeout') throw error
  }
}

/** An interval that costs nothing is a captured payment that no acquirer is asked for. */
export function freeOccurrence(
  work: Work,
  subscription: Subscription,
  card: Card,
): { next: Subscription; changes: Change[] } {
  const open = { ...occurrencePayment(work, subscription, card), in_flight: [] }
  const payment = moved(open, 'captured', { captured_at: timestamp(work.now()) })
  const { next, events } = captured(subscription, payment.id, work.now())
  const told = subscription.version === 0 ? (['subscription.created', ...events] as const) : events
  return { next, changes: [changed(payments, payment, ['payment.captured']), changed(subscriptions, next, told)] }
}

/** The payment of the interval that is due, with its charge on the way. */
export function occurrencePayment(work: Work, subscription: Subscription, card: Card): Payment {
  const { id, amount, currency, interval, tries, customer } = subscription
  const occurrence = { subscription: id, interval, try: tries }
  const shown = { ...card.shown, email: card.shown.email ?? customer.email }
  return createPayment(
    { amount, currency, customer: customer.uuid, occurrence },
    { ...card, shown },
    work.newId('payment'),
    work.now(),
  )
}
