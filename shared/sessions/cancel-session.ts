import { Refusal } from '#shared/domain/errors.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { Session } from '#shared/domain/session.ts'
import { cancelSession, isBeingPaid } from '#shared/domain/session-states.ts'
import { giveUpPayment } from '#shared/payments/give-up-payment.ts'
import { type Change, changed, changedIn } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { sessions } from '#shared/store/sessions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { paymentOf } from './session-payment.ts'

/**
 * Cancels a session, together with a payment whose customer is off-site. A session that is cancelled already stays
 * unchanged. Refuses with `not_cancellable` a completed session, and with `conflict` a session whose payment is in
 * flight.
 */
export async function cancelSessionAndPayment(
  work: UnitOfWork,
  id: string,
): Promise<{ changes: readonly Change[]; session: Session; payment: Payment | undefined }> {
  const before = await work.get(sessions, id)
  const payment = await paymentOf(work, before)
  const session = cancelSession(before, work.now())
  if (session === before) return { changes: [], session, payment }
  if (isBeingPaid(payment))
    throw new Refusal('conflict', { message: 'The session is being paid at this moment. Please look at it again.' })
  const changes = [changed(sessions, session), ...giveUpPayment(work, payment)]
  return { changes, session, payment: changedIn(changes, payments) ?? payment }
}
