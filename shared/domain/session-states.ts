import { Refusal } from './errors.ts'
import type { Payment } from './payment.ts'
import { isExpired, type Session, type SessionStatus } from './session.ts'
import { timestamp } from './timestamp.ts'

/** The state machine of a session: the statuses that can follow each status. No other transition is possible. */
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

/** Refuses with `unprocessable_entity` to pay a session that is cancelled, has expired or has no tries left. */
export function refusePayingEnded(session: Session, now: number): void {
  if (session.status === 'cancelled')
    throw new Refusal('unprocessable_entity', { message: 'The session was cancelled. Create a new session.' })
  if (isExhausted(session))
    throw new Refusal('unprocessable_entity', {
      message: `The session was tried ${TRIES_MAX} times, which is the most. Create a new session.`,
    })
  if (isExpired(session, now))
    throw new Refusal('unprocessable_entity', { message: 'The session has expired. Create a new session.' })
}

/** How often a session can be tried. It is enough for every customer, and too few to test stolen cards. */
export const TRIES_MAX = 20

/** Whether a session has no tries left. */
export const isExhausted = ({ tries }: Session): boolean => tries >= TRIES_MAX

/** Whether the outcome of a session's payment is unknown. No other try can be made until the outcome is known. */
export const isBeingPaid = (payment: Payment | undefined): boolean =>
  payment?.status === 'pending' && payment.in_flight.length > 0

/** Records a try to pay the session with this payment. */
export const tried = (session: Session, payment: Payment): Session => ({
  ...session,
  payment: payment.id,
  tries: session.tries + 1,
  secure_token: payment.verified_by,
})

/** Completes a session whose payment is captured or authorized, or whose customer is stored. */
export const completed = (session: Session, now: number, fields: Partial<Session> = {}): Session =>
  ended(session, 'completed', { ...fields, completed_at: timestamp(now) })

/** Cancels a session. A cancelled session stays unchanged. Refuses a completed session with `not_cancellable`. */
export function cancelSession(session: Session, now: number): Session {
  if (session.status === 'completed')
    throw new Refusal('not_cancellable', {
      message: 'The session is completed already. Return the money of its payment with refund or refund_request.',
    })
  if (session.status === 'cancelled') return session
  return ended(session, 'cancelled', { cancelled_at: timestamp(now) })
}
