import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import type { Use } from '#infra/local/units.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import { type Item, type Write, WriteConflict } from '#shared/platform/ports.ts'

const item = (sk: string, fields: Partial<Item> = {}): Item => ({ pk: 'p', sk, version: 1, ...fields })
const putAll = (items: Item[]): Write[] => items.map((item) => ({ put: item }))

describe('transactions of one turn of the event loop', () => {
  let table: SqliteTable
  const clock = new VirtualClock({ frozen_at: 1_000_000 })
  beforeEach(() => {
    table = new SqliteTable({ file: ':memory:', clock })
  })
  afterEach(() => table.close())

  test('accept one of many writes on the same version, and reject the others with the failed check', async () => {
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

  test('refuse a write if the clock passes `latest` before the commit', async () => {
    const latest = clock.now()
    await table.write([{ put: item('in time') }], { latest })
    const writing = table.write([{ put: item('late') }], { latest })
    clock.turnTo(latest + 1)
    await expect(writing).rejects.toEqual(new WriteConflict([]))
    expect([...table.items()]).toEqual([item('in time')])
  })

  test('roll back a commit that fails midway, reject all of its writes and continue', async () => {
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

  test('call onCommit for committed writes only, after the commit and before the writer continues', async () => {
    const committed: (readonly Write[])[] = []
    const order: string[] = []
    let broken = false
    const other = new SqliteTable({
      file: ':memory:',
      clock,
      onUse: () => {
        if (broken) throw new Error('broken')
      },
      onCommit: (writes) => {
        committed.push(writes)
        order.push(`committed with ${[...other.items()].length} items`)
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
    expect(committed).toEqual([])
    const settled = await Promise.allSettled(writes)
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(committed).toEqual([first, second])
    expect(order).toEqual(['committed with 2 items', 'committed with 2 items', 'written'])
    broken = true
    await expect(other.write([{ put: item('e') }])).rejects.toThrow('broken')
    expect(committed).toHaveLength(2)
    other.close()
  })

  test('call onCommit in the context of each writer, even if writers share a commit', async () => {
    const context = new AsyncLocalStorage<string>()
    const committed: unknown[] = []
    const other = new SqliteTable({ file: ':memory:', clock, onCommit: () => committed.push(context.getStore()) })
    await Promise.all(['a', 'b', 'c'].map((name) => context.run(name, () => other.write([{ put: item(name) }]))))
    expect(committed).toEqual(['a', 'b', 'c'])
    other.close()
  })

  test('are committed when the table is closed', async () => {
    const other = new SqliteTable({ file: ':memory:', clock })
    const writing = other.write([{ put: item('a') }])
    other.close()
    await expect(writing).resolves.toBeUndefined()
    await expect(other.get([{ pk: 'p', sk: 'a' }])).rejects.toThrow('not open')
  })
})
