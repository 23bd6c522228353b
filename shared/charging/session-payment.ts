import { Refusal } from '#shared/domain/errors.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { PaymentType } from '#shared/domain/payment-details.ts'
import { abandon } from '#shared/domain/payment-events.ts'
import type { Session } from '#shared/domain/session.ts'
import { attempts } from '#shared/store/attempts.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import type { Work } from '#shared/store/work.ts'
import { withVoid } from './settlement.ts'

/** What came of a try to pay: the session and its payment as they are now, and why the latter was declined. */
export interface PaidSession {
  readonly session: Session
  readonly payment: Payment | undefined
  readonly declined: Refusal | null
}

/** The payment of a session's latest try, if there was one. */
export const paymentOf = async (work: Work, { payment }: Session): Promise<Payment | undefined> =>
  payment === null ? undefined : work.find(payments, payment)

/**
 * The changes that give up a payment whose customer was sent elsewhere and has not come back: it is cancelled from now on,
 * and what it still takes is given back. None for a payment that has ended.
 */
export function givenUp(work: Work, payment: Payment | undefined): Change[] {
  if (payment?.status !== 'pending') return []
  const { next, events } = abandon(payment)
  const voiding = withVoid(work, next)
  return [changed(payments, voiding.next, events, { owed: true }), changed(attempts, voiding.attempt)]
}

/** Refuses with `invalid_payment_type` what the session does not offer. */
export function refuseOtherTypes({ payment_types }: Session, type: PaymentType): void {
  if (payment_types.includes(type)) return
  throw new Refusal('invalid_payment_type', {
    param: 'payment_details',
    message: 'This session cannot be paid with this payment type.',
  })
}
