import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf, finerCells, hoursOf, isMonth, monthOf, rowOf, runOf } from '#shared/store/list-cells.ts'
import type { List } from '#shared/store/list-keys.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const list: List = { pk: 'list#payment#mer_1', prefix: 'pay_', counted: true }
const march = Date.UTC(2024, 2)
const february = { from: Date.UTC(2024, 1), to: march }

describe('cells', () => {
  test('are parts of hours, hours, days and months of UTC', () => {
    const cells = cellsOf({ from: february.from - DAY - HOUR - 1, to: march + DAY + HOUR + 1 })
    expect(cells.map(({ from, to }) => [from - march, to - from])).toEqual([
      [-30 * DAY - HOUR - 1, 1],
      [-30 * DAY - HOUR, HOUR],
      [-30 * DAY, DAY],
      [-29 * DAY, 29 * DAY],
      [0, DAY],
      [DAY, HOUR],
      [DAY + HOUR, 1],
    ])
  })

  test('leave no gap and no overlap, and are whole or within an hour', () => {
    const time = fc.integer({ min: -70 * DAY, max: 70 * DAY })
    fc.assert(
      fc.property(time, time, (one, other) => {
        const span = { from: march + Math.min(one, other), to: march + Math.max(one, other) }
        for (const cells of [cellsOf(span), hoursOf(span)]) {
          let at = span.from
          for (const cell of cells) {
            expect(cell.from).toBe(at)
            expect(Math.floor(cell.from / HOUR) === Math.floor((cell.to - 1) / HOUR) || finerCells(cell)).toBeTruthy()
            at = cell.to
          }
          expect(at).toBe(span.to)
        }
      }),
    )
  })

  test('of a month are its days, of a day its hours, and of any other cell none', () => {
    const days = finerCells(february)!
    expect([days.length, days[0], days.at(-1)]).toEqual([
      29,
      { from: february.from, to: february.from + DAY },
      { from: march - DAY, to: march },
    ])
    expect(finerCells(days[0]!)).toEqual(hoursOf(days[0]!))
    expect(hoursOf(days[0]!)).toHaveLength(24)
    expect(finerCells({ from: march, to: march + HOUR })).toBeUndefined()
    expect(finerCells({ from: february.from, to: march - 1 })).toBeUndefined()
    expect([isMonth(february), isMonth(days[0]!), monthOf(march - 1)]).toEqual([true, false, february.from])
  })

  test('have a row if they are whole, and are read with the other days of their month or hours of their day', () => {
    const [day, hour] = [
      { from: march, to: march + DAY },
      { from: march, to: march + HOUR },
    ]
    const rows = [february, day, hour].map((cell) => rowOf(list, cell))
    expect(rows).toEqual(
      ['month#2024-02', 'day#2024-03-01', 'hour#2024-03-01T00'].map((sk) => ({ pk: `${list.pk}#count`, sk })),
    )
    expect(rowOf(list, { from: march, to: march + 1 })).toBeUndefined()
    expect([february, day, hour].map(runOf)).toEqual(['', 'month#2024-03', 'day#2024-03-01'])
  })
})
