import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import type { SqliteTable } from '#infra/local/sqlite-table.ts'
import { openDetails } from '#shared/crypto/sealed-payment-details.ts'
import type { Card } from '#shared/store/customers.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { itemsIn } from '#test/faults/kill-rounds.ts'
import { type Api, card, openApi, type Reply, type RequestOptions } from '#test/fixtures/api.ts'
import { formPairs } from '#test/fixtures/form-pairs.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'
import { type Ask, asSent, type Content, pathWith, readyPath, rowsWithRequests } from '#test/fixtures/route-requests.ts'
import { CANARY_API_KEY, CANARY_KEY, canaries, canariesIn, misplaced, withCanaries } from '#test/long/canaries.ts'

/**
 * These tests send recognizable secrets to every endpoint, in right and wrong places, and then search for them in
 * everything that is stored, logged or returned.
 */

type Send = (route: string, options?: RequestOptions) => Promise<Reply>

const secrets = [...Object.values(canaries), CANARY_KEY, CANARY_API_KEY]
const rows = rowsWithRequests()

/** The secret half of a token's id, which opens its card. */
const secretHalf = (token: string) => token.slice(-26)

const askWith =
  (send: Send): Ask =>
  async (route, content) =>
    (await send(route, asSent(withCanaries(content) as Content))).body

/** Sends every kind of wrong request to one endpoint. */
async function misuse(send: Send, row: (typeof rows)[number]): Promise<void> {
  const { method } = row
  const asks = method === 'GET' || method === 'DELETE'
  const path = await readyPath(row, askWith(send))
  const route = `${method} ${path}`
  const inPath = `${method} ${pathWith(row.path, { id: canaries.number! })}`
  const credentials = (user: string) => ({ authorization: `Basic ${btoa(user)}` })
  await send(inPath)
  await send(`${method} ${pathWith(row.path, { id: encodeURIComponent(canaries.user_password!) })}`)
  await send(route, { headers: credentials(`${CANARY_API_KEY}:`) })
  await send(route, { headers: credentials(`${CANARY_API_KEY}:${canaries.user_password}`) })
  await send(route, { headers: { authorization: `Bearer ${canaries.user_password}` } })
  await send(route.replace(/^\w+/, 'PUT'), asks ? {} : { json: withCanaries(row.contents[0]) })
  for (const content of row.contents.map(withCanaries) as Content[]) {
    if (asks) {
      for (const wrong of misplaced({ ...content, page: 1, per_page: 1, other: 1 }, method))
        await send(`${route}?${new URLSearchParams(wrong as Record<string, string>)}`)
      continue
    }
    const raw = JSON.stringify(content)
    const headers = { 'idempotency-key': `${CANARY_KEY} ${method}` }
    await send(route, { json: content, headers })
    await send(route, { json: content, headers })
    await send(route, { json: { ...content, amount: 2 }, headers })
    await send(route, { json: content, headers: { 'idempotency-key': CANARY_KEY.repeat(20) } })
    await send(route, { json: content, headers: { 'x-service-scenario': canaries.user_password! } })
    await send(route, { json: content, headers: { 'x-service-scenario': 'timeout_after_charge' } })
    await send(route, { form: formPairs(content) })
    await send(route, { raw: raw.slice(0, -1), headers: { 'content-type': 'application/json' } })
    await send(route, { raw, headers: { 'content-type': 'text/plain' } })
    await send(route, { raw, headers: { 'content-type': `application/${canaries.user_password}` } })
    await send(route, { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
    await send(route, { raw: `[${raw}]`, headers: { 'content-type': 'application/json' } })
    await send(route, { json: { ...content, [canaries.number!]: canaries.user_password } })
    for (const wrong of misplaced(content, method)) await send(route, { json: wrong })
  }
}

describe('secrets in requests to a local run', () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'payments-canary-'))
  const printed: string[] = []
  const answers: string[] = []
  const kept: string[] = []
  let run: LocalRun
  let receiver: Receiver
  let files: (readonly [name: string, bytes: Buffer])[]

  beforeAll(async () => {
    receiver = await openReceiver()
    const toReceiver = (json: unknown) =>
      json && JSON.parse(JSON.stringify(json).replaceAll('https://shop.example.com/hook', `${receiver.origin}/hook`))
    run = await startLocally(data_dir, (line) => printed.push(line))
    const { secret_key } = (await run.send('POST /_local/merchants'))!.body.test
    kept.push(secret_key)
    const send: Send = async (route, options) => {
      const reply = await run.send(route, { key: secret_key, ...options, json: toReceiver(options?.json) })
      if (!reply) throw new Error(`${route} was not answered`)
      if (reply.body.resource === 'token') kept.push(secretHalf(reply.body.id))
      else answers.push(reply.text)
      return reply
    }
    for (const row of rows) await misuse(send, row)
    const huge = JSON.stringify({ ...canaries, filling: 'x'.repeat(1_100_000) })
    await send('POST /payments', { raw: huge, headers: { 'content-type': 'application/json' } })
    await send(`POST /_local/payments/${canaries.number}/pay`)
    await run.advance(90_000)
    await run.kill()
    files = readdirSync(data_dir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name))] as const)
  }, 60_000)
  afterAll(async () => {
    await receiver.close()
    rmSync(data_dir, { recursive: true })
  })

  test('are in no request to a receiver, signed or unsigned', () => {
    const signed = receiver.received.filter(({ headers }) => headers['x-service-signature'] !== undefined)
    expect([signed.length > 20, receiver.received.length > signed.length]).toEqual([true, true])
    const posts = receiver.received.map(({ path, headers, body }) => JSON.stringify([path, headers, String(body)]))
    expect(posts.filter((post) => canariesIn(post, [...secrets, ...kept]).length > 0)).toEqual([])
  })

  test('are in no response', () => {
    expect(answers.length).toBeGreaterThan(200)
    expect(answers.filter((answer) => canariesIn(answer, [...secrets, ...kept]).length > 0)).toEqual([])
  })

  test('are in no line of the log', () => {
    const log = printed.filter((line) => line.startsWith('{'))
    expect(log.length).toBeGreaterThan(200)
    expect(printed.filter((line) => canariesIn(line, [...secrets, ...kept]).length > 0)).toEqual([])
  })

  test('are in no file of the data folder', () => {
    expect(files.map(([name]) => name)).toContain('table.sqlite')
    expect(files.map(([name]) => name)).toContain('table.sqlite-wal')
    for (const [name, bytes] of files) expect(canariesIn(bytes, [...secrets, ...kept]), name).toEqual([])
  })

  test('are in no item of the table', () => {
    const items = itemsIn(data_dir).map((item) => JSON.stringify(item))
    expect(items.length).toBeGreaterThan(200)
    expect(items.filter((item) => canariesIn(item, [...secrets, ...kept]).length > 0)).toEqual([])
  })
})

