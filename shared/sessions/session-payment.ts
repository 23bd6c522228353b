import { Refusal } from '#shared/domain/errors.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { PaymentType } from '#shared/domain/payment-details.ts'
import type { Session } from '#shared/domain/session.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** The result of a try to pay a session: the current session and payment, and the refusal if the try was declined. */
export interface PaidSession {
  readonly session: Session
  readonly payment: Payment | undefined
  readonly declined: Refusal | null
}

/** Returns the payment of a session's latest try, or undefined if there was no try. */
export const paymentOf = async (work: UnitOfWork, { payment }: Session): Promise<Payment | undefined> =>
  payment === null ? undefined : work.find(payments, payment)

/** Refuses with `invalid_payment_type` a payment type that the session does not offer. */
export function refuseOtherTypes({ payment_types }: Session, type: PaymentType): void {
  if (payment_types.includes(type)) return
  throw new Refusal('invalid_payment_type', {
    param: 'payment_details',
    message: 'This session cannot be paid with this payment type.',
  })
}
