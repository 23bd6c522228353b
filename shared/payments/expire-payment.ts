import { isOverdue } from '#shared/domain/payment-deadline.ts'
import { expire } from '#shared/domain/payment-decisions.ts'
import { payment_type_rows } from '#shared/domain/payment-details.ts'
import type { Message } from '#shared/platform/ports.ts'
import { attempts } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { withVoid } from './record-outcome.ts'

/** Expires an unpaid payment at its deadline, and voids the card authorization that holds its amount. */
export async function expirePayment(work: UnitOfWork, { pk, due_at }: Message): Promise<void> {
  const payment = await work.find(payments, merchantAndId(pk).id)
  if (!payment || payment.payment_deadline !== due_at || !isOverdue(payment, work.now())) return
  const { next, events } = expire(payment)
  const held = payment.status === 'authorized' && payment_type_rows[payment.payment_details.type].flow === 'card'
  const voiding = held ? withVoid(work, next) : undefined
  await work.commit([
    changed(payments, voiding?.next ?? next, events, { must_record: true }),
    ...(voiding ? [changed(attempts, voiding.attempt)] : []),
  ])
}
