import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { konbini, type Reply, type RequestOptions } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'
import { type Ask, asSent, readyPath, rowsWithRequests, things } from '#test/fixtures/route-requests.ts'

/** A local run on a full disk answers 503, loses nothing, and continues when there is more room. */

/** The limit of each file in blocks of 512 bytes. It has room for the prepared records and some more megabytes. */
const FILE_BLOCKS_MAX = 24 * 2_048

const price = { amount: 1_000, currency: 'JPY' }

interface Ready {
  readonly route: string
  readonly path: string
  readonly status: number
  readonly options: RequestOptions
}

let data_dir: string
let run: LocalRun
let key: string
let ready: Ready[]
let paid: string
const lines: string[] = []

const send = async (route: string, options: RequestOptions): Promise<Reply> => {
  const reply = await run.send(route, { key, ...options })
  if (!reply) throw new Error(`${route} was not answered: ${lines.slice(-5).join(' ')}`)
  return reply
}

const ask: Ask = async (route, content) => {
  const { status, body } = await send(route, asSent(content))
  if (status !== 200) throw new Error(`${route}: ${JSON.stringify(body)}`)
  return body
}

/** One request for each route with an idempotency key, after the records that it names are created. */
async function readyRows(): Promise<Ready[]> {
  const rows: Ready[] = []
  for (const row of rowsWithRequests()) {
    const path = `${row.method} ${await readyPath(row, ask)}`
    const sent = row.method === 'GET' ? {} : asSent(row.contents[0])
    const headers = { 'idempotency-key': randomUUID() }
    rows.push({ route: row.route, path, status: row.status, options: { ...sent, headers, redirect: 'manual' } })
  }
  const options = { ...asSent({ paper: '%PDF-1.7\n%%EOF\n' }), headers: { 'idempotency-key': randomUUID() } }
  return [...rows, { route: 'POST /files', path: 'POST /files', status: 200, options }]
}

/** Writes until nothing fits: first large records, then small ones, then an existing row. */
async function fill(): Promise<void> {
  const value = 'x'.repeat(2_000)
  const most = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`note ${n}`, value]))
  for (const metadata of [most, { note: value }, {}]) await fillWith('POST /sessions', { ...price, metadata })
  await fillWith('POST /live_application/site_information', { site_name: 'A shop' })
}

/** Repeats a request until it is refused three times. */
async function fillWith(route: string, json: object): Promise<void> {
  for (let refused = 0; refused < 3; ) {
    const { status, text } = await send(route, { json })
    if (status === 503) refused += 1
    else if (status !== 200) throw new Error(text)
  }
}

beforeAll(async () => {
  data_dir = mkdtempSync(join(tmpdir(), 'full-'))
  run = await startLocally(data_dir, (line) => lines.push(line), { LOG_LEVEL: 'error' }, FILE_BLOCKS_MAX)
  key = run.key!
  await things.settlement(ask)
  ready = await readyRows()
  paid = (await ask('POST /payments', { ...price, payment_details: konbini })).id
  await fill()
}, 300_000)
afterAll(async () => {
  await run.kill()
  rmSync(data_dir, { recursive: true })
})

const expectUnavailable = (reply: Reply): void => {
  expectEnvelope(reply, 'service_unavailable')
  expect(reply.headers.get('retry-after')).toBe('5')
}

const isRead = ({ path }: Ready) => path.startsWith('GET ')

describe('on a full disk', () => {
  test('every route that writes answers 503 with Retry-After', async () => {
    const writing = ready.filter((row) => !isRead(row))
    expect(writing.length).toBeGreaterThan(40)
    const answers: string[] = []
    for (const { route, path, options } of writing) {
      const reply = await send(path, options)
      answers.push(`${route} ${reply.status}`)
      if (reply.status === 503) expectUnavailable(reply)
    }
    expect(answers.filter((answer) => !answer.endsWith(' 503'))).toEqual([])
  })

  test('every route that reads still answers', async () => {
    for (const { route, path, status, options } of ready.filter(isRead))
      expect(`${route} ${(await send(path, options)).status}`).toBe(`${route} ${status}`)
  })

  test('the local commands answer 503 as well', async () => {
    for (const path of ['POST /_local/merchants', `POST /_local/payments/${paid}/pay`])
      expectUnavailable(await send(path, { key: null, json: {} }))
    expect((await send('GET /_local/health', { key: null })).status).toBe(200)
  })

  test('every route works again once there is more room, as if it had never been refused', async () => {
    await run.kill()
    run = await startLocally(data_dir)
    for (const { route, path, status, options } of ready) {
      const reply = await send(path, options)
      expect(`${route} ${reply.status} ${reply.body.error?.code}`).toBe(`${route} ${status} undefined`)
      expect(reply.headers.get('idempotent-replayed'), route).toBeNull()
    }
    expect((await send(`POST /_local/payments/${paid}/pay`, { key: null, json: {} })).body.status).toBe('captured')
  })
})
