import { Refusal } from '#shared/domain/errors.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { PaymentType, ShownDetails } from '#shared/domain/payment-details.ts'
import type { Session } from '#shared/domain/session.ts'
import { findCard } from '#shared/store/customers.ts'
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

/** Refuses with `invalid_parameter` a customer other than the customer of the session. */
export function refuseOtherCustomer(
  { mode, customer_id }: Session,
  { customer }: { readonly customer?: string | undefined },
): void {
  if (customer === undefined || (mode === 'payment' && customer === customer_id)) return
  throw new Refusal('invalid_parameter', {
    param: 'customer',
    message: 'customer must be the customer of the session. Send payment_details instead.',
  })
}

/**
 * Returns the stored card that the page of a session offers. Undefined if the session has no customer with a stored
 * card, or does not offer the type of the card.
 */
export async function storedCardOf(
  work: UnitOfWork,
  { mode, customer_id, payment_types }: Session,
): Promise<ShownDetails | undefined> {
  if (mode !== 'payment' || customer_id === null) return undefined
  const card = await findCard(work, customer_id)
  return card && payment_types.includes(card.shown.type) ? card.shown : undefined
}

/**
 * Returns the present card of the customer whom a session has stored. Undefined for any other session, and once the
 * customer has no card.
 */
export async function savedCardOf(
  work: UnitOfWork,
  { mode, status, customer_id }: Session,
): Promise<ShownDetails | undefined> {
  if (mode !== 'customer' || status !== 'completed' || customer_id === null) return undefined
  return (await findCard(work, customer_id))?.shown
}

/** Refuses with `invalid_payment_type` a payment type that the session does not offer. */
export function refuseOtherTypes({ payment_types }: Session, type: PaymentType): void {
  if (payment_types.includes(type)) return
  throw new Refusal('invalid_payment_type', {
    param: 'payment_details',
    message: 'This session cannot be paid with this payment type.',
  })
}
