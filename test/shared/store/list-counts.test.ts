import { describe, expect, test } from 'vitest'
import { creationTimeOf, idOf } from '#shared/domain/ids.ts'
import { PlatformUnavailable, type Table } from '#shared/platform/ports.ts'
import { cellsOf, hoursOf, rowsAround } from '#shared/store/list-cells.ts'
import { countsOf, isExact, keepCounts, type Reading, sumOf } from '#shared/store/list-counts.ts'
import type { List, Span } from '#shared/store/list-keys.ts'
import { advance, CLOSED_AFTER_MS, closedIn, tallyOf, usableTally } from '#shared/store/list-tally.ts'
import { FaultyTable } from '#test/faults/faulty-table.ts'
import { headSince, writeEntries } from '#test/fixtures/list-writes.ts'
import { measured } from '#test/fixtures/measured-table.ts'
import { MemoryTable } from '#test/simulation/memory-table.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const list: List = { pk: 'list#customer#mer_1', prefix: 'cus_', counted: true }
const monday = Date.UTC(2025, 2, 24)
const later = monday + 3 * DAY + 30 * MINUTE

const dayRow = (at: number) => rowsAround(list, at)[1]!
const hourRow = (at: number) => rowsAround(list, at)[2]!

let ids = 0
const idCreatedAt = (created: number) =>
  idOf(
    'customer',
    created,
    Uint8Array.from({ length: 4 }, (_, n) => ids++ >> (5 * n)),
  )
/** Adds an entry: at its creation time, or late at `now`. */
const add = (table: Table, created: number, now = created) =>
  writeEntries(table, { after: [{ list, id: idCreatedAt(created), facet: '' }], now })
const remove = (table: Table, id: string, now: number) =>
  writeEntries(table, { before: [{ list, id, facet: '' }], now })

/** Counts cells in a whole reading, and stores what it found if the reading is exact. */
async function countedIn(table: Table, cells: readonly Span[], now = later) {
  const tally = await usableTally(table, list, now, { found: await tallyOf(table, list, now), newest: [] })
  const reading: Reading = { table, list, tally, closed: closedIn(tally, now), found: new Map(), is_torn: false }
  const counts = await countsOf(reading, cells)
  const after = (await tallyOf(table, list, now))!
  const is_exact = isExact(reading, after)
  if (is_exact) await keepCounts(reading)
  return { counts: counts.map(({ count }) => count), sum: sumOf(counts), is_exact, after, found: reading.found.size }
}

