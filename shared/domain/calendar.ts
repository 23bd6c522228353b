import { JAPAN_AHEAD_MS } from './timestamp.ts'

export const periods = ['weekly', 'monthly', 'yearly'] as const

export type Period = (typeof periods)[number]

const DAY_MS = 86_400_000

/**
 * When the interval of that number begins, 0 being the one that begins at `anchor`; epoch milliseconds. It is counted from
 * the anchor and not from the interval before, so that it never drifts: the anchor's day and time of day in Japan, or the
 * last day of a month that has no such day.
 */
export function intervalStart(anchor: number, period: Period, interval: number): number {
  if (period === 'weekly') return anchor + interval * 7 * DAY_MS
  const months = period === 'monthly' ? interval : interval * 12
  const { year, month, day, time } = inJapan(anchor)
  const first = new Date(Date.UTC(year, month + months, 1))
  const last_day = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return first.getTime() + (Math.min(day, last_day) - 1) * DAY_MS + time - JAPAN_AHEAD_MS
}

/** The number of a moment's day in Japan: of the week from Monday (1–7), of the month, or of the year (1–366). */
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
