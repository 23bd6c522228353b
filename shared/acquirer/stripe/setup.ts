import type Stripe from 'stripe'
import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { type StripeCalls, StripeRefusal } from './calls.ts'
import { declineOf } from './declines.ts'
import { UnexpectedAnswer } from './outcome.ts'

/** Whether an id of Stripe is that of a SetupIntent, which verifies a card and never takes money. */
export const isSetup = (id: string): boolean => id.startsWith('seti_')

/** Inquires about the verification of a card without an amount. A card that is verified is `authorized`. */
export async function inquireSetup(calls: StripeCalls, id: string): Promise<Outcome> {
  const { status, last_setup_error } = await readSetup(calls, id)
  switch (status) {
    case 'succeeded':
      return { result: 'authorized', reference: id }
    case 'requires_action':
    case 'processing':
      return { result: 'pending', reference: id }
    case 'requires_payment_method':
    case 'requires_confirmation':
      return last_setup_error
        ? { result: 'declined', code: declineOf(last_setup_error), reference: id }
        : { result: 'never_arrived', reference: id }
    case 'canceled':
      return { result: 'expired', reference: id }
    default:
      throw new UnexpectedAnswer('status', id)
  }
}

/** Ends the verification of a card. One that has succeeded holds nothing, so there is nothing to end. */
export async function endSetup(calls: StripeCalls, id: string): Promise<Outcome> {
  const { status } = await readSetup(calls, id)
  if (status !== 'succeeded' && status !== 'canceled') await cancelSetup(calls, id)
  return { result: 'done', reference: id }
}

const readSetup = (calls: StripeCalls, id: string): Promise<Stripe.SetupIntent> =>
  calls.call((stripe, options) => stripe.setupIntents.retrieve(id, {}, options), {}, id)

async function cancelSetup(calls: StripeCalls, id: string): Promise<void> {
  try {
    await calls.call((stripe, options) => stripe.setupIntents.cancel(id, {}, options), {}, id)
  } catch (error) {
    // Its state has changed since it was read, so it must be read again.
    if (error instanceof StripeRefusal) throw new OutcomeUnknown({ reference: id })
    throw error
  }
}