async function tableWith(creation_times: readonly number[], page_bytes?: number): Promise<MemoryTable> {
  const table = new MemoryTable({ page_bytes })
  for (const created of creation_times) await add(table, created)
  return table
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

describe('countsOf', () => {
  const creation_times = [monday - 1, monday, monday + HOUR - 1, monday + HOUR, monday + DAY - 1, monday + DAY]
  const day = { from: monday, to: monday + DAY }

  test('counts an entry at the start of an hour or day in that hour or day', async () => {
    const table = await tableWith(creation_times)
    expect((await countedIn(table, hoursOf(day))).counts).toEqual([2, 1, ...Array(21).fill(0), 1])
    expect((await countedIn(table, [day])).counts).toEqual([4])
  })

  test('stores the counts of days and hours, including zero', async () => {
    const memory = await tableWith(creation_times)
    const cells = cellsOf({ from: monday - 3 * HOUR, to: monday + DAY + 3 * HOUR })
    expect(await countedIn(memory, cells)).toMatchObject({ sum: 6, found: 7 })
    expect(await countedIn(memory, cells)).toMatchObject({ sum: 6, found: 0 })
  })

  test('never stores the count of a part of an hour', async () => {
    const table = await tableWith(creation_times)
    expect(await countedIn(table, [{ from: monday + 1, to: monday + HOUR }])).toMatchObject({ sum: 1, found: 0 })
  })

  test('counts nothing again after deletes and late entries', async () => {
    const memory = await tableWith(creation_times)
    const cells = [...hoursOf(day), { from: monday - DAY, to: monday }, day]
    await countedIn(memory, cells)
    const second = memory.items.get(list.pk)!.find(({ sk }) => creationTimeOf(sk) === monday + HOUR)!
    await remove(memory, second.sk, later)
    await add(memory, monday + 5 * HOUR, later)
    await add(memory, monday + 5 * HOUR, later)
    const again = await countedIn(memory, cells)
    expect(again).toMatchObject({ found: 0 })
    expect([again.counts[1], again.counts[5], ...again.counts.slice(-2)]).toEqual([0, 2, 1, 5])
  })

  test('adds the lanes of closed hours to the stored counts once', async () => {
    const memory = await tableWith(creation_times)
    await memory.write([{ put: headSince(list, monday + DAY) }])
    const cells = [...hoursOf(day), day]
    await countedIn(memory, cells)
    await add(memory, monday + 5 * HOUR, later)
    const { after } = await countedIn(memory, cells)
    const much_later = later + 2 * HOUR
    await advance(memory, list, after, much_later)
    await advance(memory, list, after, much_later)
    expect(memory.at(dayRow(monday))).toMatchObject({ stored: { '*': 5 } })
    expect(memory.at(hourRow(monday + 5 * HOUR))).toMatchObject({ stored: { '*': 1 } })
    const again = await countedIn(memory, cells, much_later)
    expect(again).toMatchObject({ found: 0 })
    expect([again.counts[5], again.counts.at(-1)]).toEqual([1, 5])
    expect(again.after.lanes.size).toBe(0)
  })

  test('does not use a count that an older version stored, or stored since', async () => {
    const memory = await tableWith(creation_times)
    await memory.write([{ put: { ...dayRow(monday), version: 7, count: 99 } }])
    expect(await countedIn(memory, [day])).toMatchObject({ sum: 4, found: 1 })
    expect(memory.at(dayRow(monday))).toMatchObject({ version: 8, stored: { '*': 4 } })
    expect(memory.at(dayRow(monday))).not.toHaveProperty('count')
    await memory.write([{ put: { ...dayRow(monday), version: 9, count: 99 } }])
    expect(await countedIn(memory, [day])).toMatchObject({ sum: 4, found: 1 })
  })

  test('counts everything again once no older version is in use', async () => {
    const memory = await tableWith(creation_times)
    await countedIn(memory, [day])
    const { since } = (await tallyOf(memory, list, later))!.head
    expect(await countedIn(memory, [day], since + CLOSED_AFTER_MS - 1)).toMatchObject({ sum: 4, found: 0 })
    expect(await countedIn(memory, [day], since + CLOSED_AFTER_MS)).toMatchObject({ sum: 4, found: 1 })
    expect(await countedIn(memory, [day], since + CLOSED_AFTER_MS)).toMatchObject({ sum: 4, found: 0 })
  })

  test('counts everything again if a list was not read for a month', async () => {
    const memory = await tableWith(creation_times)
    for (const at of [later, later + 3 * HOUR]) await countedIn(memory, [day], at)
    expect(await countedIn(memory, [day], later + 29 * DAY)).toMatchObject({ sum: 4, found: 0 })
    expect(await countedIn(memory, [day], later + 31 * DAY)).toMatchObject({ sum: 4, found: 1 })
  })

  test.each([
    ['deleted', (table: Table, id: string) => remove(table, id, later)],
    ['added late', (table: Table) => add(table, monday + 5 * HOUR, later)],
  ])('does not store a count if an entry is %s while it counts', async (_, change) => {
    const memory = await tableWith(creation_times)
    await countedIn(memory, [])
    let left = 1
    const table: Table = {
      ...measured(memory),
      count: async (range) => {
        const counted = await memory.count(range)
        if (left-- > 0) await change(memory, memory.items.get(list.pk)![1]!.sk)
        return counted
      },
    }
    expect(await countedIn(table, [day])).toMatchObject({ sum: 4, is_exact: false })
    expect(memory.at(dayRow(monday))).toBeUndefined()
    expect(await countedIn(table, [day])).toMatchObject({ sum: memory.items.get(list.pk)!.length - 2, is_exact: true })
  })

  test('answers if another reader has stored the count first, and fails if the table fails', async () => {
    const memory = await tableWith(creation_times)
    await countedIn(memory, [])
    expect((await countedIn(new FaultyTable(memory, () => 'conflict'), [day])).sum).toBe(4)
    const failsToWrite = new FaultyTable(memory, ({ operation }) => (operation === 'write' ? 'fail_before' : 'ok'))
    await expect(countedIn(failsToWrite, [day])).rejects.toThrow(PlatformUnavailable)
  })

  test('counts a day that exceeds a page by its hours', async () => {
    const memory = await tableWith(
      Array.from({ length: 480 }, (_, n) => monday + n * 3 * MINUTE),
      4_000,
    )
    expect((await countedIn(memory, [day])).sum).toBe(480)
    expect(memory.at(hourRow(monday + 5 * HOUR))).toMatchObject({ stored: { '*': 20 } })
    expect(memory.at(dayRow(monday))).toMatchObject({ stored: { '*': 480 } })
  })

  test('stores the counts of whole months, days and hours, and adds later changes to them', async () => {
    const memory = await tableWith([Date.UTC(2025, 0, 1), Date.UTC(2025, 0, 31, 23, 59), Date.UTC(2025, 1, 1)])
    await memory.write([{ put: headSince(list, later) }])
    const cells = cellsOf({ from: Date.UTC(2024, 11, 31), to: monday })
    const [day, january, february, ...march] = (await countedIn(memory, cells)).counts
    expect([day, january, february, march.length, sum(march)]).toEqual([0, 2, 1, 23, 0])
    await add(memory, Date.UTC(2025, 0, 15), later)
    const { counts, found, after } = await countedIn(memory, cells)
    expect([counts[1], found]).toEqual([3, 0])
    await advance(memory, list, after, later + 2 * HOUR)
    expect(memory.at(rowsAround(list, Date.UTC(2025, 0, 15))[0]!)).toMatchObject({ stored: { '*': 3 } })
  })

  test('counts an hour that exceeds a page completely', async () => {
    const table = await tableWith(
      Array.from({ length: 500 }, (_, n) => monday + n),
      4_000,
    )
    expect((await countedIn(table, [day])).sum).toBe(500)
  })

  test('counts years with bounded concurrency', async () => {
    const table = measured(await tableWith([monday]))
    await countedIn(table, cellsOf({ from: monday - 730 * DAY, to: monday }))
    expect(table.measure.most_at_once).toBeLessThanOrEqual(50)
    // Each month needs a query for the rows of its days and a round of counts. 50 counts are stored at a time.
    expect(table.measure.waits).toBeLessThanOrEqual(5 + 2 * 25 + 20)
  })

  test('counts an open hour by its lanes alone', async () => {
    const memory = new MemoryTable()
    await memory.write([{ put: headSince(list, monday) }])
    const now = monday + 3 * HOUR + 20 * MINUTE
    for (let n = 0; n < 5; n++) await add(memory, monday + 3 * HOUR + n)
    memory.items.set(list.pk, [])
    expect((await countedIn(memory, hoursOf({ from: monday + 3 * HOUR, to: monday + 4 * HOUR }), now)).counts).toEqual([
      5,
    ])
  })
})
