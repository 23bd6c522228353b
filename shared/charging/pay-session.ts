import { createPayment } from '#shared/domain/create-payment.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import type { Locale } from '#shared/domain/session.ts'
import { isBeingPaid, refusePayingEnded, tried } from '#shared/domain/session-states.ts'
import { refuseExpired } from '#shared/resources/payment-details.ts'
import { type Change, changed, changedIn } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { sessions } from '#shared/store/sessions.ts'
import type { Work } from '#shared/store/work.ts'
import { givenUp, type PaidSession, paymentOf, refuseOtherTypes } from './session-payment.ts'
import { findSource, loadSource, openSource } from './source.ts'
import { storeCustomerOf } from './store-customer-of.ts'
import { throughAcquirer } from './through-acquirer.ts'

/** How a customer wants to pay. */
export interface SessionPayment {
  /** As text: the id of a token. */
  readonly payment_details: PaymentDetails | string
  /** The language that the customer reads; absent, the session's. */
  readonly locale?: Locale
}

/** Reads what paying will need, in as few waits as can be. */
export async function loadSession(work: Work, id: string, request: SessionPayment): Promise<void> {
  const [session] = await Promise.all([work.find(sessions, id), loadSource(work, request)])
  if (session) await paymentOf(work, session)
}

/**
 * Pays a session, or stores its customer: contract of `POST /sessions/:id/pay`. However many try at the same time, one
 * payment is made; whoever comes while it is being made, or afterwards, is told of it. A decline leaves the session to be
 * tried again. Refuses with `unprocessable_entity` a session that has ended otherwise.
 */
export async function paySession(
  work: Work,
  id: string,
  request: SessionPayment,
): Promise<{ changes: readonly Change[]; answer: PaidSession }> {
  if (!work.begun && !work.claim?.bound) {
    const session = await work.get(sessions, id)
    const payment = await paymentOf(work, session)
    if (session.status === 'completed' || (session.status === 'pending' && isBeingPaid(payment)))
      return { changes: [], answer: { session, payment, declined: null } }
    refusePayingEnded(session, work.now())
    if (session.mode === 'customer') return storeCustomerOf(work, session, request.payment_details)
  }
  const { changes, answer } = await throughAcquirer(work, {
    begin: () => begin(work, id, request),
    details: () => openSource(work, request),
  })
  return { changes, answer: await outcomeOf(work, id, changes, answer) }
}

async function begin(work: Work, id: string, request: SessionPayment) {
  const session = await work.get(sessions, id)
  const { amount, currency, tax, default_locale } = session
  if (typeof request.payment_details === 'object') refuseExpired(request.payment_details, work.now())
  const source = await findSource(work, { ...request, amount, currency, tax })
  refuseOtherTypes(session, source.shown.type)
  const payment_id = work.newId('payment')
  const order = {
    ...{ tax, capture: session.capture, external_order_num: session.external_order_num, webhooks: session.webhooks },
    ...{ metadata: session.metadata, session: id, verified_by: source.verified_by },
    amount: amount!,
    currency: currency!,
    locale: request.locale ?? default_locale,
  }
  const next = createPayment(order, source, payment_id, work.now())
  const before = await paymentOf(work, session)
  const also = [
    changed(sessions, tried(session, next), [], { owed: true }),
    ...givenUp(work, before),
    ...source.use(payment_id),
  ]
  return { next, operation: next.in_flight[0]!, also, token: source.token }
}

async function outcomeOf(
  work: Work,
  id: string,
  changes: readonly Change[],
  answer: Payment | Refusal,
): Promise<PaidSession> {
  const session = changedIn(changes, sessions) ?? (await work.get(sessions, id))
  const payment = changedIn(changes, payments) ?? (await work.get(payments, work.begun!.payment))
  return { session, payment, declined: answer instanceof Refusal ? answer : null }
}
