import { acquirerOf } from '#shared/acquirer/attempt.ts'
import { newSession, refuseUnpayable } from '#shared/domain/new-session.ts'
import type { Session } from '#shared/domain/session.ts'
import { sealedWebhooks } from '#shared/payments/create-payment.ts'
import type { CreateSession } from '#shared/resources/create-session.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { sessions } from '#shared/store/sessions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Creates a session from a merchant's request. Nothing is charged before the customer pays. Refuses with
 * `service_unavailable` a live session of mode `payment` in a stage without an acquirer.
 */
export async function createSession(
  work: UnitOfWork,
  request: CreateSession,
): Promise<{ changes: readonly Change[]; answer: Session }> {
  refuseUnpayable(request)
  // A customer must not be sent to a session that no acquirer can charge.
  if (request.mode === 'payment') acquirerOf(work, work.mode)
  const id = work.newId('session')
  const { payment_data, ...fields } = request
  const { capture, external_order_num, webhooks } = payment_data
  const sealed = await sealedWebhooks(work, id, webhooks)
  const record = newSession({ ...fields, capture, external_order_num }, id, sealed, work.now())
  return { changes: [changed(sessions, record)], answer: record }
}
