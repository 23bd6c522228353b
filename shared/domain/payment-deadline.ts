import type { Payment, PaymentSource } from './payment.ts'
import type { PaymentTypeRow } from './payment-details.ts'
import { isOpen } from './payment-states.ts'
import { JAPAN_AHEAD_MS, timestamp } from './timestamp.ts'

const DAY_MS = 86_400_000

/**
 * Returns the last second, in Japan, of the day that is `days` days after the day of `now` (epoch milliseconds). With 0
 * days, that is the day of `now` itself.
 */
export function endOfDayInJapan(now: number, days: number): string {
  const japanese_day = Math.floor((now + JAPAN_AHEAD_MS) / DAY_MS)
  return timestamp((japanese_day + days + 1) * DAY_MS - JAPAN_AHEAD_MS - 1_000)
}

/** How many days a card authorization is held. */
export const DEADLINE_DAYS_CARD = 30

/** How many days a customer has to pay off-site or to pass 3-D Secure. */
export const DEADLINE_DAYS_OFF_SITE = 1

const DEADLINE_DAYS_CASH = 3

export function deadlineDays(row: PaymentTypeRow, { expiry_days }: PaymentSource): number {
  if (row.flow === 'card') return DEADLINE_DAYS_CARD
  if (row.flow === 'off_site') return DEADLINE_DAYS_OFF_SITE
  return expiry_days ?? DEADLINE_DAYS_CASH
}

/**
 * Returns the deadline, or the end that the acquirer names if that is earlier. An end that is no time is ignored.
 */
export function earlierDeadline(deadline: string, until: string | undefined): string {
  const end = until === undefined ? Number.NaN : Date.parse(until)
  return end < Date.parse(deadline) ? timestamp(end) : deadline
}

/**
 * Returns the deadline at which an unpaid payment expires. A payment of a subscription has none, and neither has a
 * payment whose deadline has led to a void already.
 */
export function deadlineOf(payment: Payment): string | undefined {
  const ends = payment.in_flight.some((entry) => entry.because === 'expired')
  return isOpen(payment) && !isOccurrence(payment) && !ends ? payment.payment_deadline : undefined
}

/**
 * Whether an open payment has passed its deadline and can expire. It cannot expire while a capture, refund or void is
 * in flight. It can expire while its charge is in flight. A payment of a subscription never expires.
 */
export function isOverdue(payment: Payment, now: number): boolean {
  const settling = payment.in_flight.some((entry) => entry.operation !== 'charge')
  return isOpen(payment) && !settling && !isOccurrence(payment) && now >= Date.parse(payment.payment_deadline)
}

/**
 * Whether the payment captures an interval of a subscription. Such a payment never expires: inquiries continue until
 * its outcome is known.
 */
const isOccurrence = ({ occurrence }: Payment): boolean => occurrence !== null
