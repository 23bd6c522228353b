import { Refusal } from '#shared/domain/errors.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { begun } from '#shared/domain/subscription-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { CreateSubscription } from '#shared/resources/subscription.ts'
import { type Change, changed, changedIn, unchanged } from '#shared/store/change.ts'
import { type Card, cards } from '#shared/store/customers.ts'
import { payments } from '#shared/store/payments.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { Work } from '#shared/store/work.ts'
import { freeOccurrence, occurrencePayment } from './capture-subscription.ts'
import { openSource } from './source.ts'
import { keptCustomer, payerOf, withPayer } from './subscription-source.ts'
import { throughAcquirer } from './through-acquirer.ts'

/** What a request for a new subscription changes, and the subscription after its first attempt. */
interface Made {
  readonly changes: readonly Change[]
  readonly answer: Subscription
}

/**
 * Makes a subscription and captures its first interval: answered `active`, `suspended` when it was declined, `pending`
 * while the outcome is not known. Refuses an unknown customer with `invalid_parameter`, and with `unprocessable_entity`
 * one without payment details that can be charged again.
 */
export async function makeSubscription(work: Work, request: CreateSubscription): Promise<Made> {
  if (request.amount === 0 && !work.claim?.bound) {
    const { subscription, card } = await newSubscription(work, request)
    const { next, changes } = freeOccurrence(work, subscription, card)
    return { changes: [...changes, unchanged(cards, card)], answer: next }
  }
  try {
    const { changes } = await throughAcquirer(work, {
      async begin() {
        const { subscription, card } = await newSubscription(work, request)
        const next = occurrencePayment(work, subscription, card)
        const created = changed(subscriptions, begun(subscription, next.id), ['subscription.created'])
        return { next, operation: next.in_flight[0]!, also: [created, unchanged(cards, card)] }
      },
      details: () => openSource(work, { customer: request.customer }),
    })
    return { changes, answer: changedIn(changes, subscriptions) ?? (await subscriptionBegun(work)) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'gateway_timeout') throw error
    return { changes: [], answer: await subscriptionBegun(work) }
  }
}

async function subscriptionBegun(work: Work): Promise<Subscription> {
  const payment = await work.get(payments, work.begun!.payment)
  return work.get(subscriptions, payment.occurrence!.subscription)
}

async function newSubscription(
  work: Work,
  { customer: uuid, amount, currency, period, metadata }: CreateSubscription,
): Promise<{ subscription: Subscription; card: Card }> {
  const payer = await payerOf(work, uuid)
  const { customer, card } = payer
  if (!customer) throw new Refusal('invalid_parameter', { param: 'customer', message: 'There is no such customer.' })
  if (card?.shown.type !== 'credit_card')
    throw new Refusal('unprocessable_entity', {
      param: 'customer',
      message: 'The customer has no payment details that can be charged again.',
    })
  const subscription: Subscription = {
    id: work.newId('subscription'),
    version: 0,
    status: 'pending',
    amount,
    currency,
    period,
    customer: keptCustomer(work, customer),
    payment_details: null,
    interval: 0,
    tries: 0,
    retry_count: 0,
    retry_at: null,
    not_before: null,
    in_flight: null,
    payments: [],
    metadata,
    created_at: timestamp(work.now()),
    ended_at: null,
  }
  return { subscription: withPayer(subscription, payer), card }
}
