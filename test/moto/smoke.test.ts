import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bundle } from '#infra/bundle.ts'
import { checks } from '#infra/smoke/checks.ts'
import { real_timing } from '#infra/smoke/deployment.ts'
import { smoke } from '#infra/smoke/smoke.ts'
import { backgroundFiles } from '#shared/background.ts'
import { servedFiles } from '#shared/routes.ts'
import type { Service } from '#test/fixtures/api.ts'
import { openBundledApi } from '#test/moto/aws-api.ts'

const MINUTES_MS = 5 * 60_000
const root = join(import.meta.dirname, '../..')
const files = [...servedFiles(), ...backgroundFiles]

let bundles: string
let service: Service
beforeAll(async () => {
  bundles = mkdtempSync(join(tmpdir(), 'smoke-'))
  bundle(files, { root, into: bundles })
  service = await openBundledApi(bundles)
}, MINUTES_MS)
afterAll(async () => {
  await service?.close()
  rmSync(bundles, { recursive: true, force: true })
})

/** Runs the smoke test. Returns its output, its exit code and the log of the functions meanwhile. */
async function runSmoke() {
  const out: string[] = []
  const log: string[] = []
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => log.push(String(text)) > 0)
  const print = (line: string) => out.push(line)
  const { secret_key, publishable_key } = service.test
  const env = { SMOKE_KEY: secret_key, SMOKE_PUBLISHABLE_KEY: publishable_key }
  const terminal = { out: print, err: print, env }
  const timing = { ...real_timing, wait: async () => {} }
  const code = await smoke(['--url', `${service.url}/api/v1`], { ...terminal, timing })
  stdout.mockRestore()
  return { code, out, log }
}

test('the deployed bundles pass the smoke test over the AWS SDK', async () => {
  const { code, out } = await runSmoke()
  expect(out.map((line) => line.replace(/\d+ ms/, 'ms'))).toEqual([
    ...checks.map(({ what }) => `ok   ${what}  ms`),
    `${checks.length} checks in ms: all passed.`,
  ])
  expect(code).toBe(0)
})

test('the log of the deployed bundles has a JSON line for each request and contains no key', async () => {
  const { log } = await runSmoke()
  const entries = log.map((line) => JSON.parse(line))
  expect(entries.filter(({ event }) => event === 'request').length).toBeGreaterThan(checks.length)
  expect(log.join('')).not.toContain(service.test.secret_key)
})

test('the smoke test fails with one sentence if the table is gone', async () => {
  await new DynamoDBClient().send(new DeleteTableCommand({ TableName: process.env.TABLE_NAME }))
  const { code, out } = await runSmoke()
  expect(out).toEqual([expect.stringMatching(/ does not work: it responds with 50\d [a-z_]+\.$/)])
  expect(code).toBe(2)
})
