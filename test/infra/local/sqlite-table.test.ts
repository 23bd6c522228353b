import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import type { Disk } from '#infra/local/synced-file.ts'
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
      ['a number that a double cannot represent exactly', [{ put: item('a', { list: [2 ** 53] }) }]],
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

  test('accepts one of many writes on the same version, and rejects the others with the failed check', async () => {
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

  test('refuses a write if the clock passes `latest` before the commit', async () => {
    const latest = clock.now()
    await table.write([{ put: item('in time') }], { latest })
    const writing = table.write([{ put: item('late') }], { latest })
    clock.turnTo(latest + 1)
    await expect(writing).rejects.toEqual(new WriteConflict([]))
    expect([...table.items()]).toEqual([item('in time')])
  })

  test('rolls back a commit that fails midway, rejects all of its writes and continues', async () => {
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

  test('calls onCommit for committed writes only, after the commit and before the writer continues', async () => {
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

  test('calls onCommit in the context of each writer, even if writers share a commit', async () => {
    const context = new AsyncLocalStorage<string>()
    const committed: unknown[] = []
    const other = new SqliteTable({ file: ':memory:', clock, onCommit: () => committed.push(context.getStore()) })
    await Promise.all(['a', 'b', 'c'].map((name) => context.run(name, () => other.write([{ put: item(name) }]))))
    expect(committed).toEqual(['a', 'b', 'c'])
    other.close()
  })

  test('commits pending writes when it is closed', async () => {
    const other = new SqliteTable({ file: ':memory:', clock })
    const writing = other.write([{ put: item('a') }])
    other.close()
    await expect(writing).resolves.toBeUndefined()
    await expect(other.get([{ pk: 'p', sk: 'a' }])).rejects.toThrow('not open')
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

describe('SqliteTable in a file', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'table-'))
    file = join(folder, 'table.sqlite')
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const open = () => new SqliteTable({ file, clock: new VirtualClock() })

  test('has the same items after it is opened again', async () => {
    const before = open()
    await before.write(putAll([item('a', { due_shard: 's', due_at: '1' }), item('b')]))
    before.close()
    const after = open()
    expect([...after.items()]).toEqual([item('a', { due_shard: 's', due_at: '1' }), item('b')])
    expect(after.earliestDue()).toBe('1')
    after.close()
  })

  test('contains no deleted or replaced text after it is closed', async () => {
    const table = open()
    const filler = Array.from({ length: 50 }, (_, n) => item(`filler-${n}`, { text: 'x'.repeat(500) }))
    await table.write(putAll([item('gone', { text: 'canary-gone' }), item('new', { text: 'canary-old' }), ...filler]))
    const { pk, sk } = item('gone')
    await table.write([{ delete: { pk, sk } }, { put: item('new', { text: 'replaced' }) }])
    table.close()
    const bytes = readFileSync(file).toString('latin1')
    expect([bytes.includes('replaced'), bytes.includes('canary-')]).toEqual([true, false])
  })

  test('refuses to be opened again until it is closed', () => {
    const first = open()
    expect(open).toThrow(`${file} is in use by another process`)
    first.close()
    open().close()
  })

  test('keeps every acknowledged write after a kill, and opens at once', async () => {
    const child = spawn(
      process.execPath,
      script(`
      for (let n = 0; ; n += 1) {
        await table.write([{ put: { pk: 'p', sk: String(n), version: 1 } }, { put: { pk: 'q', sk: String(n), version: 1 } }])
        process.stdout.write(n + '\\n')
      }`),
    )
    let answered = -1
    for await (const line of createInterface({ input: child.stdout })) {
      if (answered < 0) expect(open).toThrow('is in use by another process')
      answered = Number(line)
      if (answered === 50) child.kill('SIGKILL')
    }
    expect(answered).toBeGreaterThanOrEqual(50)
    const table = open()
    const kept = [...table.items()]
    const of = (pk: string) => new Set(kept.filter((item) => item.pk === pk).map(({ sk }) => Number(sk)))
    expect(of('p')).toEqual(of('q'))
    for (let n = 0; n <= answered; n += 1) expect(of('p')).toContain(n)
    table.close()
  })

  describe('on a slow or failing disk', () => {
    const ended = { resolve: (_: Error | null): void => undefined }
    const slow: Disk = (_, done) => {
      ended.resolve = done
    }
    /** Waits more turns of the event loop than any operation takes without the disk. */
    const turns = async () => {
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    }
    const range = { pk: 'p' }
    const due = { shard: 's', after: '', until: '2' }
    const asks: [string, (table: SqliteTable) => Promise<unknown>][] = [
      ['get', (table) => table.get([{ pk: 'p', sk: 'a' }])],
      ['query', (table) => table.query(range)],
      ['count', (table) => table.count(range)],
      ['due', (table) => table.due(due)],
      ['scan', (table) => table.scan({})],
      ['write', (table) => table.write([{ check: { pk: 'p', sk: 'a' }, was: 1 }])],
    ]

    test.each(asks)('%s settles only after the write before it is on the disk', async (_, ask) => {
      const table = new SqliteTable({ file, clock: new VirtualClock(), disk: slow })
      const settled: string[] = []
      const written = table
        .write([{ put: item('a', { due_shard: 's', due_at: '1' }) }])
        .then(() => settled.push('write'))
      await turns()
      const asked = ask(table).then(() => settled.push('ask'))
      await turns()
      expect(settled).toEqual([])
      while (settled.length < 2) {
        ended.resolve(null)
        await turns()
      }
      await Promise.all([written, asked])
      table.close()
    })

    test.each(asks)('%s throws PlatformUnavailable after a failed sync', async (_, ask) => {
      let broken = true
      const disk: Disk = (_, done) => done(broken ? new Error('EIO') : null)
      const table = new SqliteTable({ file, clock: new VirtualClock(), disk })
      await expect(table.write([{ put: item('a') }])).rejects.toThrow(PlatformUnavailable)
      broken = false
      await expect(ask(table)).rejects.toThrow(PlatformUnavailable)
      table.close()
    })
  })

  test('throws PlatformUnavailable on a full disk, writes nothing and continues', () => {
    const code = script(`
      const key = (n, sk) => ({ pk: String(n), sk, version: 1 })
      const put = (n, text) => table.write([{ put: key(n, 'first') }, { put: { ...key(n, 'second'), text } }])
      let n = 0
      let error
      for (; !error && n < 50; n += 1) await put(n, 'x'.repeat(300_000)).catch((caught) => (error = caught))
      const count = [...table.items()].length
      await table.write([{ delete: key(0, 'second') }])
      console.log(JSON.stringify({ error: error?.name, fit: count > 0 && n < 50, whole: count === 2 * (n - 1), went_on: [...table.items()].length === count - 1 }))`)
    const shell = 'ulimit -f 2000 && exec "$@"'
    const { stdout, stderr } = spawnSync('sh', ['-c', shell, 'sh', process.execPath, ...code], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({ error: 'PlatformUnavailable', fit: true, whole: true, went_on: true })
  })

  /** Arguments for a separate Node process that has `table` open on the file. */
  function script(body: string): string[] {
    const path = (name: string) => JSON.stringify(join(import.meta.dirname, '../../../infra/local', name))
    const head = `
      const { SqliteTable } = await import(${path('sqlite-table.ts')})
      const { VirtualClock } = await import(${path('virtual-clock.ts')})
      const table = new SqliteTable({ file: ${JSON.stringify(file)}, clock: new VirtualClock() })`
    return ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', head + body]
  }
})
