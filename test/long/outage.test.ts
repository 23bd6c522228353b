import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fanOut, sweep, workers } from '#shared/background.ts'
import { client_options } from '#shared/platform/aws/calls.ts'
import type { Message } from '#shared/platform/ports.ts'
import { queue_of } from '#shared/scheduling/queue-messages.ts'
import { type DueKind, kindOf } from '#shared/store/keys.ts'
import { RETURN_URL, type Seen, see, submit, typed_card } from '#test/browser/browsing.ts'
import { inconsistencies } from '#test/faults/consistency.ts'
import type { CallFate } from '#test/faults/faulty-endpoint.ts'
import { openSdkService, type SdkService } from '#test/faults/sdk-service.ts'
import { card, konbini, type Reply, type RequestOptions } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { type Ask, askAs, asSent, readyPath, rowsWithRequests, things } from '#test/fixtures/route-requests.ts'

/** All of AWS or one of its services fails below the SDK. Afterwards everything works again by itself. */

let service: SdkService
const open = async () => {
  service = await openSdkService()
  service.through = 'ports'
  await things.settlement(askAs(service))
}
const close = () => service.close()

const order = { amount: 1000, currency: 'JPY', payment_details: card() }

/** The prefix of each port's operations. */
const services = { table: 'DynamoDB', queues: 'AmazonSQS', vault: 'TrentService', bucket: 'S3' }

/** Runs `act` while all calls, or those of one service, have this fate. */
async function during<T>(fate: CallFate, act: () => Promise<T>, of = ''): Promise<T> {
  service.endpoint.plan = (operation) => (operation.startsWith(of) ? fate : 'ok')
  const answer = await throughSdk(act)
  service.endpoint.plan = () => 'ok'
  return answer
}

/** Runs `act` through the SDK. Set-up and later work call the ports directly, because that is faster. */
async function throughSdk<T>(act: () => Promise<T>): Promise<T> {
  service.through = 'sdk'
  const answer = await act()
  service.through = 'ports'
  return answer
}

/** A request, with its status without a fault. */
interface Ready {
  readonly route: string
  readonly path: string
  readonly status: number
  readonly options: RequestOptions
}

/** Returns one request for each route, with the records that it names and with an idempotency key. */
async function readyRows(): Promise<Ready[]> {
  const ready: Ready[] = []
  for (const row of rowsWithRequests()) {
    const path = await readyPath(row, askAs(service))
    const headers = { 'idempotency-key': randomUUID() }
    const sent = row.method === 'GET' ? {} : asSent(row.contents[0])
    const options = { ...sent, headers, redirect: 'manual' as const }
    ready.push({ route: row.route, path: `${row.method} ${path}`, status: row.status, options })
  }
  const options = { ...asSent({ paper: '%PDF-1.7\n%%EOF\n' }), headers: { 'idempotency-key': randomUUID() } }
  return [...ready, { route: 'POST /files', path: 'POST /files', status: 200, options }]
}

/** Sends all requests, a few at a time, because one process runs client, service and AWS. */
async function sendAll(ready: readonly Ready[], at_once = 8): Promise<Reply[]> {
  const replies: Reply[] = []
  while (replies.length < ready.length) {
    const next = ready.slice(replies.length, replies.length + at_once)
    replies.push(...(await Promise.all(next.map(({ path, options }) => service.request(path, options)))))
  }
  return replies
}

function expectUnavailable(reply: Reply): void {
  expectEnvelope(reply, 'service_unavailable')
  expect(reply.headers.get('retry-after')).toBe('5')
}

/** Checks that every request succeeds now, and is not a replay. */
async function expectWorking(ready: readonly Ready[]): Promise<void> {
  for (const [index, reply] of (await throughSdk(() => sendAll(ready))).entries()) {
    const { route, status } = ready[index]!
    expect(`${route} ${reply.status} ${reply.body.error?.code}`).toBe(`${route} ${status} undefined`)
    expect(reply.headers.get('idempotent-replayed'), route).toBeNull()
  }
}

describe('while all calls fail', () => {
  let rows: readonly Ready[]
  beforeAll(async () => {
    await open()
    rows = await readyRows()
  })
  afterAll(close)

  test.each(['throttled', 'broken', 'unavailable', 'cut'] as const)('every route answers 503: %s', async (fate) => {
    for (const reply of await during(fate, () => sendAll(rows, rows.length))) expectUnavailable(reply)
  })

  test('every route works at once when the calls work again', async () => {
    await expectWorking(rows)
    await service.advance(86_400)
    expect(inconsistencies(service.platform.table.items(), { settled: true })).toEqual([])
  })
})

