import type Stripe from 'stripe'
import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { payment_type_rows } from '#shared/domain/payment-details.ts'
import { fromStripe } from './amount.ts'
import { type StripeCalls, StripeRefusal } from './calls.ts'
import { cancelIntent } from './intent-calls.ts'
import { chargedIntent, readIntent } from './intents.ts'
import { UnexpectedAnswer } from './outcome.ts'
import { createRefund, foundRefund } from './refund.ts'
import { endSetup, isSetup } from './setup.ts'

/** How often a void reads the PaymentIntent while its state changes in the meantime. */
const READS_AT_MOST = 3

/**
 * Sends a void. A charge that has taken no money is cancelled. For a charge that has, the outcome is `captured`, unless
 * the payment has ended and its money is unwanted: then it is refunded. A charge that never arrived needs no void. The
 * verification of a card without an amount is ended.
 */
export async function sendVoid(calls: StripeCalls, order: Order): Promise<Outcome> {
  const id = await chargedIntent(calls, order)
  if (id === undefined) return { result: 'done' }
  if (isSetup(id)) return endSetup(calls, id)
  for (let reads = 1; ; reads++) {
    const outcome = await voided(calls, order, id)
    if (outcome) return outcome
    try {
      await cancelIntent(calls, id)
      return { result: 'done', reference: id }
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) || reads === READS_AT_MOST) throw error
    }
  }
}

/** The outcome of a void whose charge has ended; null if the charge has to be cancelled. */
async function voided(calls: StripeCalls, order: Order, id: string): Promise<Outcome | null> {
  const intent = await readIntent(calls, id)
  if (intent.status === 'canceled') return { result: 'done', reference: id }
  if (intent.status !== 'succeeded') return null
  return order.because === 'unwanted' ? giveBack(calls, order, id) : taken(intent, order)
}

/** The outcome of a void that came too late. The dashboard of Stripe can have captured a part of the authorization. */
function taken({ id, amount, amount_received, currency }: Stripe.PaymentIntent, order: Order): Outcome {
  if (currency.toUpperCase() !== order.currency) throw new UnexpectedAnswer('currency', id)
  if (amount_received < 1 || amount_received > amount) throw new UnexpectedAnswer('amount_received', id)
  const is_part = amount_received !== amount
  return { result: 'captured', reference: id, ...(is_part && { taken: fromStripe(amount_received, order.currency) }) }
}

/**
 * Refunds a charge whose payment has ended. Stripe cannot return cash by itself, so an operator has to, and the outcome
 * is `captured`.
 */
async function giveBack(calls: StripeCalls, order: Order, id: string): Promise<Outcome> {
  if (payment_type_rows[order.type].flow === 'cash') {
    calls.alarm('paid_after_end', order)
    return { result: 'captured', reference: id }
  }
  const refund = (await foundRefund(calls, order)) ?? (await refundRest(calls, order, id))
  return refund ?? { result: 'done', reference: id }
}

/** Refunds what is not refunded yet. Null if everything is. */
async function refundRest(calls: StripeCalls, order: Order, payment_intent: string): Promise<Outcome | null> {
  try {
    const { id: reference, status } = await createRefund(calls, order, { payment_intent })
    const failed = status === 'failed' || status === 'canceled'
    return failed ? { result: 'declined', code: 'other_error', reference } : { result: 'done', reference }
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    if (error.code === 'charge_already_refunded') return null
    calls.refused(order, error)
    return { result: 'declined', code: 'other_error' }
  }
}

/** The outcome of a void that has taken effect; null if the charge can still take money. */
export async function foundVoid(calls: StripeCalls, order: Order): Promise<Outcome | null> {
  const id = await chargedIntent(calls, order)
  if (id === undefined) return null
  const intent = await readIntent(calls, id)
  if (intent.status === 'canceled') return { result: 'done', reference: id }
  if (intent.status !== 'succeeded') return null
  return order.because === 'unwanted' ? foundRefund(calls, order) : taken(intent, order)
}
