import { JAPAN_AHEAD_MS, timestamp } from './timestamp.ts'

const DAY_MS = 86_400_000

/**
 * Returns the last second, in Japan, of the day that is `days` days after `now` (epoch milliseconds). With 0, it is the
 * day of `now`.
 */
export function endOfDayInJapan(now: number, days: number): string {
  const japanese_day = Math.floor((now + JAPAN_AHEAD_MS) / DAY_MS)
  return timestamp((japanese_day + days + 1) * DAY_MS - JAPAN_AHEAD_MS - 1_000)
}
