import type { Payment } from '#shared/domain/payment.ts'
import { isOverdue } from '#shared/domain/payment-deadline.ts'
import { expire } from '#shared/domain/payment-decisions.ts'
import { payment_type_rows } from '#shared/domain/payment-details.ts'
import { isAtProvider } from '#shared/domain/payment-states.ts'
import type { Message } from '#shared/platform/ports.ts'
import { attempts } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { attemptKey, merchantAndId } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { withVoid } from './record-outcome.ts'
import { resolveAttempt } from './resolve-attempt.ts'

/**
 * Expires an unpaid payment at its deadline, and voids the card authorization that holds its amount. A payment at a
 * provider is voided first, and the outcome of the void decides whether it has expired or was paid.
 */
export async function expirePayment(work: UnitOfWork, { pk, due_at }: Message): Promise<void> {
  const payment = await work.find(payments, merchantAndId(pk).id)
  if (!payment || payment.payment_deadline !== due_at || !isOverdue(payment, work.now())) return
  if (isAtProvider(payment)) return voidFirst(work, payment)
  const { next, events } = expire(payment)
  const held = payment.status === 'authorized' && payment_type_rows[payment.payment_details.type].flow === 'card'
  const voiding = held ? withVoid(work, next) : undefined
  await work.commit([
    changed(payments, voiding?.next ?? next, events, { must_record: true }),
    ...(voiding ? [changed(attempts, voiding.attempt)] : []),
  ])
}

/** Begins the void of a payment that has passed its deadline, and sends the void at once. */
async function voidFirst(work: UnitOfWork, payment: Payment): Promise<void> {
  const { next, attempt } = withVoid(work, payment, 'expired')
  await work.commit([changed(payments, next, [], { must_record: true }), changed(attempts, attempt)])
  const key = attemptKey(work.merchant, payment.id, attempt.number)
  await resolveAttempt(work, { ...key, kind: 'attempt', due_at: attempt.inquire_at! })
}
