import type Stripe from 'stripe'
import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { PaymentReport, Reports } from '#shared/acquirer/reports.ts'
import { logTransfer } from './bank-transfer.ts'
import { type StripeAccess, StripeCalls, StripeRefusal } from './calls.ts'
import { eventReference } from './event-reference.ts'
import { event_types, type FollowedObject, polled_types } from './event-types.ts'
import { readIntent } from './intents.ts'
import { listed, PAGE_SIZE } from './lists.ts'
import { UnexpectedAnswer } from './outcome.ts'
import { reportedPayment } from './reported-payment.ts'

/** The events of a bank transfer that arrives. Its other events do not repeat the log lines about it. */
const logged_types: ReadonlySet<string> = new Set(['payment_intent.partially_funded', 'payment_intent.succeeded'])

/** What Stripe reports by itself: the payments that its notifications are about, and its list of events. */
export const stripeReports = (access: StripeAccess): Reports => ({
  report: (type, object, within_ms) =>
    withAlarms(new StripeCalls(access, within_ms), object, (calls) => report(calls, type, object)),
  since: (from, page, within_ms) =>
    withAlarms(new StripeCalls(access, within_ms), 'events', (calls) => eventsSince(calls, from, page)),
})

/**
 * Reads the PaymentIntent that an object belongs to. Null for an object that does not exist, for one without a
 * PaymentIntent, and for a PaymentIntent of another stage or of no payment.
 */
async function report(calls: StripeCalls, type: string, object: string): Promise<PaymentReport | null> {
  const kind = event_types.get(type)
  const id = kind && (await intentIdOf(calls, kind, object))
  if (!id) return null
  const intent = await existing(readIntent(calls, id))
  if (!intent) return null
  const { stage, merchant, payment } = intent.metadata
  if (stage !== calls.access.stage || !merchant || !payment) return null
  if (logged_types.has(type)) await logTransfer(calls, intent, { merchant, payment })
  const refunds = isRefunded(intent) ? await refundsOf(calls, id) : []
  return { merchant, payment, reference: id, state: reportedPayment(intent, refunds) }
}

async function intentIdOf(calls: StripeCalls, kind: FollowedObject, object: string): Promise<string | null> {
  if (kind === 'payment_intent') return object
  const found = await existing(
    calls.call(
      (stripe, options): Promise<Stripe.Charge | Stripe.Refund> =>
        kind === 'charge' ? stripe.charges.retrieve(object, {}, options) : stripe.refunds.retrieve(object, {}, options),
    ),
  )
  return found ? idOf(found.payment_intent) : null
}

const idOf = (object: string | { readonly id: string } | null): string | null =>
  typeof object === 'object' && object ? object.id : object

const isRefunded = ({ latest_charge }: Stripe.PaymentIntent): boolean =>
  typeof latest_charge === 'object' && latest_charge !== null && latest_charge.amount_refunded > 0

/** Reads all refunds of a PaymentIntent. */
const refundsOf = (calls: StripeCalls, payment_intent: string): Promise<Stripe.Refund[]> =>
  Array.fromAsync(
    listed((page) => calls.call((stripe, options) => stripe.refunds.list({ payment_intent, ...page }, options))),
  )

async function eventsSince(calls: StripeCalls, from: string, page: string | null): ReturnType<Reports['since']> {
  const params: Stripe.EventListParams = {
    types: [...polled_types],
    created: { gte: Math.floor(Date.parse(from) / 1000) },
    limit: PAGE_SIZE,
    ...(page !== null && { starting_after: page }),
  }
  const { data, has_more } = await calls.call((stripe, options) => stripe.events.list(params, options))
  const events = data.flatMap((event) => eventReference(event) ?? [])
  return { events, next: has_more ? (data.at(-1)?.id ?? null) : null }
}

/** The object of a look-up; null if Stripe does not have it. */
async function existing<T>(looked_up: Promise<T>): Promise<T | null> {
  try {
    return await looked_up
  } catch (error) {
    if (error instanceof StripeRefusal && error.code === 'resource_missing') return null
    throw error
  }
}

/** Runs a look-up. One that Stripe refuses, or answers with a value that is unknown, raises an alarm. */
async function withAlarms<T>(calls: StripeCalls, record: string, run: (calls: StripeCalls) => Promise<T>): Promise<T> {
  const log = (event: string, about: object) =>
    calls.access.log({ level: 'error', event, provider: 'stripe', record, ...about })
  try {
    return await run(calls)
  } catch (error) {
    if (error instanceof UnexpectedAnswer) log('acquirer_unexpected', { provider_code: error.code })
    if (!(error instanceof StripeRefusal)) throw error
    log('acquirer_refused', { provider_code: error.code, provider_param: error.error.param })
    throw new OutcomeUnknown()
  }
}
