import { describe, expect, test } from 'vitest'
import { dayOfInterval, intervalStart, type Period, periods } from '#shared/domain/calendar.ts'
import { atTime, days, disagreements, later, times } from './independent-calendar.ts'

/** Formats a moment in the time zone of Tokyo with the time zone data of the system. */
const tokyo = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo', dateStyle: 'short', timeStyle: 'medium' })

describe('intervalStart and dayOfInterval of every day of a leap cycle', () => {
  const all = Object.values(times)

  test.each(periods)('%s starts over 100 years, from every 13th day, match an independent calendar', (period) => {
    // One of these days is 29 February. The long suite begins on every day.
    const some = days.filter((_, index) => index % 13 === 7)
    const wrong = some.flatMap((day, index) => disagreements(period, day, [all[index % all.length]!]))
    expect(wrong).toEqual([])
  })

  test.each(periods)('%s starts of the first years match an independent calendar at every time of day', (period) => {
    const some = { ...later[period], intervals: { weekly: 12, monthly: 14, yearly: 5 }[period] }
    expect(days.flatMap((day) => disagreements(period, day, all, some))).toEqual([])
  })

  test('day numbers match an independent calendar', () => {
    const wrong = days.flatMap((day) => {
      const numbers = { weekly: day.dayOfWeek().value(), monthly: day.dayOfMonth(), yearly: day.dayOfYear() }
      return Object.entries(numbers).flatMap(([period, number]) =>
        Object.values(times)
          .filter((time) => dayOfInterval(atTime(day, time), period as Period) !== number)
          .map((time) => `${day} ${period} is not ${number} at ${time}`),
      )
    })
    expect(wrong).toEqual([])
  })

  test('the first and the last interval start at the same time of day in Tokyo', () => {
    for (const [name, time] of Object.entries(times))
      for (const [period, { intervals, date }] of Object.entries(later)) {
        const day = days[1_000]!
        expect(tokyo.format(intervalStart(atTime(day, time), period as Period, 0))).toBe(`${day} ${name}`)
        const last = intervalStart(atTime(day, time), period as Period, intervals)
        expect(tokyo.format(last)).toBe(`${date(day, intervals)} ${name}`)
      }
  })
})

describe('intervalStart', () => {
  const starts = (anchor: string, period: Period, intervals: readonly number[]) =>
    intervals.map((interval) => new Date(intervalStart(Date.parse(anchor), period, interval)).toISOString())

  test('is on the last day of a month that is too short, and on the 31st again afterwards', () => {
    expect(starts('2030-01-31T03:00:00Z', 'monthly', [0, 1, 2, 3, 4, 11, 12, 25, 26])).toEqual([
      '2030-01-31T03:00:00.000Z',
      '2030-02-28T03:00:00.000Z',
      '2030-03-31T03:00:00.000Z',
      '2030-04-30T03:00:00.000Z',
      '2030-05-31T03:00:00.000Z',
      '2030-12-31T03:00:00.000Z',
      '2031-01-31T03:00:00.000Z',
      '2032-02-29T03:00:00.000Z',
      '2032-03-31T03:00:00.000Z',
    ])
  })

  test('is on 29 February in leap years, and on 28 February in other years', () => {
    expect(starts('2028-02-29T03:00:00Z', 'yearly', [0, 1, 2, 3, 4, 72, 76])).toEqual([
      '2028-02-29T03:00:00.000Z',
      '2029-02-28T03:00:00.000Z',
      '2030-02-28T03:00:00.000Z',
      '2031-02-28T03:00:00.000Z',
      '2032-02-29T03:00:00.000Z',
      '2100-02-28T03:00:00.000Z',
      '2104-02-29T03:00:00.000Z',
    ])
  })

  test('follows the day in Japan, where the next day begins at 15:00 UTC', () => {
    const late = ['2030-01-30T15:00:00Z', '2030-01-30T14:59:59Z'] as const
    expect(starts(late[0], 'monthly', [1])).toEqual(['2030-02-27T15:00:00.000Z'])
    expect(starts(late[1], 'monthly', [1])).toEqual(['2030-02-28T14:59:59.000Z'])
    expect(late.map((at) => dayOfInterval(Date.parse(at), 'monthly'))).toEqual([31, 30])
  })

  test('keeps the day of the week', () => {
    expect(starts('2030-02-25T23:30:00Z', 'weekly', [1, 2, 52])).toEqual([
      '2030-03-04T23:30:00.000Z',
      '2030-03-11T23:30:00.000Z',
      '2031-02-24T23:30:00.000Z',
    ])
  })
})

test.each([
  // Monday in Japan begins on Sunday in UTC.
  ['2030-01-06T14:59:59Z', 7, 6, 6],
  ['2030-01-06T15:00:00Z', 1, 7, 7],
  ['2028-12-31T14:59:59Z', 7, 31, 366],
  ['2028-12-31T15:00:00Z', 1, 1, 1],
  ['2030-12-31T03:00:00Z', 2, 31, 365],
])('%s is day %i of the week, %i of the month and %i of the year', (at, weekly, monthly, yearly) => {
  const numbers = { weekly, monthly, yearly }
  for (const [period, number] of Object.entries(numbers))
    expect(dayOfInterval(Date.parse(at), period as Period)).toBe(number)
})
