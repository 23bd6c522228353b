import { describe, expect, test } from 'vitest'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import type { Item, Write } from '#shared/platform/ports.ts'
import { randomOf } from '#test/faults/random.ts'
import { MemoryTable } from '#test/simulation/memory-table.ts'
import { type ItemUnits, isTransaction, unitsOfGet, unitsOfIndex, unitsOfWrite } from './consumed-units.ts'

const sum = (items: readonly ItemUnits[]): number => items.reduce((total, { units }) => total + units, 0)

const item = (bytes: number, more: Partial<Item> = {}): Item => ({
  ...{ pk: 'p', sk: 'k', version: 1 },
  text: 'x'.repeat(bytes),
  ...more,
})

describe('the units of a write', () => {
  test('are counted at the larger size of the item, before or after', () => {
    expect(unitsOfWrite([{ put: item(100) }], [item(2_500)])).toEqual([{ key: { pk: 'p', sk: 'k' }, units: 3 }])
    expect(unitsOfWrite([{ delete: { pk: 'p', sk: 'k' } }], [item(2_500)])[0]!.units).toBe(3)
  })

  test('are double in a transaction, and a version check alone is one', () => {
    const check: Write = { check: { pk: 'p', sk: 'k' }, was: 1 }
    expect(isTransaction([check])).toBe(true)
    expect(unitsOfWrite([check], [item(2_500)])[0]!.units).toBe(6)
    expect(isTransaction([{ put: item(1) }])).toBe(false)
  })

  test('of a transaction are those that SQLite counts', async () => {
    let used = 0
    const onUse = ({ write_units }: { write_units: number }) => {
      used = write_units
    }
    const sqlite = new SqliteTable({ file: ':memory:', clock: { now: () => 0, wait: async () => {} }, onUse })
    const memory = new MemoryTable()
    const random = randomOf(1)
    const below = (bound: number) => Math.floor(random() * bound)
    for (let round = 0; round < 200; round++) {
      const writes = ['a', 'b', 'c'].map((sk): Write => {
        const due = below(2) ? { due_shard: `s${below(2)}`, due_at: `t${below(2)}` } : {}
        return below(4) ? { put: item(below(5_000), { sk, ...due }) } : { delete: { pk: 'p', sk } }
      })
      const before = ['a', 'b', 'c'].map((sk) => memory.at({ pk: 'p', sk }))
      await sqlite.write(writes)
      await memory.write(writes)
      expect(sum(unitsOfWrite(writes, before)) + sum(unitsOfIndex(writes, before))).toBe(used)
    }
  })
})

describe('the units of the index', () => {
  const row = (due_at: string): Item => item(9, { due_shard: 's', due_at })

  test('are one for the row that a write removes, and one for the row that it adds', () => {
    expect(unitsOfIndex([{ put: row('t2') }], [row('t1')])).toEqual([
      { key: { pk: 's', sk: 't1' }, units: 1 },
      { key: { pk: 's', sk: 't2' }, units: 1 },
    ])
  })

  test('are none if the row stays', () => {
    expect(unitsOfIndex([{ put: row('t1') }], [row('t1')])).toEqual([])
  })
})

test('the units of a consistent read are one for each 4 KB of an item, and one for an absent item', () => {
  const keys = [
    { pk: 'p', sk: 'k' },
    { pk: 'p', sk: 'l' },
  ]
  expect(unitsOfGet(keys, [item(8_000), undefined]).map(({ units }) => units)).toEqual([2, 1])
})