describe('while one service alone fails', () => {
  beforeEach(open)
  afterEach(close)

  /** Returns the routes that fail while one service is unavailable. */
  async function failingRows(of: string): Promise<string[]> {
    const rows = await readyRows()
    const replies = await during('unavailable', () => sendAll(rows), of)
    const failing = rows.filter((row, index) => replies[index]!.status !== row.status)
    for (const row of failing) {
      const reply = replies[rows.indexOf(row)]!
      // Its first charge began before the card could be opened, so its outcome is unknown.
      if (row.route === 'POST /subscriptions') expectEnvelope(reply, 'gateway_timeout')
      else expectUnavailable(reply)
    }
    await expectWorking(failing)
    return failing.map(({ route }) => route)
  }

  test('without the queues every route works, because the sweep finds the work', async () => {
    expect(await failingRows(services.queues)).toEqual([])
  })

  test('without the bucket only uploads fail', async () => {
    expect(await failingRows(services.bucket)).toEqual(['POST /files'])
  })

  test('without the vault only routes that seal or open details fail', async () => {
    const failing = await failingRows(services.vault)
    expect(failing).toContain('POST /customers')
    expect(failing.filter((route) => /^(GET|DELETE) |files|live_application|accounts/.test(route))).toEqual([])
  })

  test('without the table every route fails', async () => {
    const rows = await readyRows()
    for (const reply of await during('unavailable', () => sendAll(rows), services.table)) expectUnavailable(reply)
  })
})

describe('the pages', () => {
  beforeAll(open)
  afterAll(close)

  test('answer 503 in HTML while all calls fail, and work at once when the calls work again', async () => {
    const ask = askAs(service)
    const session = await ask('POST /sessions', { amount: 1000, currency: 'JPY', return_url: RETURN_URL })
    const left = await ask('POST /sessions', { amount: 1000, currency: 'JPY', return_url: RETURN_URL })
    const cash = await ask('POST /payments', { ...order, payment_details: konbini })
    const away = await ask('POST /payments', { ...order, payment_details: { type: 'paypay' }, return_url: RETURN_URL })
    const secure = await ask('POST /secure_tokens', {
      ...{ ...order, payment_details: card('4100000000000100'), return_url: RETURN_URL },
    })
    const { instructions_url } = cash.payment_details
    const { redirect_url } = away.payment_details
    const visits: readonly (() => Promise<Seen>)[] = [
      () => see(session.session_url),
      () => submit(session.session_url, typed_card),
      () => submit(`${left.session_url}/cancel`, {}),
      () => see(instructions_url),
      () => submit(instructions_url, {}),
      () => see(redirect_url),
      () => submit(redirect_url, { decision: 'approve' }),
      () => see(secure.authentication_url),
      () => submit(secure.authentication_url, { decision: 'authenticate' }),
    ]
    for (const seen of await during('unavailable', () => Promise.all(visits.map((visit) => visit())))) {
      expect(seen.status).toBe(503)
      expect(seen.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(seen.headers.get('retry-after')).toBe('5')
      expect(seen.html).toContain(seen.headers.get('x-request-id')!)
    }
    for (const visit of visits) expect([200, 303]).toContain((await throughSdk(visit)).status)
    expect((await ask(`GET /sessions/${session.id}`)).status).toBe('completed')
    expect((await ask(`GET /payments/${cash.id}`)).status).toBe('captured')
  })
})

describe('background work', () => {
  beforeAll(open)
  afterAll(close)

  test('returns every message to its queue while all calls fail, and loses none', async () => {
    const ask = askAs(service)
    const url = 'http://127.0.0.1:9/hook'
    const { id: webhook } = await ask('POST /webhooks', { url, event_list: ['customer.created'] })
    const { id: customer } = await ask('POST /customers', { payment_details: card() })
    await ask('POST /subscriptions', { customer, amount: '1000', currency: 'JPY', period: 'weekly' })
    await service.advance(0)
    await ask('POST /customers', { payment_details: card() })
    const headers = { 'x-service-scenario': 'timeout_after_charge' }
    const unknown = await service.request('POST /payments', { json: order, headers })
    const due = [...service.platform.table.items()].flatMap(({ pk, sk, due_shard, due_at }): Message[] =>
      due_shard && due_at ? [{ kind: kindOf(due_shard), pk, sk, due_at }] : [],
    )
    expect(new Set(due.map(({ kind }) => kind))).toEqual(
      new Set(['attempt', 'delivery', 'outbox', 'subscription', 'settling', 'payment']),
    )
    await during('unavailable', async () => {
      for (const message of due) {
        const Records = [{ messageId: 'it', body: JSON.stringify(message) }]
        const handed = await service.invoke(workers[queue_of[message.kind as DueKind]], { Records })
        expect(handed, message.kind).toEqual({ batchItemFailures: [{ itemIdentifier: 'it' }] })
      }
      await expect(service.invoke(sweep, {})).rejects.toThrow()
      const Records = due.map(({ pk, sk }) => ({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } }))
      await service.invoke(fanOut, { Records })
    })
    await service.advance(8 * 86_400)
    const { payment } = unknown.body.error.details
    expect((await ask(`GET /payments/${payment}`)).status).toBe('captured')
    const { data } = await ask('GET /subscriptions')
    expect(data[0].payments).toHaveLength(2)
    expect((await ask(`GET /deliveries?webhook=${webhook}`)).total).toBe(3)
    expect(inconsistencies(service.platform.table.items())).toEqual([])
  })
})

