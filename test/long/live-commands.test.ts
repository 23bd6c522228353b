import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request } from '#test/fixtures/api.ts'
import { commandsIn, documentedStatus, LIVE_SECTION, printingStatus } from '#test/house/documented-commands.ts'
import { tree_root } from '#test/long/synthesized.ts'

const commands = commandsIn('infra/README.md').filter(({ section }) => section === LIVE_SECTION)
const curls = commands.filter(({ text }) => text.startsWith('curl'))
const [emulator_command, start_command] = commands.map(({ text }) => text)

const started: ChildProcess[] = []
let data_dir: string
let emulator = ''
let service = ''
let key = ''
/** The payment that the last command has made. */
let payment = { id: '', redirect_url: '' }

/** Starts a command, and returns the groups of the first of its lines that match. */
async function start(text: string, env: Readonly<Record<string, string>>, line: RegExp): Promise<string[]> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$)/.test(name))
  const child = spawn('bash', ['-c', text], {
    ...{ cwd: tree_root, detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
    env: { ...Object.fromEntries(inherited), ...env },
  })
  started.push(child)
  let printed = ''
  for await (const part of createInterface({ input: child.stdout! })) {
    printed += `${part}\n`
    const found = line.exec(printed)
    if (found) {
      child.stdout!.resume()
      return found.slice(1)
    }
  }
  throw new Error(`${text} ended after:\n${printed}`)
}

/** Runs a `curl` command as the document shows it, and returns its response. */
async function run(text: string): Promise<{ status: string; body: Record<string, unknown> }> {
  const filled = text
    .replace('http://127.0.0.1:3000', service)
    .replace('http://127.0.0.1:4010', emulator)
    .replace('sk_live_…', key)
    .replace('pay_…', payment.id)
  const child = spawn('bash', ['-c', printingStatus(filled)])
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (part) => (printed += part))
  await once(child, 'close')
  const [status = '', ...lines] = printed.split('\n').toReversed()
  const body = JSON.parse(lines.toReversed().join('\n'))
  if (body.resource === 'payment') payment = { id: body.id, redirect_url: body.payment_details.redirect_url }
  return { status, body }
}

/** Runs the command at this place among the `curl` commands, and expects the status that the document names. */
async function runAt(at: number): Promise<Record<string, unknown>> {
  const { status, body } = await run(curls[at]!.text)
  expect(status, JSON.stringify(body)).toBe(documentedStatus(curls[at]!))
  return body
}

const statusOf = async () => (await request(service, `GET /payments/${payment.id}`, { key })).body.status

beforeAll(async () => {
  data_dir = mkdtempSync(join(tmpdir(), 'live-commands-'))
  expect(emulator_command).toBe('npm run stripe')
  ;[emulator = ''] = await start(emulator_command!, { STRIPE_PORT: '0' }, /is at (http\S+?)\. /)
  const text = start_command!.replace('http://127.0.0.1:4010', emulator)
  const printed = /is at (http\S+)\/api\/v1[\s\S]*\b(sk_live_\w+)/
  ;[service = '', key = ''] = await start(text, { PORT: '0', DATA_DIR: data_dir, HOST: '127.0.0.1' }, printed)
  // The emulator sends its notifications to the port 3000 by default.
  const url = `${service}/notifications/stripe`
  await fetch(`${emulator}/_test/notifications`, { method: 'POST', body: JSON.stringify({ url }) })
})

afterAll(async () => {
  for (const child of started) {
    process.kill(-child.pid!)
    await once(child, 'exit')
  }
  rmSync(data_dir, { recursive: true, force: true })
})

test('the commands of the section take live payments as it says', async () => {
  expect(curls).toHaveLength(6)
  expect(await runAt(0)).toMatchObject({ status: 'captured' })
  expect(await runAt(1)).toMatchObject({ status: 'pending' })
  const { redirect_url } = payment
  expect(await (await fetch(redirect_url)).text()).toContain('Complete')
  await fetch(redirect_url, { method: 'POST', body: new URLSearchParams({ outcome: 'pass' }) })
  expect(await statusOf()).toBe('captured')
  expect(await runAt(2)).toMatchObject({ status: 'authorized' })
  await runAt(3)
  await expect.poll(statusOf, { timeout: 20_000 }).toBe('captured')
  await runAt(4)
  await runAt(2)
  await runAt(3)
  expect(await statusOf()).toBe('authorized')
  await runAt(5)
  expect(await statusOf()).toBe('captured')
})
