import type { FailureCode } from './failure.ts'
import { canBeTaken, capturedThere, ended, failed, refunded } from './operation-outcome.ts'
import type { Outcome, Payment, Refund } from './payment.ts'
import { DEADLINE_DAYS_CARD, earlierDeadline, endOfDayInJapan } from './payment-deadline.ts'
import { notApproved } from './payment-decisions.ts'
import { payment_type_rows } from './payment-details.ts'
import { type Decision, hasEnded, isOpen, left, moved } from './payment-states.ts'
import { timestamp } from './timestamp.ts'

/**
 * The state of a payment at its provider. `waiting`: the customer has to act. `held`: the amount of a card is
 * authorized, or a cash payment is reserved. `paid`: the money is taken. `declined`: the last try failed. `ended`: the
 * provider has ended the payment without money.
 */
export type ProviderState = 'waiting' | 'held' | 'paid' | 'declined' | 'ended'

/** A refund as the provider reports it, in the currency's smallest unit. */
export interface ReportedRefund {
  /** The provider's own id. */
  readonly reference: string
  readonly amount: number
  /** The key of the order that made the refund; null for a refund that was made in the provider's dashboard. */
  readonly key: string | null
}

/** What a provider reports of a payment, after the answer to its charge. */
export interface ReportedPayment {
  readonly state: ProviderState
  /** The provider's own id of the charge that is reported. Absent: the charge of the payment was looked up. */
  readonly reference?: string
  /** Why the payment was declined. */
  readonly code?: FailureCode
  /** When the authorization ends. */
  readonly until?: string
  /** The money taken, before refunds, in the currency's smallest unit. Absent: the total of the payment. */
  readonly amount?: number
  /** All refunds that have succeeded. */
  readonly refunds?: readonly ReportedRefund[]
}

/**
 * What follows from a report. `settle`: the operations in flight are inquired about. `change`: the payment changes.
 * `void`: the charge is voided. `alarm`: an operator must look at the payment.
 */
export type FollowUp =
  | { readonly step: 'settle' | 'keep' | 'void' }
  | ({ readonly step: 'change' } & Decision)
  | { readonly step: 'alarm'; readonly event: 'paid_after_end' | 'provider_disagrees' }

/** The time and the ids that a follow-up needs. */
export interface FollowContext {
  readonly now: number
  newRefundId(): string
}

type Rule = (payment: Payment, report: ReportedPayment, context: FollowContext) => FollowUp

const settle: Rule = () => ({ step: 'settle' })
const keep: Rule = () => ({ step: 'keep' })
const cancelThere: Rule = () => ({ step: 'void' })
const disagree: Rule = () => ({ step: 'alarm', event: 'provider_disagrees' })
const expire: Rule = (payment) => ({ step: 'change', ...ended(payment) })
const fail: Rule = (payment, { code }) => ({ step: 'change', ...failed(payment, code ?? notApproved(payment)) })

const hold: Rule = (payment, { until }, { now }) => {
  const payment_deadline = earlierDeadline(endOfDayInJapan(now, DEADLINE_DAYS_CARD), until)
  return { step: 'change', next: moved(payment, 'authorized', { payment_deadline }), events: ['payment.authorized'] }
}

/** Captures the payment. Money of another amount than the payment's total is never taken for the payment. */
const capture: Rule = (payment, report, context) =>
  (report.amount ?? payment.total) === payment.total
    ? captureAmount(payment, report, context)
    : disagree(payment, report, context)

/** Captures what the provider has taken of an authorization, as a capture in the provider's dashboard does. */
const captureAmount: Rule = (payment, report, context) => {
  const { amount: total = payment.total } = report
  if (!canBeTaken(payment, total)) return disagree(payment, report, context)
  return { step: 'change', ...capturedThere(payment, total, context.now) }
}

/** Adds the refunds that were made in the provider's dashboard. The money taken must be the total of the payment. */
const addRefunds: Rule = (payment, report, context) => {
  if ((report.amount ?? payment.total) !== payment.total) return disagree(payment, report, context)
  const known = new Set(payment.refunds.map(({ reference }) => reference))
  const foreign = (report.refunds ?? []).filter(({ key, reference }) => key === null && !known.has(reference))
  if (foreign.length === 0) return { step: 'keep' }
  let decision: Decision = { next: payment, events: [] }
  for (const refund of foreign) {
    if (refund.amount > left(decision.next)) return disagree(payment, report, context)
    const { next, events } = refunded(decision.next, refundOf(payment, refund, context))
    decision = { next, events: [...decision.events, ...events] }
  }
  return { step: 'change', ...decision }
}

/** Returns the money of a payment that has ended, if its type has refunds and any money is left. */
const returnMoney: Rule = (payment, { amount = payment.total, refunds = [] }) => {
  const returned = refunds.reduce((sum, refund) => sum + refund.amount, 0)
  if (returned >= amount) return { step: 'keep' }
  const { refundable } = payment_type_rows[payment.payment_details.type]
  return refundable ? { step: 'void' } : { step: 'alarm', event: 'paid_after_end' }
}

/** The rows of the table: what a payment is here. */
export type FollowRow = 'in_flight' | 'off_site' | 'reserved' | 'held' | 'paid' | 'ended'

/** What follows from each state at the provider, for each state here. Every cell can be repeated without effect. */
// biome-ignore format: a table
export const follow_table: Readonly<Record<FollowRow, Readonly<Record<ProviderState, Rule>>>> = {
  in_flight: { waiting: settle,      held: settle,      paid: settle,        declined: settle,   ended: settle },
  off_site:  { waiting: keep,        held: hold,        paid: capture,       declined: fail,     ended: expire },
  reserved:  { waiting: keep,        held: keep,        paid: capture,       declined: expire,   ended: expire },
  held:      { waiting: keep,        held: keep,        paid: captureAmount, declined: expire,   ended: expire },
  paid:      { waiting: disagree,    held: disagree,    paid: addRefunds,    declined: disagree, ended: disagree },
  ended:     { waiting: cancelThere, held: cancelThere, paid: returnMoney,   declined: keep,     ended: keep },
}

/** The row of a payment in the table. */
export function followRowOf(payment: Payment): FollowRow {
  if (payment.in_flight.length > 0) return 'in_flight'
  if (hasEnded(payment)) return 'ended'
  if (!isOpen(payment)) return 'paid'
  if (payment.status === 'pending') return 'off_site'
  return payment_type_rows[payment.payment_details.type].flow === 'card' ? 'held' : 'reserved'
}

/** Returns what follows for a payment from the report of its provider. */
export const follow = (payment: Payment, report: ReportedPayment, context: FollowContext): FollowUp =>
  follow_table[followRowOf(payment)][report.state](payment, report, context)

/** Returns the outcome of a charge as a report. A charge that the acquirer does not have yet keeps the payment waiting. */
export function reportOf(outcome: Outcome): ReportedPayment {
  switch (outcome.result) {
    case 'captured':
    case 'done':
      return { state: 'paid' }
    case 'authorized':
      return { state: 'held', ...(outcome.until && { until: outcome.until }) }
    case 'declined':
      return { state: 'declined', code: outcome.code }
    case 'expired':
      return { state: 'ended' }
    default:
      return { state: 'waiting' }
  }
}

const refundOf = (
  { id, currency }: Payment,
  { amount, reference }: ReportedRefund,
  { now, newRefundId }: FollowContext,
): Refund => ({
  id: newRefundId(),
  amount,
  currency,
  payment: id,
  description: null,
  chargeback: false,
  status: 'succeeded',
  created_at: timestamp(now),
  reference,
})