describe('secrets on a platform whose error messages contain its arguments', () => {
  const sent: string[] = []
  const answers: Reply[] = []
  let fails_at: number | undefined
  let calls = 0
  let api: Api

  /** A platform whose errors contain all arguments or results of the failed call. */
  const leaking = (platform: LocalPlatform): LocalPlatform => {
    const call = <T>(what: () => string, act: () => T): T => {
      calls += 1
      if (calls === fails_at) throw new Error(what())
      return act()
    }
    const { table, vault, queues } = platform
    const failing_calls = new Set(['get', 'query', 'count', 'write', 'due'])
    const leakingTable = new Proxy(table, {
      get(target, name: keyof SqliteTable) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        const method = value.bind(target)
        return failing_calls.has(name)
          ? async (...given: unknown[]) =>
              call(
                () => JSON.stringify(given),
                () => method(...given),
              )
          : method
      },
    })
    for (const queue of Object.values(queues)) {
      const send = queue.send.bind(queue)
      queue.send = (messages) => {
        sent.push(JSON.stringify(messages))
        return send(messages)
      }
    }
    return {
      ...platform,
      table: leakingTable,
      vault: {
        seal: async (plain, context) =>
          call(
            () => Buffer.from(plain).toString(),
            () => vault.seal(plain, context),
          ),
        open: async (sealed, context) => {
          const plain = await vault.open(sealed, context)
          return call(
            () => Buffer.from(plain).toString(),
            () => plain,
          )
        },
      },
    }
  }

  beforeAll(async () => {
    api = await openApi({ around: leaking })
    const send: Send = (route, options) => api.request(route, options)
    for (const row of rows) {
      const contents = (row.contents.length > 3 ? row.contents.slice(0, 3) : row.contents).map(withCanaries)
      for (const content of contents) {
        const asks = row.method === 'GET'
        for (let at = 1, reached = true; reached; at++) {
          const path = await readyPath(row, askWith(send))
          calls = 0
          fails_at = at
          const json = asks ? undefined : content
          answers.push(
            await send(`${row.method} ${path}`, { json, headers: { 'idempotency-key': `${CANARY_KEY} ${at}` } }),
          )
          reached = calls >= at
          fails_at = undefined
        }
      }
    }
    const failing = async (at: number, seconds: number) => {
      calls = 0
      fails_at = at
      await api.advance(seconds).catch(() => undefined)
      fails_at = undefined
      return calls >= at
    }
    for (let at = 1; at <= 500; at += 7) await failing(at, 60)
    // Deliveries open the secrets of webhooks to sign.
    const order = rows.find(({ route }) => route === 'POST /payments')!.contents[0]
    for (let at = 1, reached = true; reached; at++) {
      await send('POST /payments', { json: withCanaries(order) })
      reached = await failing(at, 0)
    }
    await api.advance(3_600)
  }, 60_000)
  afterAll(() => api.close())

  const all = () => [...secrets, api.test.secret_key]

  test('are in no response, although many responses are 500', () => {
    const failed = answers.filter(({ status }) => status === 500)
    expect(failed.length).toBeGreaterThan(50)
    const texts = answers.filter(({ body }) => body.resource !== 'token').map(({ text }) => text)
    expect(texts.filter((text) => canariesIn(text, all()).length > 0)).toEqual([])
  })

  test('are in no entry of the log, which names every failure', () => {
    const failed = api.logs.filter(({ level }) => level === 'error').map((entry) => JSON.stringify(entry))
    expect(failed.length).toBeGreaterThan(50)
    expect(api.logs.map((entry) => JSON.stringify(entry)).filter((line) => canariesIn(line, all()).length > 0)).toEqual(
      [],
    )
  })

  test('are in no item and no message', () => {
    const items = [...api.platform.table.items()].map((item) => JSON.stringify(item))
    expect(items.filter((item) => canariesIn(item, all()).length > 0)).toEqual([])
    for (const kind of ['attempt', 'delivery'])
      expect(sent.filter((message) => message.includes(`"kind":"${kind}"`)).length, kind).toBeGreaterThan(0)
    expect(sent.filter((message) => canariesIn(message, all()).length > 0)).toEqual([])
  })
})

