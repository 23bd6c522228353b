import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import type { Disk } from '#infra/local/synced-file.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import { type Item, PlatformUnavailable, type Write } from '#shared/platform/ports.ts'

const item = (sk: string, fields: Partial<Item> = {}): Item => ({ pk: 'p', sk, version: 1, ...fields })
const putAll = (items: Item[]): Write[] => items.map((item) => ({ put: item }))

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
    /** Waits for more turns of the event loop than any call takes that does not wait for the disk. */
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

  /** The arguments of a separate Node process that opens `table` on the file and runs `body`. */
  function script(body: string): string[] {
    const path = (name: string) => JSON.stringify(join(import.meta.dirname, '../../../infra/local', name))
    const head = `
      const { SqliteTable } = await import(${path('sqlite-table.ts')})
      const { VirtualClock } = await import(${path('virtual-clock.ts')})
      const table = new SqliteTable({ file: ${JSON.stringify(file)}, clock: new VirtualClock() })`
    return ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', head + body]
  }
})
