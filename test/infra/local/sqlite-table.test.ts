import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import type { Use } from '#infra/local/units.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import { type Item, PlatformUnavailable, type Value, type Write, WriteConflict } from '#shared/platform/ports.ts'
import { scanContract } from '#test/shared/platform/contract/scan-contract.ts'
import { tableContract } from '#test/shared/platform/contract/table-contract.ts'

tableContract(
  'the table contract on SQLite',
  async () => new SqliteTable({ file: ':memory:', clock: new VirtualClock() }),
)

scanContract('SQLite', async () => new SqliteTable({ file: ':memory:', clock: new VirtualClock() }))

const item = (sk: string, fields: Partial<Item> = {}): Item => ({ pk: 'p', sk, version: 1, ...fields })
const putAll = (items: Item[]): Write[] => items.map((item) => ({ put: item }))

describe('SqliteTable in memory', () => {
  let table: SqliteTable
  let uses: Use[]
  const clock = new VirtualClock({ frozen_at: 1_000_000 })
  beforeEach(() => {
    uses = []
    table = new SqliteTable({ file: ':memory:', clock, onUse: (use) => uses.push(use) })
  })
  afterEach(() => table.close())

  describe('the limits of DynamoDB', () => {
    const nested = (levels: number): Value => (levels === 0 ? 1 : [nested(levels - 1)])
    const long = (length: number) => 'é'.repeat(length / 2)

    test.each<[string, Write[]]>([
      ['no items', []],
      ['101 items', putAll(Array.from({ length: 101 }, (_, n) => item(`n${n}`)))],
      ['one item twice', [{ put: item('a') }, { put: item('b') }, { check: { pk: 'p', sk: 'a' }, was: 0 }]],
      ['more than 4 MB', putAll(Array.from({ length: 11 }, (_, n) => item(`n${n}`, { text: long(400_000) })))],
      ['an item above 400 KB', [{ put: item('a', { text: long(400 * 1024) }) }]],
      ['an empty pk', [{ put: item('a', { pk: '' }) }]],
      ['an empty sk', [{ delete: { pk: 'p', sk: '' } }]],
      ['a pk above 2,048 bytes', [{ put: item('a', { pk: long(2050) }) }]],
      ['an sk above 1,024 bytes', [{ put: item(long(1026)) }]],
      ['an empty key of the index', [{ put: item('a', { due_shard: '', due_at: '2025' }) }]],
      ['a key of the index above 1,024 bytes', [{ put: item('a', { due_shard: 's', due_at: long(1026) }) }]],
      ['a version of 0', [{ put: item('a', { version: 0 }) }]],
      ['NaN', [{ put: item('a', { n: Number.NaN }) }]],
      ['an infinite number', [{ put: item('a', { n: Number.NEGATIVE_INFINITY }) }]],
      ['an integer beyond the safe integers', [{ put: item('a', { list: [2 ** 53] }) }]],
      ['a number too small', [{ put: item('a', { n: 9e-131 }) }]],
      ['33 levels', [{ put: item('a', { n: nested(33) }) }]],
      ['an attribute without a name', [{ put: item('a', { nested: { '': 1 } }) }]],
      ['a date', [{ put: item('a', { at: new Date() as never }) }]],
      ['a hole in a list', [{ put: item('a', { list: [undefined as never] }) }]],
    ])('refuse a write of %s, and nothing is written', async (_, writes) => {
      const error = await table.write([...writes]).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(PlatformUnavailable)
      expect(error).not.toBeInstanceOf(WriteConflict)
      expect([...table.items()]).toEqual([])
    })

    test.each([
      ['no key', []],
      ['101 keys', Array.from({ length: 101 }, (_, n) => ({ pk: 'p', sk: `n${n}` }))],
      [
        'one key twice',
        [
          { pk: 'p', sk: 'a' },
          { pk: 'p', sk: 'a' },
        ],
      ],
      ['an empty key', [{ pk: 'p', sk: '' }]],
    ])('refuse a get of %s', async (_, keys) => {
      await expect(table.get(keys)).rejects.toThrow()
    })

    test.each([
      ['an empty bound', { from: '' }],
      ['a limit of 0', { limit: 0 }],
      ['a page before its range', { from: 'b', after: 'a' }],
      ['a page after its range', { to: '\u{FFFD}', after: '\u{1F600}' }],
    ])('refuse a query and a count with %s', async (_, range) => {
      await expect(table.query({ pk: 'p', ...range })).rejects.toThrow()
      await expect(table.count({ pk: 'p', ...range })).rejects.toThrow()
    })

    test('allow items that are exactly at the limits', async () => {
      await table.write([
        { put: item('a', { nested: nested(32), n: [Number.MAX_SAFE_INTEGER, -1e-130] }) },
        { put: item(long(1024), { pk: long(2048) }) },
        // This item has 19 bytes besides its text.
        { put: item('b', { text: 'x'.repeat(400 * 1024 - 19) }) },
      ])
      expect([...table.items()]).toHaveLength(3)
      await expect(table.write([{ put: item('b', { text: 'x'.repeat(400 * 1024 - 18) }) }])).rejects.toThrow('above')
    })
  })

  test('distinguishes keys whose joined text is the same', async () => {
    await table.write([
      { put: item('b', { pk: 'a' }) },
      { put: item('', { pk: 'a', sk: 'bb' }) },
      { put: item('b', { pk: 'ab' }) },
    ])
    expect(
      await table.get([
        { pk: 'a', sk: 'b' },
        { pk: 'ab', sk: 'b' },
      ]),
    ).toMatchObject([{ pk: 'a' }, { pk: 'ab' }])
  })

  test('supports keys that contain a NUL', async () => {
    await table.write(putAll([item('a\u0000b', { due_shard: 's', due_at: '1' }), item('a\u0000c')]))
    expect((await table.query({ pk: 'p', from: 'a\u0000c' })).items).toEqual([item('a\u0000c')])
    expect((await table.due({ shard: 's', after: '0', until: '2' })).keys).toEqual([
      { pk: 'p', sk: 'a\u0000b', due_at: '1' },
    ])
  })

  test('has no index row for an item with only one of the two due attributes', async () => {
    await table.write(putAll([item('a', { due_shard: 's' }), item('b', { due_at: '1' })]))
    expect(await table.due({ shard: 's', after: '0', until: '2' })).toEqual({ keys: [] })
    expect(table.earliestDue()).toBeUndefined()
  })

  test('returns a next page whenever the limit ends a page, as DynamoDB does', async () => {
    await table.write(putAll([item('a'), item('b', { due_shard: 's', due_at: '1' })]))
    expect(await table.query({ pk: 'p', limit: 2 })).toMatchObject({ next: 'b' })
    expect(await table.count({ pk: 'p', limit: 2, after: 'b' })).toEqual({ count: 0 })
    const { next } = await table.due({ shard: 's', after: '0', until: '2', limit: 1 })
    expect(await table.due({ shard: 's', after: '0', until: '2', limit: 1, next })).toEqual({ keys: [] })
  })

  test('returns the earliest due time of all shards, also after a given time', async () => {
    expect(table.earliestDue()).toBeUndefined()
    const times = ['2025-03', '2025-01', '2025-02', '2025-02']
    await table.write(putAll(times.map((due_at, n) => item(`n${n}`, { due_shard: `s${n}`, due_at }))))
    await table.write([{ put: item('more', { due_shard: 's1', due_at: '2025-04' }) }])
    expect(table.earliestDue()).toBe('2025-01')
    expect(table.earliestDue('2025-01')).toBe('2025-02')
    expect(table.earliestDue('2025-02')).toBe('2025-03')
    expect(table.earliestDue('2025-03')).toBe('2025-04')
    expect(table.earliestDue('2025-04')).toBeUndefined()
  })

  test('excludes skipped items from the earliest due time', async () => {
    const times = { a: '2025-01', b: '2025-02', c: '2025-03' }
    await table.write(putAll(Object.entries(times).map(([sk, due_at]) => item(sk, { due_shard: 's', due_at }))))
    const without = (...skipped: string[]) => table.earliestDue('', ({ sk }) => skipped.includes(sk))
    expect([without(), without('a'), without('a', 'b'), without('a', 'b', 'c')]).toEqual([
      '2025-01',
      '2025-02',
      '2025-03',
      undefined,
    ])
    expect([table.earliestDue(), table.earliestDue('2025-01', ({ sk }) => sk === 'b')]).toEqual(['2025-01', '2025-03'])
  })

  test('deletes only expired items, with their index rows', async () => {
    await table.write(
      putAll([item('old', { ttl: 99, due_shard: 's', due_at: '1' }), item('now', { ttl: 100 }), item('kept')]),
    )
    expect(table.purgeExpired(100)).toBe(1)
    expect([...table.items()].map(({ sk }) => sk)).toEqual(['kept', 'now'])
    expect(table.earliestDue()).toBeUndefined()
  })

  test('withTtlIn returns the items whose ttl is in a range', async () => {
    const items = [9, 10, 15, 20, 21].map((ttl) => item(`ttl ${ttl}`, { ttl }))
    await table.write(putAll([...items, item('kept')]))
    expect(
      table
        .withTtlIn({ from: 10, to: 20 })
        .map(({ sk }) => sk)
        .toSorted(),
    ).toEqual(['ttl 10', 'ttl 15', 'ttl 20'])
  })

  describe('the metered units of DynamoDB', () => {
    const used = async (call: () => Promise<unknown>) => {
      uses = []
      await call().catch(() => {})
      return uses.map(({ operation, read_units, write_units, items }) => [operation, read_units, write_units, items])
    }
    // Such an item has 19 bytes besides its text.
    const sized = (sk: string, bytes: number, fields: Partial<Item> = {}) =>
      item(sk, { text: 'x'.repeat(bytes - 19), ...fields })

    test('count one read unit for every 4 KB of each item of a get, and one for a missing item', async () => {
      await table.write(putAll([sized('a', 4096), sized('b', 4097)]))
      const keys = ['a', 'b', 'c'].map((sk) => ({ pk: 'p', sk }))
      expect(await used(() => table.get(keys))).toEqual([['get', 1 + 2 + 1, 0, 3]])
    })

    test('count one read unit for every 4 KB of all items of a page, counted or returned', async () => {
      await table.write(putAll(['a', 'b', 'c', 'd', 'e'].map((sk) => sized(sk, 1000))))
      expect(await used(() => table.query({ pk: 'p' }))).toEqual([['query', 2, 0, 5]])
      expect(await used(() => table.count({ pk: 'p' }))).toEqual([['count', 2, 0, 5]])
      expect(await used(() => table.query({ pk: 'p', limit: 4 }))).toEqual([['query', 1, 0, 4]])
      expect(await used(() => table.count({ pk: 'nothing' }))).toEqual([['count', 1, 0, 0]])
    })

    test('count two write units of a transaction for every KB of the old or the new item, whichever is larger', async () => {
      expect(await used(() => table.write([{ put: sized('a', 1024) }, { put: sized('b', 1025) }]))).toEqual([
        ['write', 0, 2 + 4, 2],
      ])
      expect(await used(() => table.write([{ put: item('b') }]))).toEqual([['write', 0, 4, 1]])
      const mixed: Write[] = [{ delete: { pk: 'p', sk: 'gone' } }, { check: { pk: 'p', sk: 'a' }, was: 1 }]
      expect(await used(() => table.write(mixed))).toEqual([['write', 0, 2 + 2, 2]])
    })

    test('count the write units of a refused transaction', async () => {
      await table.write([{ put: item('a') }])
      expect(await used(() => table.write([{ put: item('a'), was: 0 }, { put: item('b') }]))).toEqual([
        ['write', 0, 4, 2],
      ])
    })

    test('count one write unit for every index row that is added or deleted, and half a unit for a read', async () => {
      const due = (due_at: string, version: number): Write => ({ put: item('a', { version, due_shard: 's', due_at }) })
      expect(await used(() => table.write([due('1', 1)]))).toEqual([['write', 0, 2 + 1, 1]])
      expect(await used(() => table.write([due('1', 2)]))).toEqual([['write', 0, 2, 1]])
      expect(await used(() => table.write([due('2', 3)]))).toEqual([['write', 0, 2 + 2, 1]])
      expect(await used(() => table.write([{ check: { pk: 'p', sk: 'a' }, was: 3 }]))).toEqual([['write', 0, 2, 1]])
      expect(await used(() => table.due({ shard: 's', after: '0', until: '9' }))).toEqual([['due', 0.5, 0, 1]])
      expect(await used(() => table.write([{ put: item('a') }]))).toEqual([['write', 0, 2 + 1, 1]])
    })
  })
})
