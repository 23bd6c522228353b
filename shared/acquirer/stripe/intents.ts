import type Stripe from 'stripe'
import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { isRepeatable, REPEATABLE_SECONDS } from '#shared/acquirer/inquiry-schedule.ts'
import { creationTimeOf } from '#shared/domain/ids.ts'
import { toStripe } from './amount.ts'
import type { StripeCalls } from './calls.ts'
import { find } from './lists.ts'
import { stripe_methods } from './methods.ts'

const MINUTE_MS = 60_000

const REPEATABLE_MS = REPEATABLE_SECONDS * 1000

/** How far the clocks of Stripe and of this service can be apart. */
const CLOCKS_APART_MS = 5 * MINUTE_MS

/** What a PaymentIntent must contain, so that its outcome can be read. */
export const expanded = { expand: ['latest_charge.balance_transaction'] }

/**
 * Creates the PaymentIntent of a charge, which moves no money. Repeating it under its key returns the same
 * PaymentIntent, in the state in which it was created. The request depends only on the order, and never on the payment
 * details: an inquiry repeats it without them.
 */
export async function createIntent(calls: StripeCalls, order: Order): Promise<Stripe.PaymentIntent> {
  const customer = order.type === 'bank_transfer' ? await payer(calls, order) : order.customer?.reference
  const params: Stripe.PaymentIntentCreateParams = {
    amount: toStripe(order.amount, order.currency),
    currency: order.currency.toLowerCase(),
    payment_method_types: [stripe_methods.get(order.type)!.type],
    capture_method: order.type === 'credit_card' && !order.capture ? 'manual' : 'automatic',
    metadata: metadataOf(calls, order),
    ...(customer !== undefined && { customer }),
  }
  return calls.call((stripe, options) => stripe.paymentIntents.create(params, options), {
    limit: 'create',
    key: order.key,
  })
}

/** Creates the customer of a bank transfer. Each payment has its own, so incoming money matches only this payment. */
async function payer(calls: StripeCalls, order: Order): Promise<string> {
  const metadata = metadataOf(calls, order)
  const key = `${order.key}-customer`
  const { id } = await calls.call((stripe, options) => stripe.customers.create({ metadata }, options), {
    limit: 'create',
    key,
  })
  return id
}

/** The ids that lead from an object at Stripe to the payment. They contain no personal data. */
export const metadataOf = ({ access }: StripeCalls, { merchant, payment, attempt, key }: Order) => ({
  ...{ stage: access.stage, merchant, payment, attempt: String(attempt), key },
})

/** Reads a PaymentIntent. */
export const readIntent = (calls: StripeCalls, id: string): Promise<Stripe.PaymentIntent> =>
  calls.call((stripe, options) => stripe.paymentIntents.retrieve(id, expanded, options), {}, id)

/**
 * Returns the id of the PaymentIntent of a charge whose creation was not confirmed. While Stripe remembers the key, the
 * creation is repeated. Later it is never repeated, because it would create a second PaymentIntent: the PaymentIntents
 * of the time are listed. Undefined if there is none.
 */
export async function findIntent(calls: StripeCalls, order: Order): Promise<string | undefined> {
  if (isRepeatable(order, calls.access.clock.now())) return (await createIntent(calls, order)).id
  return listedIntent(calls, order.key, Date.parse(order.sent_at))
}

/**
 * Returns the PaymentIntent of the charge that is captured, refunded or voided. Undefined if the charge never arrived.
 * The charge began when the payment was created.
 */
export async function chargedIntent(calls: StripeCalls, order: Order): Promise<string | undefined> {
  if (order.of !== null) return order.of
  const began = creationTimeOf(order.payment)
  if (Number.isNaN(began)) throw new OutcomeUnknown()
  return listedIntent(calls, order.charge, began)
}

/**
 * Looks for a PaymentIntent by its key among those that were created while the key could be repeated, beginning with
 * those around the time at which the charge was first sent.
 */
async function listedIntent(calls: StripeCalls, key: string, sent_at: number): Promise<string | undefined> {
  const near = sent_at + CLOCKS_APART_MS
  const windows = [
    [sent_at - CLOCKS_APART_MS, near],
    [near, sent_at + REPEATABLE_MS + CLOCKS_APART_MS],
  ] as const
  for (const [from, to] of windows) {
    const created = { gte: Math.floor(from / 1000), lte: Math.ceil(to / 1000) }
    const found = await find(
      (page) => calls.call((stripe, options) => stripe.paymentIntents.list({ created, ...page }, options)),
      ({ metadata }) => metadata.key === key,
    )
    if (found) return found.id
  }
  return undefined
}
