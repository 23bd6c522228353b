import { describe, expect, test } from 'vitest'
import { periods } from '#shared/domain/calendar.ts'
import { days, disagreements, later, times } from '#test/shared/domain/independent-calendar.ts'

describe('subscriptions that begin on each day of a leap cycle', () => {
  const all = Object.values(times)

  test.each(periods)(
    '%s dates of 100 years are those of an independent calendar, each day at one time of day',
    (period) => {
      expect(days.flatMap((day, index) => disagreements(period, day, [all[index % all.length]!]))).toEqual([])
    },
  )

  test.each(periods)(
    '%s dates of the first years are those of an independent calendar at every time of day',
    (period) => {
      const some = { ...later[period], intervals: { weekly: 60, monthly: 60, yearly: 10 }[period] }
      expect(days.flatMap((day) => disagreements(period, day, all, some))).toEqual([])
    },
  )
})
