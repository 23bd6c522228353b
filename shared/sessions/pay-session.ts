import { Refusal } from '#shared/domain/errors.ts'
import { newPayment } from '#shared/domain/new-payment.ts'
import { keepingProgress, type OperationProgress } from '#shared/domain/operation-progress.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import type { Locale } from '#shared/domain/session.ts'
import { isBeingPaid, refusePayingEnded, tried } from '#shared/domain/session-states.ts'
import { giveUpPayment } from '#shared/payments/give-up-payment.ts'
import { chargedSource, findSource, loadSource } from '#shared/payments/payment-source.ts'
import { type OperationResult, runOperation } from '#shared/payments/run-operation.ts'
import { refuseExpired, withSessionEmail } from '#shared/resources/payment-details.ts'
import { type Change, changed, changedIn } from '#shared/store/change.ts'
import type { OperationContext } from '#shared/store/operation-lease.ts'
import { payments } from '#shared/store/payments.ts'
import { sessions } from '#shared/store/sessions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { type PaidSession, paymentOf, refuseOtherCustomer, refuseOtherTypes } from './session-payment.ts'
import { storeCustomer } from './store-customer.ts'

/** What a customer pays a session with, and the language of the customer. Exactly one of the first two is given. */
export interface SessionPayment {
  /** A text is the id of a token. Details without an e-mail address get that of the session. */
  readonly payment_details?: PaymentDetails | string | undefined
  /** The customer of the session, whose stored card is charged. */
  readonly customer?: string | undefined
  /** The language of the customer. The default is the session's `default_locale`. */
  readonly locale?: Locale
  /**
   * When the request arrived, in epoch milliseconds. A session that expires afterwards can still be paid. The default is
   * the present time.
   */
  readonly now?: number
}

/** Reads the records that `paySession` needs, in as few round trips as possible. */
export async function loadSession(work: UnitOfWork, id: string, request: SessionPayment): Promise<void> {
  const [session] = await Promise.all([work.find(sessions, id), loadSource(work, request)])
  if (session) await paymentOf(work, session)
}

/**
 * Pays a session, or stores the customer of a session of mode `customer`. Concurrent tries make one payment: a try
 * while a payment is in flight, or after the session is completed, gets the current session and payment. After a
 * decline, the session can be tried again. Refuses with `unprocessable_entity` a session that is cancelled, has expired
 * or has used up its 20 tries, and with `invalid_parameter` a customer other than that of the session.
 */
export async function paySession(
  work: UnitOfWork,
  operation: OperationContext,
  id: string,
  request: SessionPayment,
): Promise<{ changes: readonly Change[]; answer: PaidSession; progress?: OperationProgress }> {
  if (operation.progress.state === 'fresh') {
    const session = await work.get(sessions, id)
    const payment = await paymentOf(work, session)
    if (session.status === 'completed' || (session.status === 'pending' && isBeingPaid(payment)))
      return { changes: [], answer: { session, payment, declined: null } }
    refusePayingEnded(session, request.now ?? work.now())
    refuseOtherCustomer(session, request)
    if (session.mode === 'customer') return storeCustomer(work, session, request.payment_details!)
  }
  const { email } = await work.get(sessions, id)
  const paid_with = { ...request, payment_details: withSessionEmail(request.payment_details, email) }
  const result = await runOperation(work, operation, {
    begin: () => begin(work, id, paid_with),
    source: chargedSource(work, paid_with),
  })
  const { changes, progress } = result
  return { changes, answer: await keepingProgress(progress, () => paidSession(work, id, result)), progress }
}

async function begin(work: UnitOfWork, id: string, request: SessionPayment) {
  const session = await work.get(sessions, id)
  const { amount, currency, tax, default_locale, customer_id } = session
  if (typeof request.payment_details === 'object') refuseExpired(request.payment_details, work.now())
  const source = await findSource(work, { ...request, amount, currency, tax })
  refuseOtherTypes(session, source.shown.type)
  const payment_id = work.newId('payment')
  const order = {
    ...{ tax, capture: session.capture, external_order_num: session.external_order_num, webhooks: session.webhooks },
    ...{ metadata: session.metadata, session: id, customer: customer_id, verified_by: source.verified_by },
    amount: amount!,
    currency: currency!,
    locale: request.locale ?? default_locale,
  }
  const next = newPayment(order, source, payment_id, work.now())
  const before = await paymentOf(work, session)
  const also = [
    changed(sessions, tried(session, next), [], { must_record: true }),
    ...giveUpPayment(work, before),
    ...source.use(payment_id),
  ]
  return { next, operation: next.in_flight[0]!, also, token: source.token, reference: source.reference }
}

async function paidSession(
  work: UnitOfWork,
  id: string,
  { changes, answer, progress }: OperationResult,
): Promise<PaidSession> {
  const session = changedIn(changes, sessions) ?? (await work.get(sessions, id))
  const payment = changedIn(changes, payments) ?? (await work.get(payments, progress.payment))
  return { session, payment, declined: answer instanceof Refusal ? answer : null }
}
