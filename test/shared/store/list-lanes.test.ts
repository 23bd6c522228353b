import { describe, expect, test } from 'vitest'
import { idOf } from '#shared/domain/ids.ts'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import type { List } from '#shared/store/list-keys.ts'
import { LaneWrites } from '#shared/store/list-lanes.ts'
import { MemoryTable } from '#test/simulation/memory-table.ts'

const list: List = { pk: 'list#payment#mer_1', prefix: 'pay_', counted: true }
const now = Date.UTC(2025, 2, 30, 1, 20)
const id = idOf('payment', now, new Uint8Array(16))

function added(table: MemoryTable, at = now) {
  const lanes = new LaneWrites(table, at)
  const [lane] = lanes.add(list, id, '').split('.')
  return { lanes, lane, writes: lanes.writes() }
}

describe('lanes of a process', () => {
  test('are used one after the other, and never by two transactions at a time', async () => {
    const table = new MemoryTable()
    const [one, other] = [added(table), added(table)]
    expect(one.lane).not.toBe(other.lane)
    await table.write(one.writes)
    one.lanes.committed()
    const next = added(table)
    expect(next.lane).toBe(one.lane)
    await table.write(next.writes)
    expect(table.items.get(`${list.pk}#count`)).toMatchObject([{ version: 2, gone: {} }])
  })

  test('are not shared by tables, and not used in another hour', async () => {
    const table = new MemoryTable()
    const one = added(table)
    one.lanes.committed()
    expect(added(new MemoryTable()).lane).not.toBe(one.lane)
    expect(added(table, now + 60 * 60_000).lane).not.toBe(one.lane)
  })

  test('are used again after a refusal, unless their own version has changed', () => {
    const table = new MemoryTable()
    const refused = added(table)
    refused.lanes.failed(new WriteConflict([]), refused.writes)
    const again = added(table)
    expect(again.lane).toBe(refused.lane)
    again.lanes.failed(new WriteConflict([0]), again.writes)
    expect(added(table).lane).not.toBe(again.lane)
  })

  test('are not used again if it is unknown whether the transaction was committed', () => {
    const table = new MemoryTable()
    const unclear = added(table)
    unclear.lanes.failed(new PlatformUnavailable('lost'), unclear.writes)
    expect(added(table).lane).not.toBe(unclear.lane)
  })
})
