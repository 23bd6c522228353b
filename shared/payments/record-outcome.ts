import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { attemptOf } from '#shared/acquirer/attempt.ts'
import { nextWatchAt } from '#shared/acquirer/inquiry-schedule.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { errorCodeOf, failureMessage } from '#shared/domain/failure.ts'
import { prefixes } from '#shared/domain/ids.ts'
import { applyOutcome } from '#shared/domain/operation-outcome.ts'
import type { Attempt, InFlight, Outcome, Payment } from '#shared/domain/payment.ts'
import { deadlineOf } from '#shared/domain/payment-deadline.ts'
import { notCancellable, notCapturable, notRefundableInDispute } from '#shared/domain/payment-refusals.ts'
import { hasEnded, isAtProvider, isOpen } from '#shared/domain/payment-states.ts'
import { erased } from '#shared/domain/secure-token.ts'
import type { LogEntry } from '#shared/platform/ports.ts'
import { attempts, attemptsOf } from '#shared/store/attempts.ts'
import { type Change, changed, removed } from '#shared/store/change.ts'
import { tokenKey } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'
import { completionOf } from '#shared/store/sessions.ts'
import { tokens } from '#shared/store/tokens.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { recordOccurrence } from './record-occurrence.ts'
import { learned } from './send-order.ts'

/** Whether the outcome of a charge cannot be recorded yet, because a void in flight may undo the charge. */
export const waitsForVoid = ({ in_flight }: Payment, { operation }: Attempt): boolean =>
  operation === 'charge' && in_flight.some((entry) => entry.operation === 'void')

/**
 * Whether an outcome that an inquiry or a repeated order returned can be recorded. An operation that is only accepted
 * has no result yet. A void that the acquirer declined is repeated and not recorded if the payment has ended or passed
 * its deadline, because the customer's money is not returned yet.
 */
export function isRecordable(payment: Payment, { operation, number }: Attempt, { result }: Outcome): boolean {
  if (result === 'accepted') return false
  const must_end =
    !isOpen(payment) || payment.in_flight.some(({ attempt, because }) => attempt === number && because === 'expired')
  return operation !== 'void' || result !== 'declined' || !must_end
}

/**
 * Turns a known outcome into the changes to commit and the response to the merchant. An attempt whose outcome is
 * recorded already changes nothing. An accepted operation stays in flight, and its next inquiry stays scheduled. Throws
 * `OutcomeUnknown` for a charge that waits for its void.
 */
export async function recordOutcome(
  work: UnitOfWork,
  payment: Payment,
  attempt: Attempt,
  outcome: Outcome,
): Promise<{ changes: readonly Change[]; answer: Payment | Refusal }> {
  if (attempt.outcome) return { changes: [], answer: answerOf(payment, attempt, attempt.outcome) }
  if (waitsForVoid(payment, attempt)) throw new OutcomeUnknown()
  if (outcome.result === 'accepted') return { changes: learned(payment, attempt, outcome), answer: payment }
  const { next, events, void: needs_void } = applyOutcome(payment, attempt.number, outcome, work.now())
  const voiding = needs_void ? withVoid(work, next) : undefined
  const after = voiding?.next ?? next
  const reference = outcome.reference ?? attempt.reference ?? null
  const watch_at = attempt.operation === 'charge' ? watchOf(work, after, attempt) : null
  const settled = { ...attempt, outcome, inquire_at: null, reference, watch_at }
  return {
    changes: [
      changed(payments, after, events, { must_record: true, log: lineOf(work, payment, attempt, outcome) }),
      changed(attemptsOf(payment), settled),
      ...(voiding ? [changed(attempts, voiding.attempt)] : []),
      ...(await erasedToken(work, attempt)),
      ...(await completionOf(work, payment, after)),
      ...(await recordOccurrence(work, payment, after, outcome)),
    ],
    answer: answerOf(next, attempt, outcome),
  }
}

/**
 * Returns when a payment is looked up at its provider next; null if it is not open or not at a provider. A look-up
 * finds the customer's payment if the notification of it is lost.
 */
export const watchOf = (work: UnitOfWork, payment: Payment, charge: Attempt): string | null =>
  isAtProvider(payment) && isOpen(payment) ? nextWatchAt(charge.sent_at, deadlineOf(payment), work.now()) : null

/**
 * Returns the log entry of a charge whose outcome is known, and of a void that found the money of an ended payment
 * taken. An operator must then return the money.
 */
function lineOf(
  { merchant }: UnitOfWork,
  payment: Payment,
  { operation }: Attempt,
  outcome: Outcome,
): LogEntry | undefined {
  if (operation === 'void' && outcome.result === 'captured' && hasEnded(payment))
    return { level: 'error', event: 'paid_after_end', merchant, payment: payment.id }
  if (operation !== 'charge') return undefined
  const code = outcome.result === 'declined' ? outcome.code : undefined
  const { type: kind } = payment.payment_details
  return { level: 'info', event: 'payment_settled', merchant, payment: payment.id, kind, outcome: outcome.result, code }
}

/**
 * Returns the payment with a void in flight, and the attempt of the void. A scheduled inquiry sends the void. `because`
 * is set for a void at the deadline of an open payment.
 */
export function withVoid(work: UnitOfWork, payment: Payment, because?: 'expired'): { next: Payment; attempt: Attempt } {
  const { amount, tax, version } = payment
  const operation: InFlight = {
    operation: 'void',
    attempt: version + 1,
    amount,
    tax,
    refund_id: null,
    description: null,
    ...(because && { because }),
  }
  return {
    next: { ...payment, in_flight: [...payment.in_flight, operation] },
    attempt: attemptOf(work, payment, operation),
  }
}

/** Returns the change that erases the payment details of the token that a charge has spent. */
async function erasedToken(work: UnitOfWork, { token }: Attempt): Promise<Change[]> {
  if (token?.startsWith(prefixes.secure_token)) {
    const secure_token = await work.find(secureTokens, token)
    return secure_token?.sealed ? [changed(secureTokens, erased(secure_token))] : []
  }
  const spent = token && (await work.at(tokens, tokenKey(work.merchant, token)))
  return spent ? [removed(tokens, spent)] : []
}

function answerOf(payment: Payment, { operation }: Attempt, outcome: Outcome): Payment | Refusal {
  const details = { payment: payment.id }
  if (operation === 'charge' && payment.failure)
    return new Refusal(errorCodeOf(payment.failure), { details, message: failureMessage(payment.failure) })
  if (operation === 'charge' && payment.status !== 'pending') return payment
  if (operation === 'void' && outcome.result === 'captured') return notCancellable(payment)
  if (operation === 'capture' && outcome.result === 'expired') return notCapturable(payment)
  if (outcome.result === 'declined' && outcome.is_disputed) return notRefundableInDispute(payment)
  if (outcome.result === 'declined') return new Refusal(outcome.code, { details })
  if (outcome.result === 'never_arrived' || outcome.result === 'expired') return new Refusal('other_error', { details })
  return payment
}
