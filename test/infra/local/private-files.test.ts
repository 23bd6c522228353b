import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLocalPlatform } from '#infra/local/local-platform.ts'
import { makePrivate } from '#infra/local/private-files.ts'
import { card } from '#test/fixtures/api.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'

const root = join(import.meta.dirname, '../../..')

let folder: string
let data_dir: string
let umask: number
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'private-'))
  data_dir = join(folder, 'data')
  // With this umask, every user can read and write the files that are created without a mode.
  umask = process.umask(0)
})
afterAll(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true })
})

/** Every file and folder at or below this path whose mode is not private, with its mode. */
function openEntries(path: string): string[] {
  const found = statSync(path)
  const wanted = found.isDirectory() ? 0o700 : 0o600
  const own = (found.mode & 0o777) === wanted ? [] : [`${path} ${(found.mode & 0o777).toString(8)}`]
  return found.isDirectory() ? [...own, ...readdirSync(path).flatMap((name) => openEntries(join(path, name)))] : own
}

/** The names of all files and folders below this one. */
const namesIn = (path: string): string[] => readdirSync(path, { recursive: true }) as string[]

/** Runs the operator's command as a process of its own. */
function operate(...words: string[]): string {
  const node = ['--disable-warning=ExperimentalWarning', 'infra/operate/main.ts']
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, ...words, '--local'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: data_dir },
  })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout
}

/** Makes requests that write every kind of file in the data folder. */
async function exercise(run: LocalRun, key: string): Promise<void> {
  const parts = new FormData()
  parts.set('paper', new File([Buffer.from('%PDF-1.4 a paper')], 'a.pdf'))
  for (const [route, options] of [
    ['POST /customers', { json: { email: 'a@example.com', payment_details: card() } }],
    ['POST /payments', { json: { amount: 1000, currency: 'JPY', payment_details: card() } }],
    ['POST /files', { parts }],
  ] as const)
    expect((await run.send(route, { key, ...options }))?.status, route).toBe(200)
  await run.advance(86_400)
  await run.advance(60)
}

describe('with a umask of 0', () => {
  let run: LocalRun
  let key: string
  beforeAll(async () => {
    run = await startLocally(data_dir)
    key = run.key!
    await exercise(run, key)
  })
  afterAll(() => run.kill())

  test('a local run creates only private files in its data folder', () => {
    const names = namesIn(data_dir)
    for (const name of ['table.sqlite', 'table.sqlite-wal', 'table.sqlite-shm', 'table.sqlite-lock'])
      expect(names).toContain(name)
    for (const name of ['clock', 'vault.key', 'files']) expect(names).toContain(name)
    expect(names.filter((name) => name.endsWith('.object'))).toHaveLength(1)
    expect(openEntries(data_dir)).toEqual([])
  })

  test('an operator command creates only private files in the folder, a backup and a restored folder', () => {
    const [copy, back] = [join(folder, 'copy'), join(folder, 'back')]
    operate('create-merchant')
    operate('reconcile')
    operate('backup', '--to', copy)
    operate('restore', '--from', copy, '--data-dir', back)
    expect(namesIn(back).toSorted()).toEqual(namesIn(copy).toSorted())
    for (const path of [data_dir, copy, back]) expect(openEntries(path), path).toEqual([])
  })

  test('a start makes the files of an earlier run private', async () => {
    await run.kill()
    const loosened = namesIn(data_dir).filter((name) => name !== 'vault.key')
    for (const name of loosened)
      chmodSync(join(data_dir, name), statSync(join(data_dir, name)).isFile() ? 0o666 : 0o777)
    expect(openEntries(data_dir)).toHaveLength(loosened.length)
    run = await startLocally(data_dir)
    await exercise(run, key)
    expect(openEntries(data_dir)).toEqual([])
  })
})

describe('the backup of a folder that every user can read', () => {
  test('is private, and so is the folder that is restored from it', () => {
    const [copy, back] = [join(folder, 'closed'), join(folder, 'closed-again')]
    openLocalPlatform({ data_dir: join(folder, 'old') }).table.close()
    writeFileSync(join(folder, 'old', 'clock'), '0\n')
    writeFileSync(join(folder, 'old', 'files', 'one.object'), 'one', { mode: 0o666 })
    chmodSync(join(folder, 'old', 'files'), 0o777)
    operate('backup', '--to', copy, '--data-dir', join(folder, 'old'))
    expect(openEntries(copy)).toEqual([])
    for (const name of ['clock', 'table.sqlite']) chmodSync(join(copy, name), 0o644)
    operate('restore', '--from', copy, '--data-dir', back)
    expect(openEntries(back)).toEqual([])
    expect(namesIn(back)).toContain(join('files', 'one.object'))
  })
})

test('openLocalPlatform keeps the modes of the data folder and of files that are not its own', () => {
  const shared_dir = join(folder, 'shared')
  mkdirSync(join(shared_dir, 'website'), { recursive: true })
  writeFileSync(join(shared_dir, 'website', 'index.html'), '<h1>')
  writeFileSync(join(shared_dir, 'notes'), 'a note')
  openLocalPlatform({ data_dir: shared_dir }).table.close()
  const modes = ['.', 'website', join('website', 'index.html'), 'notes'].map(
    (name) => statSync(join(shared_dir, name)).mode & 0o777,
  )
  expect(modes).toEqual([0o777, 0o777, 0o666, 0o666])
})

test('makePrivate changes only the named entries and everything in them', () => {
  const path = join(folder, 'named')
  mkdirSync(join(path, 'in', 'deep'), { recursive: true })
  writeFileSync(join(path, 'in', 'deep', 'file'), 'text')
  writeFileSync(join(path, 'out'), 'text')
  chmodSync(join(path, 'in', 'deep', 'file'), 0o640)
  makePrivate(path, ['in', 'missing'])
  expect(openEntries(join(path, 'in'))).toEqual([])
  expect(statSync(join(path, 'out')).mode & 0o777).toBe(0o666)
  expect(readFileSync(join(path, 'in', 'deep', 'file'), 'utf8')).toBe('text')
})
