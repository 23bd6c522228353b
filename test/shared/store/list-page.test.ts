import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { idOf } from '#shared/domain/ids.ts'
import type { Table } from '#shared/platform/ports.ts'
import { headKey, type List } from '#shared/store/list-keys.ts'
import { createdBetween, type PageWanted, pageOf } from '#shared/store/list-page.ts'
import { CLOSED_AFTER_MS } from '#shared/store/list-tally.ts'
import { listBench, openHourBench } from '#test/bench/lists.ts'
import { randomOf } from '#test/faults/random.ts'
import { writeEntries } from '#test/fixtures/list-writes.ts'
import { measured } from '#test/fixtures/measured-table.ts'
import { naive } from '#test/simulation/list-simulation.ts'
import { MemoryTable } from '#test/simulation/memory-table.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const list: List = { pk: 'list#payment#mer_1', prefix: 'pay_', counted: true }
const monday = Date.UTC(2025, 2, 24)

/**
 * A table whose list has entries of these times, and the same list as an array, newest first. Every third has facet b.
 */
async function filled(births: readonly number[], page_bytes?: number, of = list) {
  const table = new MemoryTable({ page_bytes })
  const random = randomOf(births.length)
  for (const [n, born] of births.entries()) {
    const id = idOf(
      'payment',
      born,
      Uint8Array.from({ length: 16 }, () => random() * 256),
    )
    await writeEntries(table, { after: [{ list: of, id, facet: n % 3 ? 'a' : 'b' }], now: born })
  }
  const entries = (table.items.get(of.pk) ?? []).map(({ sk, facet }) => ({ id: sk, facet: String(facet) })).toReversed()
  return { table, entries }
}

describe('bornBetween', () => {
  test.each([
    ['2025-03-24T00:00:00.000Z', 1_000],
    ['2025-03-24T00:00:00.001Z', 1_000],
    ['2025-03-24T00:00:00.999Z', 1_000],
    ['2025-03-23T23:59:59.999Z', 0],
  ])('a range that starts at %s begins with the next whole second', (start_time, expected) => {
    expect(createdBetween(Date.parse(start_time)).created_from).toBe(monday + expected)
  })

  test.each([
    ['2025-03-24T00:00:00.000Z', 0],
    ['2025-03-24T00:00:00.001Z', 1_000],
    ['2025-03-24T00:00:00.999Z', 1_000],
    ['2025-03-24T00:00:01.000Z', 1_000],
  ])('a range that ends at %s contains the seconds before it', (end_time, expected) => {
    expect(createdBetween(undefined, Date.parse(end_time)).created_before).toBe(monday + expected)
  })

  test('a range contains exactly the records created after its start and before its end, in whole seconds', () => {
    const time = fc.integer({ min: monday, max: monday + 5_000 })
    fc.assert(
      fc.property(time, time, time, (born, start_time, end_time) => {
        const created_at = Math.floor(born / 1000) * 1000
        const { created_from, created_before } = createdBetween(start_time, end_time)
        expect(born >= created_from! && born < created_before!).toBe(created_at > start_time && created_at < end_time)
      }),
    )
  })

  test('a range without ends is the whole list', async () => {
    const { table } = await filled([0, monday])
    expect((await pageOf(table, list, { page: 1, per_page: 10, now: monday, ...createdBetween() })).total).toBe(2)
  })

  test('a range may lie anywhere that a date can', async () => {
    const { table, entries } = await filled([monday])
    const total = async (from: string, to: string) =>
      (
        await pageOf(table, list, {
          page: 1,
          per_page: 10,
          now: monday,
          ...createdBetween(Date.parse(from), Date.parse(to)),
        })
      ).total
    expect(await total('0001-01-01T00:00:00Z', '+275760-09-13T00:00:00Z')).toBe(entries.length)
    expect(await total('0001-01-01T00:00:00Z', '0002-01-01T00:00:00Z')).toBe(0)
    expect(await total('0001-01-01T00:00:00Z', '+037648-10-10T12:00:00Z')).toBe(entries.length)
    expect(await total('+275760-01-01T00:00:00Z', '+275760-09-13T00:00:00Z')).toBe(0)
    expect(await total('2025-03-25T00:00:00Z', '2025-03-01T00:00:00Z')).toBe(0)
  })
})

