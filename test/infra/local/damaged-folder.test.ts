import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalPlatform, openLocalPlatform } from '#infra/local/local-platform.ts'
import { localService } from '#infra/local/server.ts'
import { sqliteError } from '#infra/local/sqlite-error.ts'
import { startLocally } from '#test/fixtures/local-run.ts'

let whole: string
let crashed: string
let data_dir: string
beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), 'whole-'))
  const platform = openLocalPlatform({ data_dir: whole })
  const text = 'x'.repeat(1_000)
  const items = Array.from({ length: 300 }, (_, n) => ({ pk: 'p', sk: String(n), version: 1, text }))
  for (let n = 0; n < items.length; n += 100)
    await platform.table.write(items.slice(n, n + 100).map((put) => ({ put })))
  // After a kill, the log still holds the committed data.
  crashed = mkdtempSync(join(tmpdir(), 'crashed-'))
  cpSync(whole, crashed, { recursive: true })
  platform.table.close()
})
afterAll(() => {
  for (const folder of [whole, crashed]) rmSync(folder, { recursive: true })
})

beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'damaged-'))
  cpSync(whole, data_dir, { recursive: true })
})
afterEach(() => rmSync(data_dir, { recursive: true }))

const at = (name: string) => join(data_dir, name)

/** Opens the folder as a start does, up to the point at which the server listens. */
async function start(): Promise<void> {
  let platform: LocalPlatform | undefined
  try {
    platform = openLocalPlatform({ data_dir })
    await localService(platform).workers.forgetCursors()
    for (const _ of platform.table.items());
  } finally {
    platform?.table.close()
  }
}

const overwrite = (name: string, from: number, bytes: number) => {
  const content = readFileSync(at(name))
  writeFileSync(at(name), content.fill(0xa5, from, from + bytes))
}

const replaceWithFolder = (name: string) => {
  rmSync(at(name), { force: true })
  mkdirSync(at(name))
}

const withLog = () => {
  for (const name of readdirSync(crashed)) if (name.startsWith('table')) copyFileSync(join(crashed, name), at(name))
}

/** The damage, the function that causes it, the file that the message names and what the message says about it. */
const damages: [string, () => void, string, string][] = [
  [
    'text in place of the table',
    () => writeFileSync(at('table.sqlite'), 'no table '.repeat(999)),
    'table.sqlite',
    'is damaged',
  ],
  ['a table of one byte', () => writeFileSync(at('table.sqlite'), 'x'), 'table.sqlite', 'is damaged'],
  ['an empty table', () => truncateSync(at('table.sqlite'), 0), 'table.sqlite', 'is damaged'],
  ['a table truncated to its header', () => truncateSync(at('table.sqlite'), 100), 'table.sqlite', 'is damaged'],
  ['half a table', () => truncateSync(at('table.sqlite'), 4096 * 30), 'table.sqlite', 'is damaged'],
  ['a table with a broken header', () => overwrite('table.sqlite', 0, 16), 'table.sqlite', 'is damaged'],
  ['a table with a broken schema', () => overwrite('table.sqlite', 100, 3_900), 'table.sqlite', 'is damaged'],
  ['a table with broken pages', () => overwrite('table.sqlite', 4096, 4096 * 20), 'table.sqlite', 'is damaged'],
  ['a folder in place of the table', () => replaceWithFolder('table.sqlite'), 'table.sqlite', 'cannot be opened'],
  [
    'text in place of the lock',
    () => writeFileSync(at('table.sqlite-lock'), 'no lock '.repeat(999)),
    'table.sqlite-lock',
    'is damaged',
  ],
  [
    'a folder in place of the lock',
    () => replaceWithFolder('table.sqlite-lock'),
    'table.sqlite-lock',
    'cannot be opened',
  ],
  [
    'text in place of the log',
    () => writeFileSync(at('table.sqlite-wal'), 'no log '.repeat(999)),
    'table.sqlite-wal',
    'is damaged',
  ],
  [
    'a log with a broken header',
    () => [withLog(), overwrite('table.sqlite-wal', 0, 4)],
    'table.sqlite-wal',
    'is damaged',
  ],
  ['a folder in place of the log', () => replaceWithFolder('table.sqlite-wal'), 'table.sqlite', 'cannot be opened'],
  ['a log whose table is missing', () => [withLog(), rmSync(at('table.sqlite'))], 'table.sqlite', 'is missing'],
  ['text in place of the clock', () => writeFileSync(at('clock'), 'noon'), 'clock', 'is damaged'],
  ['a folder in place of the clock', () => replaceWithFolder('clock'), 'clock', 'cannot be used'],
  ['half a key', () => truncateSync(at('vault.key'), 16), 'vault.key', 'is damaged'],
  [
    'a file in place of the files',
    () => [rmSync(at('files'), { recursive: true }), writeFileSync(at('files'), '')],
    'files',
    'cannot be used',
  ],
]

