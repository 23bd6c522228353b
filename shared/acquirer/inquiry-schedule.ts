import { timestamp } from '#shared/domain/timestamp.ts'

const DAY = 86_400

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
