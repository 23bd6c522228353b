import { newPayment } from '#shared/domain/new-payment.ts'
import { keepingProgress, type OperationProgress } from '#shared/domain/operation-progress.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { moved } from '#shared/domain/payment-states.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { begun, captureDue, captured, failed } from '#shared/domain/subscription-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { OperationPlan } from '#shared/payments/begin-operation.ts'
import { chargedSource } from '#shared/payments/payment-source.ts'
import { isUnknownOutcome, runOperation } from '#shared/payments/run-operation.ts'
import type { Message } from '#shared/platform/ports.ts'
import { type Change, changed, unchanged } from '#shared/store/change.ts'
import { type Card, cards } from '#shared/store/customers.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import { payerOf, withPayer } from '#shared/store/subscription-payers.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** How far a worker's clock may be behind the sweep's clock. A message arrives as soon as its record falls due. */
const CLOCKS_DIFFER_MS = 2_000

/**
 * Captures the due interval of a subscription, once. A message with another due time than the subscription is dropped,
 * because the capture was made or is in flight. If the customer has no card, the try fails and no payment is created.
 * Scheduled inquiries resolve an unknown outcome.
 */
export async function captureSubscription(
  work: UnitOfWork,
  { pk, due_at }: Message,
  progress: OperationProgress,
): Promise<void> {
  if (progress.state !== 'fresh') return runAndRecord(work, progress, only_recorded)
  const stored = await work.find(subscriptions, merchantAndId(pk).id)
  if (!stored || captureDue(stored) !== due_at || Date.parse(due_at) > work.now() + CLOCKS_DIFFER_MS) return
  const payer = await payerOf(work, stored.customer.uuid)
  const subscription = withPayer(stored, payer)
  if (payer.card?.shown.type !== 'credit_card') {
    const { next, events } = failed(subscription, { code: 'no_payment_details', payment: null }, work.now())
    await work.commit([changed(subscriptions, next, events)])
  } else if (subscription.amount === 0) {
    await work.commit(freeOccurrence(work, subscription, payer.card).changes)
  } else {
    const next = occurrencePayment(work, subscription, payer.card)
    // `must_record` skips the size limit: an existing subscription is captured whatever its size.
    const under_way = changed(subscriptions, begun(subscription, next.id), [], { must_record: true })
    const plan = { next, operation: next.in_flight[0]!, also: [under_way, unchanged(cards, payer.card)] }
    const source = chargedSource(work, { customer: stored.customer.uuid })
    await runAndRecord(work, progress, { begin: async () => plan, source })
  }
}

/**
 * The plan of an operation that has begun in an earlier try. `begin` is not called, because the operation is resumed
 * for its outcome, whatever else has changed.
 */
const only_recorded: OperationPlan = { begin: () => Promise.reject(new Error('the operation has begun already')) }

async function runAndRecord(work: UnitOfWork, progress: OperationProgress, plan: OperationPlan): Promise<void> {
  try {
    const result = await runOperation(work, { progress }, plan)
    await keepingProgress(result.progress, () => work.commit(result.changes))
  } catch (error) {
    if (!isUnknownOutcome(error)) throw error
  }
}

/**
 * Returns a subscription after the capture of an interval with amount zero, and the changes of the capture. The payment
 * is captured at once, without the acquirer.
 */
export function freeOccurrence(
  work: UnitOfWork,
  subscription: Subscription,
  card: Card,
): { next: Subscription; changes: Change[] } {
  const open = { ...occurrencePayment(work, subscription, card), in_flight: [] }
  const payment = moved(open, 'captured', { captured_at: timestamp(work.now()) })
  const { next, events } = captured(subscription, payment.id, work.now())
  const all_events = subscription.version === 0 ? (['subscription.created', ...events] as const) : events
  return { next, changes: [changed(payments, payment, ['payment.captured']), changed(subscriptions, next, all_events)] }
}

/** Returns a new payment for the due interval of a subscription, with its charge in flight. */
export function occurrencePayment(work: UnitOfWork, subscription: Subscription, card: Card): Payment {
  const { id, amount, currency, interval, tries, customer } = subscription
  const occurrence = { subscription: id, interval, try: tries }
  const shown = { ...card.shown, email: card.shown.email ?? customer.email }
  return newPayment(
    { amount, currency, customer: customer.uuid, occurrence },
    { ...card, shown },
    work.newId('payment'),
    work.now(),
  )
}
