import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { type StripeCalls, StripeRefusal } from '#shared/acquirer/stripe/calls.ts'
import { endSetup, inquireSetup, isSetup } from '#shared/acquirer/stripe/setup.ts'

const ID = 'seti_1'

/** Calls that get these answers one after the other. An answer that is an error is thrown. */
function callsWith(...answers: unknown[]): StripeCalls {
  const call = async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  return { call } as unknown as StripeCalls
}

const refusal = new StripeRefusal({ type: 'invalid_request_error' } as Stripe.StripeRawError, undefined)

describe('isSetup', () => {
  test('tells a SetupIntent from a PaymentIntent', () => {
    expect(['seti_1', 'pi_1'].map(isSetup)).toEqual([true, false])
  })
})

describe('inquireSetup', () => {
  const failed = { last_setup_error: { type: 'card_error', code: 'setup_intent_authentication_failure' } }
  test.each([
    [{ status: 'succeeded' }, 'authorized'],
    [{ status: 'requires_action' }, 'pending'],
    [{ status: 'processing' }, 'pending'],
    [{ status: 'requires_payment_method' }, 'never_arrived'],
    [{ status: 'requires_confirmation' }, 'never_arrived'],
    [{ status: 'requires_payment_method', ...failed }, 'declined'],
    [{ status: 'canceled' }, 'expired'],
  ])('takes %j for %s', async (intent, result) => {
    expect(await inquireSetup(callsWith(intent), ID)).toMatchObject({ result, reference: ID })
  })

  test('does not guess what an unknown status means', async () => {
    await expect(inquireSetup(callsWith({ status: 'new' }), ID)).rejects.toBeInstanceOf(OutcomeUnknown)
  })
})

describe('endSetup', () => {
  test.each(['succeeded', 'canceled'])('leaves a verification alone that is %s', async (status) => {
    expect(await endSetup(callsWith({ status }), ID)).toEqual({ result: 'done', reference: ID })
  })

  test('does not know the outcome if the verification cannot be ended in its present state', async () => {
    const calls = callsWith({ status: 'requires_action' }, refusal)
    await expect(endSetup(calls, ID)).rejects.toBeInstanceOf(OutcomeUnknown)
  })
})
