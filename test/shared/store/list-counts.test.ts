import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { creationTimeOf, idOf } from '#shared/domain/ids.ts'
import { PlatformUnavailable, type Table } from '#shared/platform/ports.ts'
import { cellsOf, closedUntil, countsOf, hoursOf, isDay, sumOf } from '#shared/store/list-counts.ts'
import { ENTRY_LATEST_MS, entryWrites } from '#shared/store/list-entries.ts'
import type { List } from '#shared/store/list-keys.ts'
import { dayRow, hourRow } from '#shared/store/list-keys.ts'
import { pageOf } from '#shared/store/list-page.ts'
import { FaultyTable } from '#test/faults/faulty-table.ts'
import { measured } from '#test/fixtures/measured-table.ts'
import { MemoryTable } from '#test/simulation/memory-table.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const list: List = { pk: 'list#customer#mer_1', prefix: 'cus_', counted: true }
const monday = Date.UTC(2025, 2, 24)

let ids = 0
const idCreatedAt = (created: number) =>
  idOf(
    'customer',
    created,
    Uint8Array.from({ length: 4 }, (_, n) => ids++ >> (5 * n)),
  )
/** Adds an entry: at its creation time, or late at `now`. */
const add = (table: Table, created: number, now = created) => {
  const { writes, latest } = entryWrites([], [{ list, id: idCreatedAt(created), facet: '' }], now)
  return table.write(writes, { latest })
}
const remove = (table: Table, id: string) =>
  table.write(entryWrites([{ list, id, facet: '' }], [], creationTimeOf(id)).writes)

async function tableWith(creation_times: readonly number[], page_bytes?: number): Promise<MemoryTable> {
  const table = new MemoryTable({ page_bytes })
  for (const created of creation_times) await add(table, created)
  return table
}

describe('cellsOf and hoursOf', () => {
  test('cut a span into parts of hours, hours, and UTC days', () => {
    const cells = cellsOf({ from: monday - HOUR - 1, to: monday + DAY + HOUR + 1 })
    expect(cells.map(({ from, to }) => [from - monday, to - from])).toEqual([
      [-HOUR - 1, 1],
      [-HOUR, HOUR],
      [0, DAY],
      [DAY, HOUR],
      [DAY + HOUR, 1],
    ])
  })

  test('leave no gap and no overlap, and no cell except a day crosses an hour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 * DAY }), fc.integer({ min: 0, max: 5 * DAY }), (from, length) => {
        for (const cells of [cellsOf({ from, to: from + length }), hoursOf({ from, to: from + length })]) {
          let at = from
          for (const cell of cells) {
            expect(cell.from).toBe(at)
            expect(Math.floor(cell.from / HOUR) === Math.floor((cell.to - 1) / HOUR) || isDay(cell)).toBe(true)
            at = cell.to
          }
          expect(at).toBe(from + length)
        }
      }),
    )
  })
})

describe('closedUntil', () => {
  test('closes an hour only once its slowest accepted entry has arrived', async () => {
    const created = monday - 1
    const arrives = created + 2 * MINUTE + ENTRY_LATEST_MS + 5 * MINUTE
    const table = await tableWith(Array.from({ length: 199 }, (_, n) => monday - n * MINUTE - 2))
    const totalThen = async () => (await pageOf(table, list, { page: 1, per_page: 1, now: arrives + 2 * MINUTE })).total

    expect(await totalThen()).toBe(199)
    await add(table, created)
    expect(await totalThen()).toBe(200)
    expect(closedUntil(arrives + 2 * MINUTE)).toBe(monday - HOUR)
    expect(closedUntil(arrives + 2 * MINUTE + 1)).toBe(monday)
  })
})

