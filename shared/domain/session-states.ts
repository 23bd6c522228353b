import { Refusal } from './errors.ts'
import type { Payment } from './payment.ts'
import { isExpired, type Session, type SessionStatus } from './session.ts'
import { timestamp } from './timestamp.ts'

/** Where a session can go from each status. Nothing else can happen. */
export const session_transitions: Readonly<Record<SessionStatus, readonly SessionStatus[]>> = {
  pending: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

function ended(session: Session, status: SessionStatus, fields: Partial<Session>): Session {
  if (!session_transitions[session.status].includes(status))
    throw new Error(`a session cannot go from ${session.status} to ${status}`)
  return { ...session, ...fields, status }
}

/** Refuses with `unprocessable_entity` to pay a session that was cancelled or has expired. */
export function refusePayingEnded(session: Session, now: number): void {
  if (session.status === 'cancelled')
    throw new Refusal('unprocessable_entity', { message: 'The session was cancelled.' })
  if (isExhausted(session)) throw new Refusal('unprocessable_entity', { message: 'The session was tried too often.' })
  if (isExpired(session, now)) throw new Refusal('unprocessable_entity', { message: 'The session has expired.' })
}

/** How often a session can be tried: enough for every customer, and too few to find out which stolen cards are good. */
export const TRIES_MAX = 20

/** Whether a session was tried so often that it cannot be tried again. */
export const isExhausted = ({ tries }: Session): boolean => tries >= TRIES_MAX

/** Whether the outcome of a session's payment is not known yet, so that nothing else may be tried. */
export const isBeingPaid = (payment: Payment | undefined): boolean =>
  payment?.status === 'pending' && payment.in_flight.length > 0

/** The session is being paid with this payment. */
export const tried = (session: Session, payment: Payment): Session => ({
  ...session,
  payment: payment.id,
  tries: session.tries + 1,
  secure_token: payment.verified_by,
})

/** The payment of the session is captured or authorized, or its customer is stored. */
export const completed = (session: Session, now: number, fields: Partial<Session> = {}): Session =>
  ended(session, 'completed', { ...fields, completed_at: timestamp(now) })

/**
 * The session is not wanted any more. One that is cancelled already stays as it is. Refuses a completed one with
 * `not_cancellable`.
 */
export function cancelSession(session: Session, now: number): Session {
  if (session.status === 'completed')
    throw new Refusal('not_cancellable', { message: 'The session is completed already.' })
  if (session.status === 'cancelled') return session
  return ended(session, 'cancelled', { cancelled_at: timestamp(now) })
}