describe('the stored payment details of a customer', () => {
  test('contain no verification value, even inside the vault', async () => {
    const api = await openApi()
    const { platform, test: merchant } = api
    for (const payment_details of [
      card(),
      (await api.request('POST /tokens', { json: { payment_details: card() } })).body.id,
    ])
      expect((await api.request('POST /customers', { json: { payment_details } })).status).toBe(200)
    const work = new UnitOfWork({ platform, merchant: merchant.id, mode: 'test' })
    const cards = [...platform.table.items()].filter(({ sk }) => sk === 'card') as unknown as Card[]
    const opened = await Promise.all(cards.map(({ customer, sealed }) => openDetails(work, customer, sealed)))
    await api.close()
    expect(opened).toMatchObject([{ number: card().number }, { number: card().number }])
    for (const details of opened) expect(details).not.toHaveProperty('verification_value')
  })
})

describe('the search for canaries', () => {
  test.each([
    ['in plain text', (secret: string) => `{"a":"${secret}"}`],
    ['in capital letters', (secret: string) => `"${secret.toUpperCase()}"`],
    ['in base64', (secret: string) => Buffer.from(`{"number":"${secret}","month":12}`).toString('base64')],
    ['in base64 after one more byte', (secret: string) => Buffer.from(`{"numbers":"${secret}"}`).toString('base64')],
    [
      'in base64url after two more bytes',
      (secret: string) => Buffer.from(`{"the_num":"${secret}"}`).toString('base64url'),
    ],
    ['in hex', (secret: string) => Buffer.from(secret).toString('hex')],
    ['in a URL', (secret: string) => `a=${encodeURIComponent(secret)}&`],
  ])('finds a secret %s', (_, written) => {
    for (const secret of secrets.filter(({ length }) => length > 8))
      expect(canariesIn(written(secret), secrets)).toContain(secret)
  })

  test('finds a verification value as a whole value, but not inside a number', () => {
    expect(canariesIn('{"verification_value":"7391"}', secrets)).toEqual(['7391'])
    expect(canariesIn('"1739112345"', secrets)).toEqual([])
  })
})
