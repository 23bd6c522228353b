import { JAPAN_AHEAD_MS } from './timestamp.ts'

export const periods = ['weekly', 'monthly', 'yearly'] as const

export type Period = (typeof periods)[number]

const DAY_MS = 86_400_000

/**
 * Returns the start of an interval in epoch milliseconds. Interval 0 starts at `anchor`. Every interval starts at the
 * anchor's time of day in Japan. Monthly and yearly intervals start on the anchor's day of the month, or on the last
 * day of a month that is too short. Each start is computed from the anchor, so the starts never drift.
 */
export function intervalStart(anchor: number, period: Period, interval: number): number {
  if (period === 'weekly') return anchor + interval * 7 * DAY_MS
  const months = period === 'monthly' ? interval : interval * 12
  const { year, month, day, time } = inJapan(anchor)
  const first = new Date(Date.UTC(year, month + months, 1))
  const last_day = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return first.getTime() + (Math.min(day, last_day) - 1) * DAY_MS + time - JAPAN_AHEAD_MS
}

/**
 * Returns the number of the anchor's day in Japan: in the week from Monday (1–7), in the month, or in the year (1–366).
 */
export function dayOfInterval(anchor: number, period: Period): number {
  const { year, day, weekday, midnight } = inJapan(anchor)
  if (period === 'weekly') return weekday
  if (period === 'monthly') return day
  return (midnight - Date.UTC(year, 0, 1)) / DAY_MS + 1
}

function inJapan(at: number) {
  const local = new Date(at + JAPAN_AHEAD_MS)
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate())
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth(),
    day: local.getUTCDate(),
    weekday: local.getUTCDay() === 0 ? 7 : local.getUTCDay(),
    midnight,
    time: local.getTime() - midnight,
  }
}
