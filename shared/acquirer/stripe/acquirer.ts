import type { Acquirer, Order } from '#shared/acquirer/acquirer.ts'
import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { Operation, Outcome } from '#shared/domain/payment.ts'
import { type StripeAccess, StripeCalls, StripeRefusal } from './calls.ts'
import { foundCapture, sendCapture } from './capture.ts'
import { inquireCharge, sendCharge } from './charge.ts'
import { refuseUnsupported } from './methods.ts'
import { UnexpectedAnswer } from './outcome.ts'
import { foundRefund, sendRefund } from './refund.ts'
import { inquired } from './repetition.ts'
import { verifyCard } from './verify.ts'
import { foundVoid, sendVoid } from './void.ts'

/** How an operation is sent and looked up at Stripe. */
interface Ways {
  send(calls: StripeCalls, order: Order): Promise<Outcome>
  inquire(calls: StripeCalls, order: Order, final: boolean): Promise<Outcome>
}

const operations: Readonly<Record<Operation, Ways>> = {
  charge: { send: sendCharge, inquire: inquireCharge },
  capture: {
    send: sendCapture,
    inquire: async (calls, order, final) => inquired(calls, order, await foundCapture(calls, order), final),
  },
  refund: {
    send: sendRefund,
    inquire: async (calls, order, final) => inquired(calls, order, await foundRefund(calls, order), final),
  },
  void: {
    send: sendVoid,
    inquire: async (calls, order, final) => inquired(calls, order, await foundVoid(calls, order), final),
  },
}

/**
 * The acquirer Stripe. A charge is a PaymentIntent, which can succeed at most once. Captures, refunds and voids are sent
 * again under their key until their outcome is known.
 */
export function stripe(access: StripeAccess): Acquirer {
  return {
    accepts: (order) => refuseUnsupported(order, access.clock.now()),
    repeats: new Set(['capture', 'refund', 'void'] as const),
    send: (order, within_ms) =>
      withAlarms(access, order, within_ms, (calls) => operations[order.operation].send(calls, order)),
    inquire: (order, { final = false }, within_ms) =>
      withAlarms(access, order, within_ms, (calls) => operations[order.operation].inquire(calls, order, final)),
    verify: (verification, within_ms) =>
      withAlarms(access, { merchant: verification.merchant, payment: verification.token }, within_ms, (calls) =>
        verifyCard(calls, verification),
      ),
  }
}

/**
 * Runs one operation. An answer that contradicts its order raises an alarm, and so does a look-up that Stripe refuses.
 * The outcome is then unknown.
 */
async function withAlarms<T>(
  access: StripeAccess,
  about: { readonly merchant: string; readonly payment: string },
  within_ms: number,
  run: (calls: StripeCalls) => Promise<T>,
): Promise<T> {
  const calls = new StripeCalls(access, within_ms)
  try {
    return await run(calls)
  } catch (error) {
    if (error instanceof UnexpectedAnswer) calls.alarm('acquirer_unexpected', about, { provider_code: error.code })
    if (!(error instanceof StripeRefusal)) throw error
    calls.refused(about, error)
    throw new OutcomeUnknown()
  }
}
