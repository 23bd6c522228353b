import type { Payment } from '#shared/domain/payment.ts'
import { abandon } from '#shared/domain/payment-decisions.ts'
import { attempts } from '#shared/store/attempts.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { withVoid } from './record-outcome.ts'

/**
 * Returns the changes that cancel a pending payment whose customer was sent off-site. A charge that succeeds late is
 * voided. The result is empty for a payment that is not pending.
 */
export function giveUpPayment(work: UnitOfWork, payment: Payment | undefined): Change[] {
  if (payment?.status !== 'pending') return []
  const { next, events } = abandon(payment)
  const voiding = withVoid(work, next)
  return [changed(payments, voiding.next, events, { must_record: true }), changed(attempts, voiding.attempt)]
}
