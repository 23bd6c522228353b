import { LocalDate } from '@js-joda/core'
import { intervalStart, type Period } from '#shared/domain/calendar.ts'

const DAY_MS = 86_400_000
const JAPAN_MS = 9 * 3_600_000

const FIRST_DAY = LocalDate.of(2028, 1, 1)

/** Every day of a leap cycle, in Japan. */
export const days: readonly LocalDate[] = Array.from({ length: 1_461 }, (_, index) => FIRST_DAY.plusDays(index))

/**
 * Times of day in Japan, in milliseconds: both ends of the day, and the second before and after the day begins in UTC.
 */
export const times: Readonly<Record<string, number>> = {
  '00:00:00': 0,
  '08:59:59': 9 * 3_600_000 - 1_000,
  '09:00:00': 9 * 3_600_000,
  '12:34:56': 45_296_000,
  '23:59:59': DAY_MS - 1_000,
}

/** Returns the moment of a date and a time of day in Japan, in epoch milliseconds. */
export const atTime = (date: LocalDate, time: number): number => date.toEpochDay() * DAY_MS + time - JAPAN_MS

const YEARS = 100

/** The intervals of 100 years, and the date on which each interval begins by the independent calendar. */
export const later: Readonly<
  Record<Period, { intervals: number; date: (anchor: LocalDate, interval: number) => LocalDate }>
> = {
  weekly: { intervals: Math.floor((YEARS * 365.25) / 7), date: (anchor, interval) => anchor.plusWeeks(interval) },
  monthly: { intervals: YEARS * 12, date: (anchor, interval) => anchor.plusMonths(interval) },
  yearly: { intervals: YEARS, date: (anchor, interval) => anchor.plusYears(interval) },
}

/**
 * Returns the intervals of subscriptions that begin at `anchor` whose start differs from the independent calendar, as
 * one sentence each.
 */
export function disagreements(
  period: Period,
  anchor: LocalDate,
  times_of_day: readonly number[],
  { intervals, date } = later[period],
): string[] {
  const wrong: string[] = []
  for (let interval = 0; interval <= intervals; interval++) {
    const expected = date(anchor, interval)
    for (const time of times_of_day)
      if (intervalStart(atTime(anchor, time), period, interval) !== atTime(expected, time))
        wrong.push(`${anchor} ${period} ${interval} is not ${expected} at ${time}`)
  }
  return wrong
}
