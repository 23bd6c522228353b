import { timestamp } from '#shared/domain/timestamp.ts'

const DAY = 86_400

/** Seconds from one inquiry after an unknown outcome to the next: 1 minute, 5 minutes, 1 hour, then daily five times. */
export const INQUIRY_WAITS_SECONDS = [60, 300, 3_600, DAY, DAY, DAY, DAY, DAY] as const

/** When the outcome is asked for after so many inquiries; null when the ladder has ended and a person must look. */
export function nextInquiryAt(inquiries: number, now: number): string | null {
  const wait = INQUIRY_WAITS_SECONDS[inquiries]
  return wait === undefined ? null : timestamp(now + wait * 1000)
}
