import type Stripe from 'stripe'
import { OutcomeUnknown, type Verification, type Verified } from '#shared/acquirer/acquirer.ts'
import { toStripe } from './amount.ts'
import { type StripeCalls, StripeRefusal } from './calls.ts'
import { cancelIntent } from './intent-calls.ts'
import { UnexpectedAnswer } from './outcome.ts'
import { cardMethod } from './payment-method.ts'
import { endSetup, isSetup } from './setup.ts'

/** A PaymentIntent or a SetupIntent. */
type Intent = Stripe.PaymentIntent | Stripe.SetupIntent

const no_verification: Verified = { needs_verification: false, redirect_url: null, reference: null }

/**
 * Starts 3-D Secure for a card. The verification of an amount holds the amount: the charge of the secure token captures
 * or keeps this hold, because a charge of its own would ask the cardholder again. Without an amount, only the card is
 * verified. A card that is declined needs no verification, and is declined again when it is charged. Other payment
 * types have no verification.
 */
export async function verifyCard(calls: StripeCalls, verification: Verification): Promise<Verified> {
  const { details } = verification
  if (details.type !== 'credit_card') return no_verification
  const [intent, method] = await Promise.allSettled([createIntent(calls, verification), cardMethod(calls, details)])
  if (intent.status === 'rejected') throw failureOf(intent.reason)
  const { id: reference } = intent.value
  if (method.status === 'rejected') return unverified(method.reason, reference)
  try {
    return verified(await confirm(calls, verification, reference, method.value))
  } catch (error) {
    if (error instanceof OutcomeUnknown) await release(calls, reference)
    return unverified(error, reference)
  }
}

/**
 * Cancels a verification whose outcome is unknown: no secure token is created for it, so nothing else would release its
 * hold. If this fails too, the network ends the hold after some days.
 */
async function release(calls: StripeCalls, id: string): Promise<void> {
  try {
    await (isSetup(id) ? endSetup(calls, id) : cancelIntent(calls, id))
  } catch (error) {
    if (!(error instanceof OutcomeUnknown || error instanceof StripeRefusal)) throw error
  }
}

const createIntent = (calls: StripeCalls, { token, merchant, amount, currency }: Verification): Promise<Intent> => {
  const metadata = { stage: calls.access.stage, merchant, token }
  const options = { limit: 'create', key: `${token}-verification` } as const
  const params = { payment_method_types: ['card'], metadata }
  return amount > 0
    ? calls.call(
        (stripe, call) =>
          stripe.paymentIntents.create(
            {
              ...params,
              amount: toStripe(amount, currency),
              currency: currency.toLowerCase(),
              capture_method: 'manual',
            },
            call,
          ),
        options,
      )
    : calls.call((stripe, call) => stripe.setupIntents.create({ ...params, usage: 'off_session' }, call), options)
}

const confirm = (
  calls: StripeCalls,
  { amount, return_url }: Verification,
  id: string,
  payment_method: string,
): Promise<Intent> => {
  const card = { request_three_d_secure: 'any' } as const
  const params = { payment_method, payment_method_options: { card }, return_url }
  return calls.call(
    (stripe, call): Promise<Intent> =>
      amount > 0 ? stripe.paymentIntents.confirm(id, params, call) : stripe.setupIntents.confirm(id, params, call),
    { limit: 'confirm' },
    id,
  )
}

function verified(intent: Intent): Verified {
  const { id: reference, status, next_action } = intent
  if (status === 'requires_capture' || status === 'succeeded') return { ...no_verification, reference }
  const redirect_url = next_action?.redirect_to_url?.url
  if (status !== 'requires_action' || !redirect_url) throw new UnexpectedAnswer('status', reference)
  return { needs_verification: true, redirect_url, reference }
}

function unverified(failure: unknown, reference: string): Verified {
  if (failure instanceof StripeRefusal && failure.error.type === 'card_error') return { ...no_verification, reference }
  throw failureOf(failure, reference)
}

/** A verification that Stripe does not take is a defect, which the merchant sees as no answer. */
const failureOf = (failure: unknown, reference?: string): unknown =>
  failure instanceof StripeRefusal ? new UnexpectedAnswer(failure.code ?? 'refused', reference) : failure