describe('countsOf', () => {
  const creation_times = [monday - 1, monday, monday + HOUR - 1, monday + HOUR, monday + DAY - 1, monday + DAY]
  const day = { from: monday, to: monday + DAY }

  test('counts an entry at the start of an hour or day in that hour or day', async () => {
    const table = await tableWith(creation_times)
    const hours = await countsOf(table, list, hoursOf(day))
    expect(hours.map(({ count }) => count)).toEqual([2, 1, ...Array(21).fill(0), 1])
    expect(await countsOf(table, list, [day])).toEqual([{ ...day, count: 4 }])
  })

  test('stores the counts of days and hours, including zero', async () => {
    const memory = await tableWith(creation_times)
    const cells = cellsOf({ from: monday - 3 * HOUR, to: monday + DAY + 3 * HOUR })
    const first = await countsOf(memory, list, cells)
    expect(sumOf(first)).toBe(6)
    const table = measured(memory)
    expect(await countsOf(table, list, cells)).toEqual(first)
    expect(table.measure).toMatchObject({ calls: 3, waits: 1 })
  })

  test('never stores the count of a part of an hour', async () => {
    const table = await tableWith(creation_times)
    expect(sumOf(await countsOf(table, list, [{ from: monday + 1, to: monday + HOUR }]))).toBe(1)
    expect(table.items.get(`${list.pk}#count`)).toBeUndefined()
  })

  test('counts again only where an entry was deleted', async () => {
    const memory = await tableWith(creation_times)
    const cells = [...hoursOf(day), { from: monday - DAY, to: monday }, day]
    await countsOf(memory, list, cells)
    await remove(memory, memory.items.get(list.pk)!.find(({ sk }) => creationTimeOf(sk) === monday + HOUR)!.sk)
    const counted: string[] = []
    const table: Table = {
      ...measured(memory),
      count: (range) => {
        counted.push(range.from!)
        return memory.count(range)
      },
    }
    const counts = await countsOf(table, list, cells)
    expect(counts.slice(-2).map(({ count }) => count)).toEqual([1, 3])
    expect(counted).toHaveLength(2)
  })

  test('does not store a count if an entry is deleted while it counts', async () => {
    const memory = await tableWith(creation_times)
    const gone = memory.items.get(list.pk)![1]!.sk
    const table: Table = {
      ...measured(memory),
      count: async (range) => {
        const counted = await memory.count(range)
        if (memory.at({ pk: list.pk, sk: gone })) await remove(memory, gone)
        return counted
      },
    }
    expect(sumOf(await countsOf(table, list, [day]))).toBe(4)
    expect(memory.at(dayRow(list, monday))).not.toHaveProperty('count')
    expect(sumOf(await countsOf(table, list, [day]))).toBe(3)
    expect(memory.at(dayRow(list, monday))).toMatchObject({ count: 3 })
  })

  test('counts again only where an entry came late', async () => {
    const table = await tableWith(creation_times)
    const cells = [...hoursOf(day), { from: monday - DAY, to: monday }, day]
    await countsOf(table, list, cells)
    await add(table, monday + 5 * HOUR, monday + 3 * DAY)
    expect(table.at(hourRow(list, monday + HOUR))).toMatchObject({ count: 1 })
    expect(table.at(hourRow(list, monday + 5 * HOUR))).not.toHaveProperty('count')
    const counts = await countsOf(table, list, cells)
    expect([counts[5]!.count, ...counts.slice(-2).map(({ count }) => count)]).toEqual([1, 1, 5])
  })

  test('does not store a count if an entry comes late while it counts', async () => {
    const memory = await tableWith(creation_times)
    let late = 1
    const table: Table = {
      ...measured(memory),
      count: async (range) => {
        const counted = await memory.count(range)
        if (late-- > 0) await add(memory, monday + 5 * HOUR, monday + 3 * DAY)
        return counted
      },
    }
    expect(sumOf(await countsOf(table, list, [day]))).toBe(4)
    expect(memory.at(dayRow(list, monday))).not.toHaveProperty('count')
    expect(sumOf(await countsOf(table, list, [day]))).toBe(5)
  })

  test('answers if another reader has stored the count first, and fails if the table fails', async () => {
    const memory = await tableWith(creation_times)
    expect(sumOf(await countsOf(new FaultyTable(memory, () => 'conflict'), list, [day]))).toBe(4)
    const failsToWrite = new FaultyTable(memory, ({ operation }) => (operation === 'write' ? 'fail_before' : 'ok'))
    await expect(countsOf(failsToWrite, list, [day])).rejects.toThrow(PlatformUnavailable)
  })

  test('counts a day that exceeds a page by its hours, concurrently', async () => {
    const memory = await tableWith(
      Array.from({ length: 480 }, (_, n) => monday + n * 3 * MINUTE),
      4_000,
    )
    const table = measured(memory)
    expect(sumOf(await countsOf(table, list, [day]))).toBe(480)
    expect(table.measure.waits).toBe(6)
    expect(memory.at(hourRow(list, monday + 5 * HOUR))).toMatchObject({ count: 20 })
    expect(memory.at(dayRow(list, monday))).toMatchObject({ count: 480 })
  })

  test('counts an hour that exceeds a page completely', async () => {
    const table = await tableWith(
      Array.from({ length: 500 }, (_, n) => monday + n),
      4_000,
    )
    expect(sumOf(await countsOf(table, list, [day]))).toBe(500)
  })

  test('counts years with bounded concurrency', async () => {
    const table = measured(await tableWith([monday]))
    await countsOf(table, list, cellsOf({ from: monday, to: monday + 730 * DAY }))
    expect(table.measure.most_at_once).toBeLessThanOrEqual(50)
    expect(table.measure.waits).toBeLessThanOrEqual(1 + 2 * 15)
  })
})
