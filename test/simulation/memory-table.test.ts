import { describe, expect, test } from 'vitest'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import { type Item, type Range, WriteConflict } from '#shared/platform/ports.ts'
import { randomOf } from '#test/faults/random.ts'
import { MemoryTable } from './memory-table.ts'

describe('the table in memory', () => {
  test('returns what SQLite returns, at the same cost', async () => {
    let units = 0
    const clock = { now: () => 0, wait: async () => {} }
    const onUse = (use: { read_units: number }) => {
      units += use.read_units
    }
    const sqlite = new SqliteTable({ file: ':memory:', clock, onUse })
    const memory = new MemoryTable()
    const random = randomOf(1)
    const sk = () => `k${Math.floor(random() * 60)}`
    for (let n = 0; n < 400; n++) {
      const put: Item = { pk: 'p', sk: sk(), version: n + 1, text: 'x'.repeat(n % 5 ? 9 : 200_000) }
      const was = random() < 0.5 ? (memory.at(put)?.version ?? 0) : Math.floor(random() * 3)
      const write = random() < 0.7 ? { put, was } : { delete: { pk: 'p', sk: put.sk }, was }
      const outcomes = [sqlite, memory].map((table) => table.write([write]).catch((error) => error))
      const [one, other] = await Promise.all(outcomes)
      expect(other).toEqual(one)
      if (one) expect(other).toBeInstanceOf(WriteConflict)

      const [from, to] = [sk(), sk()].sort()
      const limit = random() < 0.5 ? 1 + Math.floor(random() * 9) : undefined
      const range: Range = { pk: 'p', from, to, descending: random() < 0.5, limit }
      const first = await memory.query(range)
      expect(first).toEqual(await sqlite.query(range))
      expect(await memory.count({ ...range, after: first.next })).toEqual(
        await sqlite.count({ ...range, after: first.next }),
      )
      expect(await memory.get([{ pk: 'p', sk: put.sk }])).toEqual(await sqlite.get([{ pk: 'p', sk: put.sk }]))
      expect(memory.read_units).toBe(units)
    }
  })

  test('returns the same pages of the due index as SQLite, at the same cost', async () => {
    let units = 0
    const clock = { now: () => 0, wait: async () => {} }
    const onUse = (use: { operation: string; read_units: number }) => {
      if (use.operation === 'due') units += use.read_units
    }
    const sqlite = new SqliteTable({ file: ':memory:', clock, onUse })
    const memory = new MemoryTable()
    const random = randomOf(2)
    const below = (bound: number) => Math.floor(random() * bound)
    const time = () => `t${below(9)}`
    let pages = 0
    for (let n = 0; n < 400; n++) {
      const key = { pk: `p${below(12)}`, sk: `k${below(3)}` }
      const due = random() < 0.8 ? { due_shard: `s${below(2)}`, due_at: time() } : {}
      const write = random() < 0.8 ? { put: { ...key, version: 1, ...due } } : { delete: key }
      await Promise.all([sqlite.write([write]), memory.write([write])])

      const [after, until] = [time(), time()].sort() as [string, string]
      const limit = random() < 0.5 ? 1 + below(4) : undefined
      const shard = `s${below(2)}`
      let next: string | undefined
      do {
        const range = { shard, after, until, limit, next }
        const page = await memory.due(range)
        expect(page).toEqual(await sqlite.due(range))
        next = page.next
        if (next) pages++
      } while (next)
      expect(memory.read_units).toBe(units)
    }
    expect(pages).toBeGreaterThan(100)
  })
})
