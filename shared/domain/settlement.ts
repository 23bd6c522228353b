import type { Payment } from './payment.ts'
import { type PaymentType, payment_type_rows } from './payment-details.ts'
import { JAPAN_AHEAD_MS, timestamp } from './timestamp.ts'

/** What is settled of a week: of one merchant, in one currency. All money is in the currency's smallest unit. */
export interface Settlement {
  readonly id: string
  readonly version: number
  readonly currency: string
  readonly period_start: string
  readonly period_end: string
  /** What customers paid. */
  readonly gross: number
  readonly fees: number
  readonly refunds: number
  /** What the merchant gets: below zero where more was given back than came in. */
  readonly net: number
  /** How many payments were captured. */
  readonly payments: number
  readonly created_at: string
}

/** Money that came in with a payment, or went back with a refund. */
export interface Movement {
  /** The payment or the refund. */
  readonly of: string
  readonly type: 'capture' | 'refund'
  readonly currency: string
  readonly amount: number
  readonly fee: number
}

/** What the service keeps of a payment, in ten-thousandths of it, besides the fee that its customer paid. */
// biome-ignore format: a table
const fee_rates: Readonly<Record<ReturnType<typeof flowOf>, number>> = {
  card:     360,
  cash:     275,
  prepaid:  500,
  off_site: 390,
}

const flowOf = (type: PaymentType) => payment_type_rows[type].flow

/** The fee of a captured payment: the rate of its type, rounded down, and what the customer paid for the method. */
export function feeOf({ total, payment_method_fee, payment_details: { type } }: Payment): number {
  return Math.floor(((total - payment_method_fee) * fee_rates[flowOf(type)]) / 10_000) + payment_method_fee
}

/** The money that moved as a payment changed: its capture, and each refund that it did not have before. */
export function movementsOf(before: Payment | undefined, after: Payment): Movement[] {
  const { id, currency, total } = after
  const isCaptured = after.captured_at !== null && (before?.captured_at ?? null) === null
  const refunds = after.refunds.slice(before?.refunds.length ?? 0)
  return [
    ...(isCaptured ? [{ of: id, type: 'capture' as const, currency, amount: total, fee: feeOf(after) }] : []),
    ...refunds.map((refund) => ({ of: refund.id, type: 'refund' as const, currency, amount: refund.amount, fee: 0 })),
  ]
}

/** What was summed up of one currency. */
export type Sums = Pick<Settlement, 'gross' | 'fees' | 'refunds' | 'net' | 'payments'>

/** The sums with one movement more. */
export function withMovement(sums: Sums | undefined, { type, amount, fee }: Movement): Sums {
  const { gross, fees, refunds, net, payments } = sums ?? { gross: 0, fees: 0, refunds: 0, net: 0, payments: 0 }
  if (type === 'refund') return { gross, fees, refunds: refunds + amount, net: net - amount, payments }
  return { gross: gross + amount, fees: fees + fee, refunds, net: net + amount - fee, payments: payments + 1 }
}

const WEEK_MS = 7 * 86_400_000

/** A Monday, at midnight in Japan. */
const SOME_MONDAY = Date.UTC(1970, 0, 5) - JAPAN_AHEAD_MS

/** The beginning of the week that holds a moment: Monday, midnight in Japan. Epoch milliseconds. */
export const weekStart = (at: number): number => at - ((((at - SOME_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS)

/** The beginning of the week after. */
export const nextWeek = (start: number): number => start + WEEK_MS

/**
 * How long after its end a week is settled: what moved in it is written at most a minute later by its own clock, and
 * clocks differ by less than the rest.
 */
export const SETTLED_AFTER_MS = 10 * 60_000

/** When the week that begins then is settled. */
export const settleAt = (start: number): string => timestamp(nextWeek(start) + SETTLED_AFTER_MS)

/** Which weeks of a merchant have movements that are not settled: from `first` to `last`, both the beginning of a week. */
export interface Settling {
  readonly version: number
  readonly id: string
  readonly first: number
  readonly last: number
}
