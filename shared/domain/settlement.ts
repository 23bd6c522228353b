import type { Movement } from './movement.ts'
import { JAPAN_AHEAD_MS, timestamp } from './timestamp.ts'

/** The settlement of one merchant's week in one currency. All amounts are in the currency's smallest unit. */
export interface Settlement {
  readonly id: string
  readonly version: number
  readonly currency: string
  readonly period_start: string
  readonly period_end: string
  /** The amount that customers paid. */
  readonly gross: number
  readonly fees: number
  readonly refunds: number
  /** The amount that the merchant gets. It is negative if refunds and fees exceed the payments. */
  readonly net: number
  /** The number of captured payments. */
  readonly payments: number
  readonly created_at: string
}

/** The sums of a settlement in one currency. */
export type Sums = Pick<Settlement, 'gross' | 'fees' | 'refunds' | 'net' | 'payments'>

/** Adds one movement to the sums. */
export function withMovement(sums: Sums | undefined, { type, amount, fee }: Movement): Sums {
  const { gross, fees, refunds, net, payments } = sums ?? { gross: 0, fees: 0, refunds: 0, net: 0, payments: 0 }
  if (type === 'refund') return { gross, fees, refunds: refunds + amount, net: net - amount, payments }
  return { gross: gross + amount, fees: fees + fee, refunds, net: net + amount - fee, payments: payments + 1 }
}

const WEEK_MS = 7 * 86_400_000

/** A Monday at midnight in Japan. */
const SOME_MONDAY = Date.UTC(1970, 0, 5) - JAPAN_AHEAD_MS

/**
 * Returns the start of the week that contains a moment: Monday at midnight in Japan. Takes and returns epoch
 * milliseconds.
 */
export const weekStart = (at: number): number => at - ((((at - SOME_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS)

/** Returns the start of the following week. */
export const nextWeek = (start: number): number => start + WEEK_MS

/**
 * How long after its end a week is settled, in milliseconds. A movement is stored at most a minute after its recorded
 * time. The other nine minutes allow for differences between the clocks of writers.
 */
export const SETTLED_AFTER_MS = 10 * 60_000

/** Returns when the week that begins at `start` is settled. */
export const settleAt = (start: number): string => timestamp(nextWeek(start) + SETTLED_AFTER_MS)

/**
 * The weeks of a merchant whose movements are not settled yet. `first` and `last` are the starts of the first and the
 * last of these weeks, in epoch milliseconds.
 */
export interface Settling {
  readonly version: number
  readonly id: string
  readonly first: number
  readonly last: number
}
