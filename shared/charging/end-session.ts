import { Refusal } from '#shared/domain/errors.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { Session } from '#shared/domain/session.ts'
import { cancelSession, isBeingPaid } from '#shared/domain/session-states.ts'
import { type Change, changed, changedIn } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { sessions } from '#shared/store/sessions.ts'
import type { Work } from '#shared/store/work.ts'
import { givenUp, paymentOf } from './session-payment.ts'

/**
 * Ends a session that nobody is to pay any more, together with a payment whose customer was sent elsewhere. Refuses with
 * `not_cancellable` a completed session, and with `conflict` one whose payment is out at the acquirer.
 */
export async function endSession(
  work: Work,
  id: string,
): Promise<{ changes: readonly Change[]; session: Session; payment: Payment | undefined }> {
  const before = await work.get(sessions, id)
  const payment = await paymentOf(work, before)
  const session = cancelSession(before, work.now())
  if (session === before) return { changes: [], session, payment }
  if (isBeingPaid(payment))
    throw new Refusal('conflict', { message: 'The session is being paid at this moment. Please look at it again.' })
  const changes = [changed(sessions, session), ...givenUp(work, payment)]
  return { changes, session, payment: changedIn(changes, payments) ?? payment }
}
