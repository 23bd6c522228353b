import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/**
 * Runs a project with these test files under our own configuration. Returns the exit code and the last line of the
 * output.
 */
async function run(files: Record<string, string>, mode = 'test'): Promise<{ code: number; lastLine: string }> {
  const project = mkdtempSync(join(tmpdir(), 'suite-'))
  onTestFinished(() => rmSync(project, { recursive: true }))
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  for (const [file, body] of Object.entries(files)) {
    mkdirSync(join(project, file, '..'), { recursive: true })
    writeFileSync(join(project, file), `import { beforeAll, describe, expect, test } from 'vitest'\n${body}\n`)
  }
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const options = ['run', '--root', project, '--config', join(root, 'vitest.config.ts'), '--mode', mode]
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  return new Promise((resolve) => {
    execFile(process.execPath, [vitest, ...options], { env, cwd: project }, (error, stdout) => {
      resolve({ code: error ? Number(error.code) : 0, lastLine: stdout.trimEnd().split('\n').at(-1)! })
    })
  })
}

const passing = "test('a', () => expect(1).toBe(1))"
const failing = "test('b', () => expect(1).toBe(2))"

describe('the last line of a test run', () => {
  test('adds up the passed tests of all files', async () => {
    expect(await run({ 'test/a.test.ts': passing, 'test/deep/b.test.ts': `${passing}\n${passing}` })).toEqual({
      code: 0,
      lastLine: '3 passed, 0 failed',
    })
  })

  test('counts a failing test', async () => {
    expect(await run({ 'test/a.test.ts': passing, 'test/b.test.ts': failing })).toEqual({
      code: 1,
      lastLine: '1 passed, 1 failed',
    })
  })

  test('counts a file that does not load and a file without tests as failed', async () => {
    expect(
      await run({
        'test/a.test.ts': passing,
        'test/broken.test.ts': "import './missing.ts'",
        'test/syntax.test.ts': 'const = 1',
        'test/empty.test.ts': '',
      }),
    ).toEqual({ code: 1, lastLine: '1 passed, 3 failed' })
  })

  test('counts a failing hook as failed, and the tests that it prevented as skipped', async () => {
    const hook = `describe('c', () => { beforeAll(() => { throw new Error('no') }); ${passing} })`
    expect(await run({ 'test/a.test.ts': `${passing}\n${hook}` })).toEqual({
      code: 1,
      lastLine: '1 passed, 1 failed, 1 skipped',
    })
  })

  test('counts an uncaught error as failed', async () => {
    const leak = "test('leaks', () => { Promise.reject(new Error('late')) })"
    expect(await run({ 'test/a.test.ts': leak })).toEqual({ code: 1, lastLine: '1 passed, 1 failed' })
  })

  test('counts a killed worker as failed', async () => {
    const killed = "test('is killed', () => { process.kill(process.pid, 'SIGKILL') })"
    const { code, lastLine } = await run({ 'test/a.test.ts': passing, 'test/b.test.ts': killed })
    expect(code).toBe(1)
    expect(lastLine).toMatch(/^1 passed, [1-9]\d* failed$/)
  })

  test('counts a run without tests as failed', async () => {
    expect(await run({})).toEqual({ code: 1, lastLine: '0 passed, 1 failed' })
  })

  test('excludes the long tests and those on moto, and includes the long ones with `--mode long`', async () => {
    const files = { 'test/a.test.ts': passing, 'test/long/b.test.ts': failing, 'test/moto/c.test.ts': failing }
    expect(await run(files)).toEqual({ code: 0, lastLine: '1 passed, 0 failed' })
    expect(await run(files, 'long')).toEqual({ code: 1, lastLine: '0 passed, 1 failed' })
  })
})
