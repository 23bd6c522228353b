import { beforeEach, describe, expect, test } from 'vitest'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { type Call, type Fate, FaultyTable, seeded } from './faulty-table.ts'

describe('a faulty table', () => {
  let inner: SqliteTable
  beforeEach(() => {
    inner = new SqliteTable({ file: ':memory:', clock: new VirtualClock() })
  })
  const item = (sk: string, due_at?: string) => ({ pk: 'p', sk, version: 1, ...(due_at && { due_shard: 's', due_at }) })
  const range = { shard: 's', after: '0', until: '9' }
  const sks = async (table: FaultyTable) => (await table.due(range)).keys.map(({ sk }) => sk)

  test.each<[Fate, unknown, number]>([
    ['ok', undefined, 1],
    ['conflict', new WriteConflict([]), 0],
    ['fail_before', new PlatformUnavailable('failed before the call was done'), 0],
    ['fail_after', new PlatformUnavailable('failed after the call was done'), 1],
  ])('applies the fate %s to a write', async (fate, error, written) => {
    const table = new FaultyTable(inner, () => fate)
    const thrown = await table.write([{ put: item('a') }]).catch((error: unknown) => error)
    expect(thrown).toEqual(error)
    expect([...inner.items()]).toHaveLength(written)
  })

  test('passes each call to its plan, and counts it', async () => {
    const seen: Call[] = []
    const table = new FaultyTable(inner, (call) => {
      seen.push(call)
      return 'conflict'
    })
    const writes = [{ put: item('a') }]
    await table.get([{ pk: 'p', sk: 'a' }])
    await table.write(writes).catch(() => {})
    await table.query({ pk: 'p' })
    await table.count({ pk: 'p' })
    expect(seen).toEqual([
      { n: 1, operation: 'get' },
      { n: 2, operation: 'write', writes },
      { n: 3, operation: 'query' },
      { n: 4, operation: 'count' },
    ])
    expect(table.calls).toEqual({ get: 1, query: 1, count: 1, write: 1, due: 0 })
  })

  test('returns the due index as it was before the last write to a query with the fate stale', async () => {
    let fate: Fate = 'ok'
    const table = new FaultyTable(inner, () => fate)
    await table.write([{ put: item('b', '2') }, { put: item('a', '1') }])
    await table.write([{ put: item('a') }, { delete: { pk: 'p', sk: 'b' } }, { put: item('c', '3') }])
    expect(await sks(table)).toEqual(['c'])
    fate = 'stale'
    expect(await sks(table)).toEqual(['a', 'b'])
    await table.write([{ put: item('d') }])
    expect(await sks(table)).toEqual(['c'])
  })

  test('shuffles a page of the due index, and keeps all its keys', async () => {
    const table = new FaultyTable(inner, ({ operation }) => (operation === 'due' ? 'shuffled' : 'ok'))
    const names = ['1', '2', '3', '4', '5', '6', '7', '8']
    await table.write(names.map((at) => ({ put: item(at, at) })))
    const found = await sks(table)
    expect(found).not.toEqual(names)
    expect(found.toSorted()).toEqual(names)
  })

  test('draws the same fates for the same seed, about as often as their probability', () => {
    const deal = (seed: number) => Array.from({ length: 10_000 }, seeded(seed, { conflict: 0.2, fail_after: 0.1 }))
    const fates = deal(7)
    expect(deal(7)).toEqual(fates)
    expect(deal(8)).not.toEqual(fates)
    const share = (fate: Fate) => fates.filter((one) => one === fate).length / fates.length
    expect(share('conflict')).toBeCloseTo(0.2, 1)
    expect(share('fail_after')).toBeCloseTo(0.1, 1)
    expect(share('ok')).toBeCloseTo(0.7, 1)
  })
})
