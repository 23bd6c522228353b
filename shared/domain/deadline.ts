import { JAPAN_AHEAD_MS, timestamp } from './timestamp.ts'

const DAY_MS = 86_400_000

/** The last second, in Japan, of the day that comes `days` days after the moment `now` (epoch milliseconds); 0 is that very day. */
export function endOfDayInJapan(now: number, days: number): string {
  const japanese_day = Math.floor((now + JAPAN_AHEAD_MS) / DAY_MS)
  return timestamp((japanese_day + days + 1) * DAY_MS - JAPAN_AHEAD_MS - 1_000)
}
