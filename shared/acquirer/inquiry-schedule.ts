import type { Attempt } from '#shared/domain/payment.ts'
import { timestamp } from '#shared/domain/timestamp.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/**
 * The waits before each inquiry about an unknown outcome, in seconds: 1 minute, 5 minutes, 1 hour, then daily five
 * times.
 */
export const INQUIRY_WAITS_SECONDS = [60, 300, 3_600, DAY, DAY, DAY, DAY, DAY] as const

/**
 * Returns when the next inquiry is due after this number of inquiries; null once the inquiry schedule has ended and an
 * operator must act.
 */
export function nextInquiryAt(inquiries: number, now: number): string | null {
  const wait = INQUIRY_WAITS_SECONDS[inquiries]
  return wait === undefined ? null : timestamp(now + wait * 1000)
}

/** The first look-ups of a payment that waits for its customer, in seconds after its charge. */
const FIRST_WATCHES_SECONDS = [600, HOUR] as const

/** The wait between later look-ups, in seconds. */
const WATCH_EVERY_SECONDS = 6 * HOUR

/**
 * Returns when a payment that waits for its customer is looked up next: 10 minutes and 1 hour after its charge, then
 * every 6 hours, and at its deadline. Such a look-up finds what a lost notification would have reported.
 */
export function nextWatchAt(charged_at: string, deadline: string | undefined, now: number): string {
  const waited = Math.floor((now - Date.parse(charged_at)) / 1000)
  const last_of_first = FIRST_WATCHES_SECONDS.at(-1)!
  const periods = Math.floor((waited - last_of_first) / WATCH_EVERY_SECONDS) + 1
  const wait =
    FIRST_WATCHES_SECONDS.find((seconds) => seconds > waited) ?? last_of_first + periods * WATCH_EVERY_SECONDS
  const next = Date.parse(charged_at) + wait * 1000
  const end = deadline === undefined ? Number.NaN : Date.parse(deadline)
  return timestamp(now < end && end < next ? end : next)
}

/**
 * How long after its first try an operation may be sent again under its key, in seconds. Providers promise to remember
 * a key for 24 hours, and would execute an operation under a forgotten key again.
 */
export const REPEATABLE_SECONDS = 20 * HOUR

/** Whether the acquirer certainly still remembers the key of an operation. */
export const isRepeatable = ({ sent_at }: Pick<Attempt, 'sent_at'>, now: number): boolean =>
  now < Date.parse(sent_at) + REPEATABLE_SECONDS * 1000
