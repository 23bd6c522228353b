import { describe, expect, test } from 'vitest'
import { type Clock, type Item, type Write, WriteConflict } from '#shared/platform/ports.ts'
import { SteppingClock } from '#test/fixtures/clocks.ts'
import { PartitionedTable, Throttled } from './partitioned-table.ts'
import { Partitions } from './partitions.ts'

/** A table with one partition and an index with one partition, both without retained capacity. */
function spentTable(clock: Clock = new SteppingClock(), write_ms = 0): PartitionedTable {
  const [table, index] = [1, 1].map((count) => new Partitions({ count, now: clock.now() }))
  table!.spendBursts(clock.now())
  index!.spendBursts(clock.now())
  return new PartitionedTable({ clock, table, index, write_ms })
}

const KILOBYTE = 1_024

/** An item that is written for this number of units. */
function item(sk: string, units: number, more: Partial<Item> = {}): Item {
  const bare = { pk: 'p', sk, version: 1, text: '', ...more }
  return { ...bare, text: 'x'.repeat(units * KILOBYTE - 60) }
}

/** The number of calls in a row that are not throttled. */
async function unthrottled(act: (call: number) => Promise<unknown>): Promise<number> {
  for (let call = 0; ; call++)
    try {
      await act(call)
    } catch (error) {
      expect(error).toBeInstanceOf(Throttled)
      return call
    }
}

describe('the units of a call', () => {
  test('a single put costs a unit for each KB', async () => {
    const table = spentTable()
    expect(await unthrottled((call) => table.write([{ put: item(`k${call}`, 100) }]))).toBe(10)
  })

  test('a transaction costs double', async () => {
    const table = spentTable()
    const writes = (call: number): Write[] => [{ put: item(`a${call}`, 50) }, { put: item(`b${call}`, 50) }]
    expect(await unthrottled((call) => table.write(writes(call)))).toBe(5)
  })

  test('a consistent read costs a unit for each 4 KB', async () => {
    const table = spentTable()
    await table.memory.write([{ put: item('k', 300) }])
    expect(await unthrottled(() => table.get([{ pk: 'p', sk: 'k' }]))).toBe(40)
    const other = spentTable()
    await other.memory.write([{ put: item('k', 300) }])
    expect(await unthrottled(() => other.query({ pk: 'p' }))).toBe(40)
  })

  test('a throttled write is not executed', async () => {
    const table = spentTable()
    await expect(table.write([{ put: item('a', 300) }, { put: item('b', 300) }])).rejects.toThrow(Throttled)
    expect(table.memory.at({ pk: 'p', sk: 'a' })).toBeUndefined()
  })
})

describe('concurrent writes of an item', () => {
  test('conflict with a transaction in progress on it', async () => {
    const waits: (() => void)[] = []
    const table = spentTable({ now: () => 0, wait: () => new Promise((go) => waits.push(go)) }, 10)
    const first = table.write([{ put: item('a', 1) }, { put: item('b', 1) }])
    await expect(table.write([{ put: item('b', 1) }])).rejects.toThrow(WriteConflict)
    await expect(table.write([{ put: item('b', 1) }, { put: item('c', 1) }])).rejects.toThrow(WriteConflict)
    waits[0]!()
    await first
    const next = table.write([{ put: item('b', 1) }])
    waits[1]!()
    await next
  })

  test('do not conflict with a single put in progress', async () => {
    const waits: (() => void)[] = []
    const table = spentTable({ now: () => 0, wait: () => new Promise((go) => waits.push(go)) }, 10)
    const puts = [table.write([{ put: item('a', 1) }]), table.write([{ put: item('a', 1) }])]
    for (const go of waits) go()
    await Promise.all(puts)
  })
})

describe('the due index', () => {
  const due = (sk: string): Item => item(sk, 1, { due_shard: 's', due_at: 't' })
  const keysOf = async (table: PartitionedTable) =>
    (await table.due({ shard: 's', after: '', until: 'z' })).keys.map(({ sk }) => sk)

  test('shows a change half a second after the write', async () => {
    const clock = new SteppingClock()
    const table = spentTable(clock)
    await table.write([{ put: due('a') }])
    await clock.wait(499)
    expect(await keysOf(table)).toEqual([])
    await clock.wait(1)
    expect(await keysOf(table)).toEqual(['a'])
    await table.write([{ delete: { pk: 'p', sk: 'a' } }])
    expect(await keysOf(table)).toEqual(['a'])
    await clock.wait(500)
    expect(await keysOf(table)).toEqual([])
  })

  test('throttles the writes of its table when it cannot follow', async () => {
    const clock = new SteppingClock()
    const index = new Partitions({ count: 1, now: clock.now() })
    index.spendBursts(clock.now())
    const table = new PartitionedTable({ clock, index })
    // Each put adds one row to the index, of one unit.
    expect(await unthrottled((call) => table.write([{ put: due(`k${call}`) }]))).toBe(1_000)
    expect(index.all[0]!.throttled.write).toBe(1)
    await table.write([{ put: item('k', 1) }])
  })
})