describe('pageOf', () => {
  test('returns an empty page of an empty list', async () => {
    for (const accepts of [undefined, () => true])
      expect(await pageOf(new MemoryTable(), list, { page: 1, per_page: 10, now: monday, accepts })).toEqual({
        total: 0,
        ids: [],
      })
  })

  test('returns an empty page past the end, with the right total', async () => {
    const { table } = await filled(Array.from({ length: 150 }, (_, n) => monday + n * HOUR))
    const now = monday + 300 * HOUR
    expect(await pageOf(table, list, { page: 16, per_page: 10, now })).toEqual({ total: 150, ids: [] })
    expect(await pageOf(table, list, { page: Number.MAX_SAFE_INTEGER, per_page: 100, now })).toMatchObject({ ids: [] })
  })

  test('returns a page that begins in the open hour and continues in closed hours', async () => {
    const now = monday + 2 * DAY + 20 * 60_000
    const { table, entries } = await filled(Array.from({ length: 300 }, (_, n) => now - n * 10 * 60_000))
    const page = await pageOf(table, list, { page: 1, per_page: 100, now })
    expect(page).toEqual({ total: 300, ids: entries.slice(0, 100).map(({ id }) => id) })
  })

  test('equals a naive implementation for any list, range and filter', { timeout: 60_000 }, async () => {
    const edge = fc.oneof(
      fc.integer({ min: 0, max: 4 * DAY }),
      fc.tuple(fc.integer({ min: 0, max: 96 }), fc.integer({ min: -1, max: 1 })).map(([hour, ms]) => hour * HOUR + ms),
    )
    const at = edge.map((offset) => monday + offset)
    const births = fc.tuple(fc.array(at, { minLength: 60, maxLength: 250 }), fc.array(at, { maxLength: 3 }))
    const wanted = fc.record({
      per_page: fc.constantFrom(1, 7, 10, 100),
      where: fc.double({ min: 0, max: 1.1, noNaN: true }),
      created_from: fc.option(at, { nil: undefined }),
      created_before: fc.option(at, { nil: undefined }),
      accepts: fc.option(
        fc.constant((facet: string) => facet === 'a'),
        { nil: undefined, freq: 4 },
      ),
      now: at.map((now) => now + CLOSED_AFTER_MS + HOUR),
    })
    await fc.assert(
      fc.asyncProperty(
        births,
        fc.array(wanted, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(300, 3_000, 1 << 20),
        async ([some, crowds], pages, page_bytes) => {
          const full = crowds.flatMap((born) => Array.from({ length: 120 }, (_, n) => born - n))
          const { table, entries } = await filled([...some, ...full], page_bytes)
          for (const { where, ...want } of pages) {
            const page = 1 + Math.floor((entries.length / want.per_page) * where)
            const now = Math.max(want.now, monday + 4 * DAY * where)
            const exact: PageWanted = { ...want, page, now }
            expect(await pageOf(table, list, exact)).toEqual(naive(entries, exact))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('returns a complete page of a filtered list that spans many pages of the table', async () => {
    const { table, entries } = await filled(
      Array.from({ length: 100 }, (_, n) => monday + n),
      500,
    )
    const wanted = { page: 2, per_page: 10, now: monday, accepts: (facet: string) => facet === 'b' }
    expect(await pageOf(table, list, wanted)).toEqual(naive(entries, wanted))
  })

  test('reads an uncounted list completely, and stores no counts', async () => {
    const few: List = { ...list, counted: false }
    const { table, entries } = await filled(
      Array.from({ length: 200 }, (_, n) => monday + n * HOUR),
      1 << 20,
      few,
    )
    const wanted = { page: 3, per_page: 10, now: monday + 365 * DAY, created_from: monday + DAY }
    expect(await pageOf(table, few, wanted)).toEqual(naive(entries, wanted))
    expect([...table.items.keys()]).toEqual([few.pk])
  })
})

describe('pageOf with concurrent deletes', () => {
  const hourly = Array.from({ length: 240 }, (_, n) => monday + n * HOUR)

  /** The table. Before the last call of each of the first reads, the newest remaining entry is deleted. */
  function withDeletes(table: MemoryTable, times: number): Table {
    let left = times
    let looks = 0
    return {
      ...measured(table),
      query: async (range) => {
        if (range.to === headKey(list).sk && looks++ > 0 && left-- > 0) {
          const entry = { list, id: table.items.get(list.pk)!.at(-1)!.sk, facet: '' }
          await writeEntries(table, { before: [entry], now: monday + 365 * DAY })
        }
        return table.query(range)
      },
    }
  }

  test('reads the page again', async () => {
    const { table, entries } = await filled(hourly)
    const wanted = { page: 1, per_page: 10, now: monday + 365 * DAY }
    expect(await pageOf(withDeletes(table, 4), list, wanted)).toEqual(naive(entries.slice(4), wanted))
  })

  test('answers after the fifth read', async () => {
    const { table, entries } = await filled(hourly)
    const wanted = { page: 1, per_page: 10, now: monday + 365 * DAY }
    expect(await pageOf(withDeletes(table, 1_000), list, wanted)).toEqual(naive(entries.slice(5), wanted))
  })
})

describe('calls and round trips of pageOf', () => {
  test('a small list takes one round trip, and no count is stored', async () => {
    const { table: memory } = await filled(Array.from({ length: 99 }, (_, n) => monday + n * DAY))
    const table = measured(memory)
    await pageOf(table, list, { page: 1, per_page: 10, now: monday + 365 * DAY })
    expect(table.measure.waits).toBe(1)
    expect(memory.items.get(`${list.pk}#count`)!.every(({ sk }) => /^lane#\w+$/.test(sk))).toBe(true)
  })

  test('a second read counts nothing again, and a page past the end costs no more', async () => {
    const { table: memory } = await filled(Array.from({ length: 200 }, (_, n) => monday + HOUR / 2 + n * HOUR))
    const pageThen = async (page: number) => {
      const table = measured(memory)
      await pageOf(table, list, { page, per_page: 10, now: monday + 365 * DAY + CLOSED_AFTER_MS })
      return table.measure
    }
    await pageThen(1)
    expect(await pageThen(1)).toMatchObject({ waits: 3, calls: 3 + 4 + 1 })
    expect(await pageThen(99)).toMatchObject({ waits: 3, calls: 3 + 3 + 1 })
  })

  test('a page deep in a full day costs as much as one near its end, where no hours are counted', async () => {
    const { table } = await filled(Array.from({ length: 2_400 }, (_, n) => monday + Math.floor((n * DAY) / 2_400)))
    const unitsOf = async (page: number) => {
      const before = table.read_units
      await pageOf(table, list, { page, per_page: 10, now: monday + 365 * DAY + CLOSED_AFTER_MS })
      return table.read_units - before
    }
    const hours = () => table.items.get(`${list.pk}#count`)!.filter(({ sk }) => sk.startsWith('hour#'))
    await unitsOf(5)
    expect(hours()).toHaveLength(0)
    await unitsOf(120)
    expect(hours()).toHaveLength(24)
    expect(await unitsOf(120)).toBeLessThanOrEqual((await unitsOf(5)) + 3)
  })

  test('page 1 costs the same however many entries the open hour has', async () => {
    for (const { list, entries, total, calls, read_units } of await openHourBench([100, 20_000])) {
      expect({ list, entries, total }).toEqual({ list, entries, total: entries + 1_000 })
      expect(read_units).toBeLessThanOrEqual(25)
      expect(calls).toBeLessThanOrEqual(7)
    }
  })

  test('the last of 10,000 pages costs at most twice the first, in five round trips', async () => {
    const figures = new Map((await listBench(100_000)).map(({ page, again }) => [page, again]))
    const [first, last] = ['page 1 of 10', 'page 10,000 of 10'].map((page) => figures.get(page)!)
    expect(first!.total).toBe(100_000)
    expect(last!.read_units).toBeLessThanOrEqual(2 * first!.read_units)
    for (const { waits } of [first!, last!]) expect(waits).toBeLessThanOrEqual(5)
  })
})