describe('a start on a damaged data folder', () => {
  test.each(damages)('fails with one sentence about %s', async (_, damage, name, says) => {
    damage()
    const error = await start().catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(Error)
    const { message } = error as Error
    expect(message).toContain(`${at(name)} `)
    expect(message).toContain(says)
    expect(message).toMatch(/^[^\n]+: [^\n]+\.$/)
  })

  test('succeeds once the table is repaired', async () => {
    const before = readFileSync(at('table.sqlite'))
    writeFileSync(at('table.sqlite'), 'no table '.repeat(999))
    await expect(start()).rejects.toThrow('is damaged')
    writeFileSync(at('table.sqlite'), before)
    await start()
  })

  test('succeeds with a complete log that a crash left', async () => {
    withLog()
    expect(statSync(at('table.sqlite-wal')).size).toBeGreaterThan(0)
    await start()
  })

  test('succeeds with zeros or the beginning of a log that a power failure left', async () => {
    for (const log of [Buffer.alloc(8_192), Buffer.alloc(3, 0x37)]) {
      writeFileSync(at('table.sqlite-wal'), log)
      await start()
    }
  })

  test('leaves no table if the table cannot be created', async () => {
    rmSync(at('table.sqlite'))
    replaceWithFolder('table.sqlite-wal')
    await expect(start()).rejects.toThrow(at('table.sqlite'))
    expect(existsSync(at('table.sqlite'))).toBe(false)
    rmSync(at('table.sqlite-wal'), { recursive: true })
    await start()
  })

  test('prints one sentence and nothing else', async () => {
    writeFileSync(at('table.sqlite'), 'no table '.repeat(999))
    const lines: string[] = []
    await expect(startLocally(data_dir, (line) => lines.push(line))).rejects.toThrow('did not start')
    expect(lines).toEqual([
      `${at('table.sqlite')} is damaged: restore a backup of the data folder, or remove the folder to start without data.`,
    ])
  })
})

describe('sqliteError', () => {
  const error = (errcode: number) => Object.assign(new Error('what it says'), { code: 'ERR_SQLITE_ERROR', errcode })

  test.each([
    [3, 'cannot be opened: '],
    [8, 'cannot be opened: '],
    [14, 'cannot be opened: '],
    [8 | (1 << 8), 'cannot be opened: '],
    [14 | (2 << 8), 'cannot be opened: '],
    [13, 'the disk is full: '],
    [11, 'is damaged: '],
    [11 | (1 << 8), 'is damaged: '],
    [26, 'is damaged: '],
    [5, 'is in use by another process. '],
    [10 | (3 << 8), 'cannot be used (what it says).'],
    [1, 'cannot be used (what it says).'],
  ])('describes the error code %d as "%s"', (errcode, says) => {
    const { message } = sqliteError('/data/table.sqlite', error(errcode))
    expect(message).toMatch(/^\/data\/table\.sqlite [^\n]+\.$/)
    expect(message).toContain(says)
  })

  test('returns any other error unchanged', () => {
    const other = new Error('ours')
    expect(sqliteError('/data/table.sqlite', other)).toBe(other)
  })
})
