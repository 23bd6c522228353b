import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import type { Use } from '#infra/local/units.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import { type Item, type Write, WriteConflict } from '#shared/platform/ports.ts'

const item = (sk: string, fields: Partial<Item> = {}): Item => ({ pk: 'p', sk, version: 1, ...fields })
const putAll = (items: Item[]): Write[] => items.map((item) => ({ put: item }))

describe('transactions that are written in one turn', () => {
  let table: SqliteTable
  const clock = new VirtualClock({ frozen_at: 1_000_000 })
  beforeEach(() => {
    table = new SqliteTable({ file: ':memory:', clock })
  })
  afterEach(() => table.close())

  test('of many that read the same version one writes, and the others are told what they lost', async () => {
    await table.write([{ put: item('a') }])
    const writers = Array.from({ length: 20 }, (_, n) =>
      table.write([
        { put: item(`by ${n}`), was: 0 },
        { put: item('a', { version: 2, n }), was: 1 },
      ]),
    )
    const results = await Promise.allSettled(writers)
    const lost = results.filter((result) => result.status === 'rejected')
    expect(lost).toHaveLength(19)
    for (const { reason } of lost) expect(reason).toEqual(new WriteConflict([1]))
    const winner = results.findIndex(({ status }) => status === 'fulfilled')
    expect([...table.items()]).toEqual([item('a', { version: 2, n: winner }), item(`by ${winner}`)])
  })

  test('does nothing before its turn ends: a clock turned past `latest` in between refuses the write', async () => {
    const latest = clock.now()
    await table.write([{ put: item('in time') }], { latest })
    const writing = table.write([{ put: item('late') }], { latest })
    clock.turnTo(latest + 1)
    await expect(writing).rejects.toEqual(new WriteConflict([]))
    expect([...table.items()]).toEqual([item('in time')])
  })

  test('undoes a commit that breaks off midway, tells everyone in it, and goes on', async () => {
    let broken = true
    const onUse = ({ items }: Use) => {
      if (broken && items === 2) throw new Error('broken')
    }
    const other = new SqliteTable({ file: ':memory:', clock, onUse })
    const writes = [other.write([{ put: item('a') }]), other.write(putAll([item('b'), item('c')]))]
    for (const { status } of await Promise.allSettled(writes)) expect(status).toBe('rejected')
    expect([...other.items()]).toEqual([])
    broken = false
    await other.write(putAll([item('b'), item('c')]))
    expect([...other.items()]).toEqual([item('b'), item('c')])
    other.close()
  })

  test('tells what was committed, once it is durable and before its writer goes on, and nothing of what was not', async () => {
    const told: (readonly Write[])[] = []
    const order: string[] = []
    let broken = false
    const other = new SqliteTable({
      file: ':memory:',
      clock,
      onUse: () => {
        if (broken) throw new Error('broken')
      },
      onCommit: (writes) => {
        told.push(writes)
        order.push(`told of ${[...other.items()].length} items`)
      },
    })
    const first: Write[] = [{ put: item('a'), was: 0 }]
    const second: Write[] = [
      { put: item('b') },
      { delete: { pk: 'p', sk: 'c' } },
      { check: { pk: 'p', sk: 'd' }, was: 0 },
    ]
    const writes = [
      other.write(first).then(() => order.push('written')),
      other.write([{ put: item('a'), was: 7 }]),
      other.write([{ put: item('late') }], { latest: clock.now() - 1 }),
      other.write(second),
    ]
    expect(told).toEqual([])
    const settled = await Promise.allSettled(writes)
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(told).toEqual([first, second])
    expect(order).toEqual(['told of 2 items', 'told of 2 items', 'written'])
    broken = true
    await expect(other.write([{ put: item('e') }])).rejects.toThrow('broken')
    expect(told).toHaveLength(2)
    other.close()
  })

  test('tells of each commit in the context of its writer, though writers share a commit', async () => {
    const context = new AsyncLocalStorage<string>()
    const told: unknown[] = []
    const other = new SqliteTable({ file: ':memory:', clock, onCommit: () => told.push(context.getStore()) })
    await Promise.all(['a', 'b', 'c'].map((name) => context.run(name, () => other.write([{ put: item(name) }]))))
    expect(told).toEqual(['a', 'b', 'c'])
    other.close()
  })

  test('commits what waits when it is closed', async () => {
    const other = new SqliteTable({ file: ':memory:', clock })
    const writing = other.write([{ put: item('a') }])
    other.close()
    await expect(writing).resolves.toBeUndefined()
    await expect(other.get([{ pk: 'p', sk: 'a' }])).rejects.toThrow('not open')
  })
})
