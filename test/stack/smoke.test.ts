import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { checks } from '#infra/smoke/checks.ts'
import { STAGE } from './deployment.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const names = join(import.meta.dirname, 'localhost-names.mjs')

/** Runs a command of the project as its npm script does. */
async function command(script: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const node = ['--disable-warning=ExperimentalWarning', '--import', names, join(root, script), ...words]
  return (await run(process.execPath, node, { env: { ...process.env, ...env } })).stdout.trim().split('\n')
}

test('the smoke test passes for a merchant that an operator has created', async () => {
  const merchants = await command('infra/operate/main.ts', ['create-merchant', '--stage', STAGE])
  const [mode, id, key] = merchants[0]!.split(/ +/)
  expect([mode, id, key]).toEqual(['test', expect.stringMatching(/^mer_/), expect.stringMatching(/^sk_test_/)])
  const lines = await command('infra/smoke/main.ts', ['--url', inject('url')], { SMOKE_KEY: key! })
  expect(lines.slice(0, -1).map((line) => line.replace(/ +\d+ ms$/, ''))).toEqual(
    checks.map(({ what }) => `ok   ${what}`),
  )
  expect(lines.at(-1)).toMatch(/: all passed\.$/)
})