describe('while calls are never answered', () => {
  const { requestHandler } = client_options
  const usual = { ...requestHandler }
  /** The timeout of a call in this test. In production it is `usual.requestTimeout`. */
  const WAIT_MS = 100
  /** The timeout of API Gateway. */
  const ANSWER_MS = 29_000
  beforeEach(async () => {
    Object.assign(requestHandler, { requestTimeout: WAIT_MS, socketTimeout: WAIT_MS })
    await open()
  })
  afterEach(async () => {
    Object.assign(requestHandler, usual)
    await close()
  })

  /** Returns the delay of a request in production if `hung` calls hang one after the other, in milliseconds. */
  const delayMs = (hung: number) => hung * usual.requestTimeout

  test('every route answers 503 before the timeout of API Gateway', async () => {
    const rows = await readyRows()
    for (const reply of await during('hung', () => sendAll(rows, rows.length))) expectUnavailable(reply)
    expect(delayMs(service.endpoint.met.hung / rows.length)).toBeLessThan(ANSWER_MS)
  })

  /**
   * Returns the number of calls of a request. It uses the timeouts of production, so that a slow machine cannot end it
   * early.
   */
  async function callsOf(made: Made): Promise<number> {
    await close()
    Object.assign(requestHandler, usual)
    await open()
    let calls = 0
    // The first request may read values that are cached afterwards.
    for (const idempotency_key of ['first', 'second']) {
      const key = (await service.newMerchants()).test.secret_key
      const { route, json } = await made(askAs(service, key))
      calls = 0
      service.endpoint.plan = () => {
        calls += 1
        return 'ok'
      }
      const headers = { 'idempotency-key': idempotency_key }
      expect((await throughSdk(() => service.request(route, { key, json, headers }))).status).toBe(200)
      service.endpoint.plan = () => 'ok'
    }
    await close()
    Object.assign(requestHandler, { requestTimeout: WAIT_MS, socketTimeout: WAIT_MS })
    await open()
    return calls
  }

  /** Each case creates what its request needs, and checks afterwards that the request was done once. */
  const cases = {
    async 'POST /payments'(ask: Ask) {
      return {
        route: 'POST /payments',
        json: order,
        done: async () => expect((await ask('GET /payments?status=captured')).total).toBe(1),
      }
    },
    async 'POST /sessions/:id/pay'(ask: Ask) {
      const { id } = await ask('POST /sessions', { amount: 1000, currency: 'JPY' })
      return {
        route: `POST /sessions/${id}/pay`,
        json: { payment_details: card() },
        done: async () => expect((await ask(`GET /sessions/${id}`)).status).toBe('completed'),
      }
    },
  }

  type Made = (typeof cases)[keyof typeof cases]

  test.each(Object.entries(cases))(
    'if any call and all later calls hang, a later request with the same key completes %s',
    async (_, made) => {
      const needed = await callsOf(made)
      expect(needed).toBeGreaterThanOrEqual(5)
      for (let at = 1; at <= needed; at++) {
        const key = (await service.newMerchants()).test.secret_key
        const { route, json, done } = await made(askAs(service, key))
        const send = () => service.request(route, { key, json, headers: { 'idempotency-key': 'one key' } })
        const { met } = service.endpoint
        met.hung = 0
        let calls = 0
        service.endpoint.plan = () => (++calls >= at ? 'hung' : 'ok')
        const reply = await throughSdk(send)
        const delay_ms = delayMs(met.hung)
        service.endpoint.plan = () => 'ok'
        expect(calls, `call ${at} was made`).toBeGreaterThanOrEqual(at)
        expect([200, 503, 504], `at call ${at}`).toContain(reply.status)
        expect(delay_ms, `at call ${at}`).toBeLessThan(ANSWER_MS)
        // The lease of a request that could not release its key is over by then.
        await service.advance(41)
        const again = await send()
        expect(again.status, `at call ${at}`).toBe(200)
        if (reply.status === 200) expect(again.text).toBe(reply.text)
        await done()
      }
      await service.advance(86_400)
      expect(inconsistencies(service.platform.table.items(), { settled: true })).toEqual([])
    },
  )
})
