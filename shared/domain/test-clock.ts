import { timestamp } from './timestamp.ts'

/** The most seconds by which one call advances a test clock: the longest year. */
export const ADVANCE_SECONDS_MAX = 366 * 86_400

/** The clock of a merchant's test mode, once the merchant has moved it. It never goes back. */
export interface TestClock {
  /** The id of the merchant. */
  readonly id: string
  readonly version: number
  /** How far the merchant's time is ahead of real time, in milliseconds. */
  readonly ahead_ms: number
  /** The merchant's time at which the advance ends, in epoch milliseconds; null while no advance goes on. */
  readonly target: number | null
  /** The real time at which the clock reached its present stop, in epoch milliseconds. */
  readonly stopped_at: number
  /** The advance no longer waits for work that fell due by this time of the merchant. Null: it waits for all work. */
  readonly given_up: string | null
  /** The real time at which the worker looks at the clock next. */
  readonly next_look_at: string
  /** How far the first advance has listed the work that was there before; null once all of it is listed. */
  readonly listing: Listing | null
}

/**
 * The work of a merchant is listed by its due times only once the merchant has moved its clock, so the first advance
 * lists the work that was there before.
 */
export interface Listing {
  /** The real time from which every change of the merchant's records lists its own work. */
  readonly begins_at: string
  /** The position among the lists of the merchant's records. */
  readonly list: number
  /** The last entry of this list that is done. Null: none. */
  readonly after: string | null
}

/**
 * How long after the first advance a request or worker can still run that began before it and lists no work, in
 * milliseconds: the longest run of a function, and room for clocks that differ.
 */
const UNLISTED_MS_MAX = 65_000

/**
 * How long an advance waits at one stop for the work that is due there, in milliseconds of real time. Queues repeat work
 * that fails within this time. The work that is left then is done late, as after an outage.
 */
const STOP_MS_MAX = 5 * 60_000

/** How soon the worker looks at a clock again while an advance waits, and while there is none. */
const LOOK_MS = 1_000
const LOOK_MS_MAX = 30_000
export const IDLE_LOOK_MS = 10 * 60_000

/** The clock of a merchant that has not moved it yet. */
export const newTestClock = (merchant: string, real_now: number): TestClock => ({
  id: merchant,
  version: 0,
  ahead_ms: 0,
  target: null,
  stopped_at: real_now,
  given_up: null,
  next_look_at: timestamp(real_now),
  listing: { begins_at: timestamp(real_now + UNLISTED_MS_MAX), list: 0, after: null },
})

/** Begins an advance by some seconds. The worker takes over at once. */
export function beginAdvance(clock: TestClock, seconds: number, real_now: number): TestClock & { target: number } {
  const target = real_now + clock.ahead_ms + seconds * 1000
  return { ...clock, target, stopped_at: real_now, given_up: null, next_look_at: timestamp(real_now) }
}

/** Waits until the listing of a first advance can begin; undefined if it can begin now. */
export function waitToList(clock: TestClock, real_now: number): TestClock | undefined {
  const left_ms = clock.listing ? Date.parse(clock.listing.begins_at) - real_now : 0
  return left_ms > 0 ? { ...clock, next_look_at: timestamp(real_now + Math.min(left_ms, LOOK_MS_MAX)) } : undefined
}

/** Records how far the work is listed. A look follows at once. Null: all work is listed, and the clock can move. */
export const withListing = (clock: TestClock, listing: Listing | null, real_now: number): TestClock => ({
  ...clock,
  listing,
  stopped_at: real_now,
  next_look_at: timestamp(real_now),
})

/** What the worker sees at the stop of a clock: whether work is left there, and when the next work falls due. */
export interface Stop {
  readonly has_work: boolean
  /** The due time of the next work by the merchant's clock; undefined if nothing else is due. */
  readonly next_due_at: string | undefined
  /** Whether a request that made this next work can still be running. */
  readonly is_in_progress: boolean
}

/**
 * The next step of an advance: the clock waits at its stop while work is left there, then moves to the next due time,
 * and at last to its target. A look follows each step.
 */
export function stepOf(clock: TestClock, { has_work, next_due_at, is_in_progress }: Stop, real_now: number): TestClock {
  const waited = { ...clock, next_look_at: timestamp(real_now + LOOK_MS) }
  const is_over = real_now >= clock.stopped_at + STOP_MS_MAX
  if (has_work && !is_over) return waited
  if (has_work) return { ...waited, stopped_at: real_now, given_up: timestamp(real_now + clock.ahead_ms) }
  const target = clock.target!
  const next = next_due_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(next_due_at)
  if (next <= target) return is_in_progress ? waited : movedTo(waited, next, real_now)
  return { ...movedTo(clock, target, real_now), target: null, next_look_at: timestamp(real_now) }
}

/** Moves a clock to a time of the merchant. Real time can have passed it; the clock then stays. */
const movedTo = (clock: TestClock, at: number, real_now: number): TestClock => ({
  ...clock,
  ahead_ms: Math.max(clock.ahead_ms, at - real_now),
  stopped_at: real_now,
})

/**
 * The time that a clock shows, in epoch milliseconds. It stays a second before the target of an advance until all work
 * on the way is done.
 */
export function shownTime({ ahead_ms, target }: TestClock, real_now: number): number {
  const now = real_now + ahead_ms
  return target === null ? now : Math.min(now, target - 1000)
}

/** Records a look at a clock whose merchant makes no advance. */
export const looked = (clock: TestClock, real_now: number): TestClock => ({
  ...clock,
  next_look_at: timestamp(real_now + IDLE_LOOK_MS),
})
