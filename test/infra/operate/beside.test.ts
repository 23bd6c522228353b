import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operate } from '#infra/operate/operate.ts'
import { openFolder } from '#infra/operate/place.ts'
import { konbini } from '#test/fixtures/api.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'

let data_dir: string
let run: LocalRun
beforeAll(async () => {
  data_dir = mkdtempSync(join(tmpdir(), 'beside-'))
  run = await startLocally(data_dir)
})
afterAll(async () => {
  await run.kill()
  rmSync(data_dir, { recursive: true })
})

async function runCommand(words: string): Promise<string> {
  const out: string[] = []
  const terminal = { out: (line: string) => out.push(line), err: () => {}, env: { DATA_DIR: data_dir } }
  expect(await operate([...words.split(' '), '--local'], terminal)).toBe(0)
  return out.join('\n')
}

const bank = { customer_name: 'T', bank_name: 'B', branch_number: '1', account_type: 'normal', account_number: '1234' }

test('an operator command and a running service see the changes of each other at once', async () => {
  const key = /sk_test_\w+/.exec(await runCommand('create-merchant'))![0]
  const send = async (route: string, json: object) => (await run.send(route, { key, json }))!.body
  const { id } = await send('POST /payments', { amount: 1000, currency: 'JPY', payment_details: konbini })
  await send(`POST /_local/payments/${id}/pay`, {})
  const { refund_requests } = await send(`POST /payments/${id}/refund_request`, { amount: 400, ...bank })
  await runCommand(`complete-refund-request ${refund_requests[0].id}`)
  expect((await run.send(`GET /payments/${id}`, { key }))!.body).toMatchObject({ amount_refunded: 400 })
  await run.advance(180)
  const { platform, close } = openFolder(data_dir)
  const { items } = await platform.table.scan({ pk_prefix: 'event#' })
  close()
  expect(items.filter(({ sk }) => sk === 'event').length).toBeGreaterThanOrEqual(4)
  expect(items.filter(({ sk }) => sk === 'outbox')).toEqual([])
  expect(await runCommand('reconcile')).not.toMatch(/[1-9]\d* violations/)
})

test('operator commands and a running service write at the same time without errors', async () => {
  const key = /sk_test_\w+/.exec(await runCommand('create-merchant'))![0]
  const json = { amount: 1000, currency: 'JPY', payment_details: konbini }
  const statuses: (number | undefined)[] = []
  let is_writing = true
  const client = async () => {
    while (is_writing) statuses.push((await run.send('POST /payments', { key, json }))?.status)
  }
  const clients = [client(), client()]
  for (let n = 0; n < 20; n++) await runCommand('create-merchant')
  is_writing = false
  await Promise.all(clients)
  expect([statuses.length > 0, ...new Set(statuses)]).toEqual([true, 200])
})
