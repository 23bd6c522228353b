import { Refusal } from '#shared/domain/errors.ts'
import { keepingProgress, type OperationProgress, type StartedProgress } from '#shared/domain/operation-progress.ts'
import { newSubscription, type Subscription } from '#shared/domain/subscription.ts'
import { begun } from '#shared/domain/subscription-states.ts'
import { chargedSource } from '#shared/payments/payment-source.ts'
import { isUnknownOutcome, runOperation } from '#shared/payments/run-operation.ts'
import type { CreateSubscription } from '#shared/resources/subscription.ts'
import { type Change, changed, changedIn, unchanged } from '#shared/store/change.ts'
import { type Card, cards } from '#shared/store/customers.ts'
import type { OperationContext } from '#shared/store/operation-lease.ts'
import { payments } from '#shared/store/payments.ts'
import { keptCustomer, payerOf, withPayer } from '#shared/store/subscription-payers.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { freeOccurrence, occurrencePayment } from './capture-subscription.ts'

/** The changes of a request for a new subscription, and the subscription after its first capture was tried. */
interface Made {
  readonly changes: readonly Change[]
  readonly answer: Subscription
  readonly progress?: OperationProgress
}

/**
 * Creates a subscription and captures its first interval. The subscription is then `active`, `suspended` after a
 * decline, or `pending` while the outcome is unknown. Refuses an unknown customer with `invalid_parameter`. Refuses a
 * customer without payment details that can be charged again with `unprocessable_entity`.
 */
export async function createSubscription(
  work: UnitOfWork,
  operation: OperationContext,
  request: CreateSubscription,
): Promise<Made> {
  if (request.amount === 0 && operation.progress.state === 'fresh') {
    const { subscription, card } = await firstInterval(work, request)
    const { next, changes } = freeOccurrence(work, subscription, card)
    return { changes: [...changes, unchanged(cards, card)], answer: next }
  }
  try {
    const { changes, progress } = await runOperation(work, operation, {
      async begin() {
        const { subscription, card } = await firstInterval(work, request)
        const next = occurrencePayment(work, subscription, card)
        const created = changed(subscriptions, begun(subscription, next.id), ['subscription.created'])
        return { next, operation: next.in_flight[0]!, also: [created, unchanged(cards, card)] }
      },
      source: chargedSource(work, { customer: request.customer }),
    })
    const after = changedIn(changes, subscriptions)
    return { changes, answer: after ?? (await startedSubscription(work, progress)), progress }
  } catch (error) {
    if (!isUnknownOutcome(error)) throw error
    return { changes: [], answer: await startedSubscription(work, error.progress), progress: error.progress }
  }
}

const startedSubscription = (work: UnitOfWork, progress: StartedProgress): Promise<Subscription> =>
  keepingProgress(progress, async () => {
    const payment = await work.get(payments, progress.payment)
    return work.get(subscriptions, payment.occurrence!.subscription)
  })

async function firstInterval(
  work: UnitOfWork,
  { customer: uuid, amount, currency, period, metadata }: CreateSubscription,
): Promise<{ subscription: Subscription; card: Card }> {
  const payer = await payerOf(work, uuid)
  const { customer, card } = payer
  if (!customer)
    throw new Refusal('invalid_parameter', {
      param: 'customer',
      message: 'There is no such customer. Send its uuid, and a key of the same merchant and mode.',
    })
  if (card?.shown.type !== 'credit_card')
    throw new Refusal('unprocessable_entity', {
      param: 'customer',
      message: 'The customer has no card that can be charged again. Store a credit_card with PATCH /customers/:id.',
    })
  const id = work.newId('subscription')
  const fields = { id, amount, currency, period, metadata, customer: keptCustomer(work, customer) }
  return { subscription: withPayer(newSubscription(fields, work.now()), payer), card }
}
