import type { Payment } from '#shared/domain/payment.ts'
import type { Session } from '#shared/domain/session.ts'
import { completed } from '#shared/domain/session-states.ts'
import { type Change, changed } from './change.ts'
import { recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** The sessions of merchants. */
export const sessions: Kind<Session> = {
  name: 'session',
  key: (merchant, { id }) => recordKey('session', merchant, id),
  as_text: ['metadata'],
}

/**
 * The change that completes the pending session of a payment which has just become authorized or captured; otherwise no
 * change.
 */
export async function completionOf(work: UnitOfWork, before: Payment, after: Payment): Promise<Change[]> {
  const paid = after.status === 'captured' || after.status === 'authorized'
  if (!after.session || before.status !== 'pending' || !paid) return []
  const session = await work.find(sessions, after.session)
  if (session?.status !== 'pending') return []
  return [changed(sessions, completed(session, work.now(), { payment: after.id }), [], { must_record: true })]
}
