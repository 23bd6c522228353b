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
import { servedPages, servedRoutes } from '#shared/routes.ts'
import type { Service } from '#test/fixtures/api.ts'
import { openBundledApi } from '#test/fixtures/aws-api.ts'

const MINUTES_MS = 5 * 60_000
const root = join(import.meta.dirname, '../..')
const files = [...[...servedRoutes(), ...servedPages()].map(({ file }) => file), ...backgroundFiles]

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

/** What the command prints, its exit code, and what the functions wrote to their log meanwhile. */
async function say(key: string) {
  const out: string[] = []
  const log: string[] = []
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => log.push(String(text)) > 0)
  const print = (line: string) => out.push(line)
  const terminal = { out: print, err: print, env: { SMOKE_KEY: key } }
  const timing = { ...real_timing, wait: async () => {} }
  const code = await smoke(['--url', `${service.url}/api/v1`], { ...terminal, timing })
  stdout.mockRestore()
  return { code, out, log }
}

test('what is deployed does what merchants need most, over the genuine AWS SDK', async () => {
  const { code, out } = await say(service.test.secret_key)
  expect(out.map((line) => line.replace(/\d+ ms/, 'ms'))).toEqual([
    ...checks.map(({ what }) => `ok   ${what}  ms`),
    `${checks.length} checks in ms: all passed.`,
  ])
  expect(code).toBe(0)
})

test('the log of what is deployed has a line of JSON for each request, and no key in it', async () => {
  const { log } = await say(service.test.secret_key)
  const entries = log.map((line) => JSON.parse(line))
  expect(entries.filter(({ event }) => event === 'request').length).toBeGreaterThan(checks.length)
  expect(log.join('')).not.toContain(service.test.secret_key)
})

test('what is deployed beside a table that is gone fails, in one sentence', async () => {
  await new DynamoDBClient().send(new DeleteTableCommand({ TableName: process.env.TABLE_NAME }))
  const { code, out } = await say(service.test.secret_key)
  expect(out).toEqual([expect.stringMatching(/ does not work: it responds with 50\d [a-z_]+\.$/)])
  expect(code).toBe(2)
})
