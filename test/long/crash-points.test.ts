import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handler as chores } from '#functions/background/chores.ts'
import { handler as fanOut } from '#functions/background/fan-out.ts'
import { event_types } from '#shared/domain/event.ts'
import { servedRoutes } from '#shared/routes.ts'
import type { NewMerchant } from '#shared/store/merchants.ts'
import { decideAt } from '#test/browser/customer-decision.ts'
import { inconsistencies } from '#test/faults/consistency.ts'
import { CrashPoints, failingAt, type Plan } from '#test/faults/crash-points.ts'
import { journalViolations } from '#test/faults/journal-violations.ts'
import { type Api, card, konbini, openApi, type Reply, type RequestOptions } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'
import {
  type Ask,
  asSent,
  type Content,
  type Row,
  readyPath,
  rowsUnlike,
  things,
} from '#test/fixtures/route-requests.ts'
import { wholeApplication } from '#test/fixtures/whole-application.ts'

/**
 * Every request that writes fails at each of its calls of the platform, those of the acquirer included, before and
 * after the call is done. The process continues or is killed, and the client retries at once or late. Each merchant has
 * a webhook for all events, and its deliveries are counted at the end.
 */

type Send = (route: string, options?: RequestOptions) => Promise<Reply>

interface Scenario {
  /** Creates what the request needs, and returns the request. */
  readonly request: (send: Send) => Promise<readonly [route: string, json?: unknown]>
  /** The status of the clean run. */
  readonly status: number
  /**
   * The number of operations of the acquirer in the clean run, of each kind, including the set-up. `unchanged` if the
   * request causes no operation.
   */
  readonly ledger?: Readonly<Record<string, number>> | 'unchanged'
  /** The same numbers if the request is begun and not done. By default, they are as before the request. */
  readonly undone?: Readonly<Record<string, number>>
  /** Whether the request leaves an authorization that is voided later. */
  readonly voids_later?: true
}

const order = { amount: 1000, currency: 'JPY' }
const monthly = { ...order, period: 'monthly' }

const made = async (reply: Promise<Reply>): Promise<string> => {
  const { status, body } = await reply
  if (status !== 200) throw new Error(`the set-up was answered with ${status} ${body.error?.code}`)
  return body.id
}

const token = (send: Send) => made(send('POST /tokens', { json: { payment_details: card() } }))
const customer = (send: Send) =>
  made(send('POST /customers', { json: { payment_details: card(), email: 'a@example.com' } }))
const paid = (send: Send, more = {}) =>
  made(send('POST /payments', { json: { ...order, payment_details: card(), ...more } }))
const held = (send: Send) => paid(send, { capture: false })

const subscribes = (send: Send, more = {}) => made(send('POST /subscriptions', { json: { ...monthly, ...more } }))

/** Creates a customer with this number of subscriptions. Returns the customer and the last subscription. */
const subscriber = async (send: Send, subscriptions = 1, more = {}) => {
  const id = await customer(send)
  let last = ''
  for (let n = 0; n < subscriptions; n++) last = await subscribes(send, { customer: id, ...more })
  return { customer: id, last }
}

const pays =
  (more: (send: Send) => Promise<object> | object): Scenario['request'] =>
  async (send) => ['POST /payments', { ...order, ...(await more(send)) }]

const session = (send: Send, more = {}) => made(send('POST /sessions', { json: { ...order, ...more } }))

const paysSession =
  (payment_details: object, more = {}): Scenario['request'] =>
  async (send) => [`POST /sessions/${await session(send, more)}/pay`, { payment_details }]

const wallet = { type: 'paypay' }

/** Creates a session whose customer is off-site at a wallet. */
const sessionOffSite = async (send: Send): Promise<string> => {
  const id = await session(send)
  const { body } = await send(`POST /sessions/${id}/pay`, { json: { payment_details: wallet } })
  expect(body).toMatchObject({ status: 'pending', payment: { status: 'pending' } })
  return id
}

const to_verify = { ...order, return_url: 'https://example.com', payment_details: card('4100000000000100') }

/** Creates a secure token and passes its 3-D Secure challenge. */
const verified = async (send: Send): Promise<string> => {
  const { body } = await send('POST /secure_tokens', { json: to_verify })
  await decideAt(body.authentication_url, 'authenticate')
  return body.id
}

/** Creates a secure token of a customer's card, which needs no 3-D Secure. */
const verifiedOf = async (send: Send, id: string): Promise<string> => {
  const json = { ...to_verify, payment_details: undefined, customer: id }
  const { body } = await send('POST /secure_tokens', { json })
  await (await fetch(body.authentication_url)).text()
  return body.id
}

const bank_account = {
  amount: 700,
  customer_name: 'Taro',
  bank_name: 'Mizuho',
  branch_number: '001',
  account_type: 'normal',
  account_number: '1234567',
}

let receiver: Receiver

/** Returns the URL of the receiver with this path. */
const at = (path: string) => `${receiver.origin}/${path}`

const webhook = (send: Send, more: object = {}) =>
  made(send('POST /webhooks', { json: { url: at('asked'), event_list: ['customer.created'], ...more } }))

/** Delivers all events. */
const deliverAll = () => api.advance(0)

/** Creates a webhook and returns the delivery of its ping. */
const pinged = async (send: Send): Promise<string> => {
  const id = await webhook(send, { url: at('asked-again') })
  await deliverAll()
  return (await send(`GET /deliveries?webhook=${id}`)).body.data[0].id
}

/** Creates a webhook and makes it inactive before the delivery of an event, so that this delivery fails. */
const failedAt = async (send: Send): Promise<string> => {
  const id = await webhook(send)
  await deliverAll()
  await customer(send)
  await fanOut({ Records: api.platform.stream.take() }, { platform: points.around(api.platform) } as never)
  await send(`PATCH /webhooks/${id}`, { json: { active: false } })
  await deliverAll()
  await send(`PATCH /webhooks/${id}`, { json: { active: true } })
  const [delivery] = (await send(`GET /deliveries?webhook=${id}`)).body.data
  expect(delivery).toMatchObject({ event_type: 'customer.created', status: 'failed' })
  return id
}

/** Uploads a file. */
const file = (send: Send) => made(send('POST /files', asSent({ paper: '%PDF-1.7\n%%EOF\n' })))

const own_scenarios: Readonly<Record<string, Scenario>> = {
  'POST /files': { request: async () => ['POST /files', { paper: '%PDF-1.7' }], status: 200 },

  'PATCH /accounts/:id with a logo': {
    request: async (send) => {
      const account = await things.account(askWith(send))
      const logo = await things.file(askWith(send))
      return [`PATCH /accounts/${account}`, { display_name: '山田茶屋', accent_color: '#1a7f37', logo }]
    },
    status: 200,
    ledger: 'unchanged',
  },

  'POST /customers with details': {
    request: async () => ['POST /customers', { payment_details: card(), email: 'a@example.com', metadata: { a: 1 } }],
    status: 200,
  },
  'POST /customers with a token': {
    request: async (send) => ['POST /customers', { payment_details: await token(send) }],
    status: 200,
  },
  'PATCH /customers/:id': {
    request: async (send) => [
      `PATCH /customers/${await customer(send)}`,
      { email: 'b@example.com', metadata: { b: 2 } },
    ],
    status: 200,
  },
  'PATCH /customers/:id with new details': {
    request: async (send) => [
      `PATCH /customers/${await customer(send)}`,
      { payment_details: card('5555555555554444') },
    ],
    status: 200,
  },
  'PATCH /customers/:id with a token': {
    request: async (send) => [`PATCH /customers/${await customer(send)}`, { payment_details: await token(send) }],
    status: 200,
  },
  'PATCH /customers/:id without details': {
    request: async (send) => [`PATCH /customers/${await customer(send)}`, { payment_details: null }],
    status: 200,
  },
  'DELETE /customers/:id': {
    request: async (send) => [`DELETE /customers/${await customer(send)}`],
    status: 200,
  },

  'POST /payments with details': {
    request: pays(() => ({
      payment_details: card(),
      external_order_num: 'order 1',
      webhooks: [{ url: at('asked'), events: ['payment.captured'], secret_key: 'whsec_abc' }],
    })),
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /payments held': {
    request: pays(() => ({ payment_details: card(), capture: false })),
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /payments with a token': {
    request: pays(async (send) => ({ payment_details: await token(send) })),
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /payments with a customer': {
    request: pays(async (send) => ({ customer: await customer(send), external_order_num: 'order 1' })),
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /payments of konbini': {
    request: pays(() => ({ payment_details: konbini })),
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /payments of a wallet': {
    request: pays(() => ({
      payment_details: { type: 'paypay', email: 'a@example.com' },
      return_url: 'https://example.com',
    })),
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /payments with a declined card': {
    request: pays(() => ({ payment_details: card('4123111111111059') })),
    status: 402,
  },
  'POST /payments with a token of a declined card': {
    request: pays(async (send) => ({
      payment_details: await made(send('POST /tokens', { json: { payment_details: card('4123111111111059') } })),
    })),
    status: 402,
  },
  'POST /payments with a fraudulent card': {
    request: pays(() => ({ payment_details: card('4123111111111083') })),
    status: 422,
  },

  'PATCH /payments/:id': {
    request: async (send) => [
      `PATCH /payments/${await paid(send)}`,
      { description: 'new', external_order_num: 'order 2' },
    ],
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /payments/:id/capture of a part': {
    request: async (send) => [`POST /payments/${await held(send)}/capture`, { amount: 800 }],
    status: 200,
    ledger: { charge: 1, capture: 1 },
  },
  'POST /payments/:id/refund of a part': {
    request: async (send) => [`POST /payments/${await paid(send)}/refund`, { amount: 300 }],
    status: 200,
    ledger: { charge: 1, refund: 1 },
  },
  'POST /payments/:id/refund of all': {
    request: async (send) => [`POST /payments/${await paid(send)}/refund`, {}],
    status: 200,
    ledger: { charge: 1, refund: 1 },
  },
  'POST /payments/:id/refund_request': {
    request: async (send) => {
      const id = await paid(send, { payment_details: konbini })
      await made(send(`POST /_local/payments/${id}/pay`))
      return [`POST /payments/${id}/refund_request`, bank_account]
    },
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /payments/:id/cancel of a held card': {
    request: async (send) => [`POST /payments/${await held(send)}/cancel`, {}],
    status: 200,
    ledger: { charge: 1, void: 1 },
  },
  'POST /payments/:id/cancel of konbini': {
    request: async (send) => [`POST /payments/${await paid(send, { payment_details: konbini })}/cancel`, {}],
    status: 200,
    ledger: { charge: 1, void: 1 },
  },

  'POST /sessions': {
    request: async () => [
      'POST /sessions',
      { ...order, payment_data: { webhooks: [{ url: at('asked'), events: ['payment.captured'], secret_key: 'a' }] } },
    ],
    status: 200,
  },
  'POST /sessions/:id/pay with a card': {
    request: async (send) => {
      const webhooks = [{ url: at('asked'), events: ['payment.captured'], secret_key: 'a' }]
      return [`POST /sessions/${await session(send, { payment_data: { webhooks } })}/pay`, { payment_details: card() }]
    },
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /sessions/:id/pay with the stored card of its customer': {
    request: async (send) => {
      const stored = await customer(send)
      return [`POST /sessions/${await session(send, { customer: stored })}/pay`, { customer: stored }]
    },
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /sessions/:id/pay with a token': {
    request: async (send) => [`POST /sessions/${await session(send)}/pay`, { payment_details: await token(send) }],
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /sessions/:id/pay with a secure token': {
    request: async (send) => [`POST /sessions/${await session(send)}/pay`, { payment_details: await verified(send) }],
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /sessions/:id/pay with konbini': {
    request: paysSession(konbini),
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /sessions/:id/pay with a declined card': {
    request: paysSession(card('4123111111111059')),
    status: 200,
    ledger: { charge: 0 },
  },
  'POST /sessions/:id/pay with a card instead of a wallet': {
    request: async (send) => [`POST /sessions/${await sessionOffSite(send)}/pay`, { payment_details: card() }],
    status: 200,
    ledger: { charge: 2, void: 1 },
    undone: { charge: 1, void: 1 },
    voids_later: true,
  },
  'POST /sessions/:id/pay of mode customer': {
    request: paysSession(card(), { mode: 'customer', email: 'a@example.com' }),
    status: 200,
  },
  'POST /sessions/:id/cancel': {
    request: async (send) => [`POST /sessions/${await session(send)}/cancel`, {}],
    status: 200,
  },
  'POST /sessions/:id/cancel with a wallet': {
    request: async (send) => [`POST /sessions/${await sessionOffSite(send)}/cancel`, {}],
    status: 200,
    ledger: { charge: 1, void: 1 },
    voids_later: true,
  },
  'POST /secure_tokens': { request: async () => ['POST /secure_tokens', to_verify], status: 200 },
  'POST /secure_tokens of a token': {
    request: async (send) => ['POST /secure_tokens', { ...to_verify, payment_details: await token(send) }],
    status: 200,
  },
  'POST /secure_tokens of a customer': {
    request: async (send) => [
      'POST /secure_tokens',
      { ...to_verify, payment_details: undefined, customer: await customer(send) },
    ],
    status: 200,
  },
  'POST /secure_tokens of a secure token': {
    request: async (send) => ['POST /secure_tokens', { ...to_verify, payment_details: await verified(send) }],
    status: 200,
  },
  'POST /payments with a secure token of a customer': {
    request: pays(async (send) => ({ payment_details: await verifiedOf(send, await customer(send)) })),
    status: 200,
    ledger: { charge: 1 },
  },
  'PATCH /customers/:id with a secure token of their own card': {
    async request(send) {
      const id = await customer(send)
      return [`PATCH /customers/${id}`, { payment_details: await verifiedOf(send, id) }]
    },
    status: 200,
  },
  'POST /payments with a secure token': {
    request: pays(async (send) => ({ payment_details: await verified(send) })),
    status: 200,
    ledger: { charge: 1 },
  },

  'POST /subscriptions': {
    request: async (send) => [
      'POST /subscriptions',
      { ...monthly, customer: await customer(send), metadata: { a: 1 } },
    ],
    status: 200,
    ledger: { charge: 1 },
  },
  'POST /subscriptions of nothing': {
    request: async (send) => ['POST /subscriptions', { ...monthly, customer: await customer(send), amount: 0 }],
    status: 200,
  },
  'POST /subscriptions with a declined card': {
    request: async (send) => {
      const declined = { payment_details: card('4123111111111059') }
      return ['POST /subscriptions', { ...monthly, customer: await made(send('POST /customers', { json: declined })) }]
    },
    status: 200,
    ledger: { charge: 0 },
  },
  'DELETE /subscriptions/:id': {
    request: async (send) => [`DELETE /subscriptions/${(await subscriber(send)).last}`],
    status: 200,
    ledger: { charge: 1 },
  },
  'DELETE /subscriptions/:id while a capture is out': {
    request: async (send) => {
      const json = { ...monthly, customer: await customer(send) }
      const id = await made(
        send('POST /subscriptions', { json, headers: { 'x-service-scenario': 'timeout_before_charge' } }),
      )
      return [`DELETE /subscriptions/${id}`]
    },
    status: 200,
  },
  'DELETE /customers/:id with a subscription': {
    request: async (send) => [`DELETE /customers/${(await subscriber(send)).customer}`],
    status: 200,
    ledger: { charge: 1 },
  },
  'DELETE /customers/:id with more subscriptions than end at a time': {
    request: async (send) => [`DELETE /customers/${(await subscriber(send, 7, { amount: 0 })).customer}`],
    status: 200,
  },

  'POST /live_application/submit': {
    async request(send) {
      const whole = wholeApplication(await file(send))
      for (const [record, json] of Object.entries(whole)) await send(`POST /${record}`, { json })
      return ['POST /live_application/submit', { simulate_status: 'approved' }]
    },
    status: 200,
  },

  // A local run does the due work of the advanced time in the request, so nothing else may be due.
  'POST /test_clock': {
    async request() {
      await deliverAll()
      return ['POST /test_clock', { advance: 1 }]
    },
    status: 200,
  },

  'POST /webhooks': {
    request: async () => ['POST /webhooks', { url: at('asked'), event_list: 'customer.created', secret_token: 'a' }],
    status: 200,
  },
  'PATCH /webhooks/:id': {
    request: async (send) => [`PATCH /webhooks/${await webhook(send)}`, { url: at('moved'), secret_token: 'b' }],
    status: 200,
  },
  'DELETE /webhooks/:id': {
    request: async (send) => [`DELETE /webhooks/${await webhook(send)}`],
    status: 200,
  },
  'POST /webhooks/:id/ping': {
    request: async (send) => [`POST /webhooks/${await webhook(send)}/ping`, {}],
    status: 200,
  },
  'POST /webhooks/:id/rotate': {
    request: async (send) => [
      `POST /webhooks/${await webhook(send, { secret_token: 'a' })}/rotate`,
      { secret_token: 'b' },
    ],
    status: 200,
  },
  'POST /webhooks/:id/recover': {
    request: async (send) => [`POST /webhooks/${await failedAt(send)}/recover`, { since: '2030-01-01T00:00:00Z' }],
    status: 200,
  },
  'POST /deliveries/:id/redeliver': {
    request: async (send) => [`POST /deliveries/${await pinged(send)}/redeliver`, {}],
    status: 200,
  },
}

/** Returns a function that sends requests, each of which must succeed. */
const askWith =
  (send: Send): Ask =>
  async (route, content) => {
    const { status, body } = await send(route, asSent(content && withReceiver(content)))
    if (status !== 200) throw new Error(`${route} was answered with ${status} ${body.error?.code}`)
    return body
  }

/** The scenario of a row's example request, which must not cause an operation of the acquirer. */
const exampleOf = (row: Row): Scenario => ({
  async request(send) {
    const path = await readyPath(row, askWith(send))
    return [`${row.method} ${path}`, withReceiver(row.contents[0] ?? {})]
  },
  status: row.status,
  ledger: 'unchanged',
})

/** The content with the receiver of this test as the receiver of its webhooks. */
const withReceiver = (content: Content): Content =>
  JSON.parse(JSON.stringify(content).replaceAll('https://shop.example.com/hook', at('asked')))

const hasOwnScenario = (route: string) => Object.keys(own_scenarios).some((name) => `${name} `.startsWith(`${route} `))

const scenarios: Readonly<Record<string, Scenario>> = {
  ...own_scenarios,
  ...Object.fromEntries(
    rowsUnlike()
      .filter(({ route, method }) => method !== 'GET' && !hasOwnScenario(route))
      .map((row) => [row.route, exampleOf(row)]),
  ),
}

const IN_FLIGHT_SECONDS = 45
const LATE_SECONDS = 120

const points = new CrashPoints()
let api: Api
beforeAll(async () => {
  receiver = await openReceiver()
  api = await openApi({ around: points.around })
})
afterAll(async () => {
  await api.close()
  await receiver.close()
})

/** Runs a scenario for a new merchant. */
async function run(
  { request, voids_later }: Scenario,
  { plan, is_killed, late }: { plan?: Plan; is_killed?: boolean; late?: boolean } = {},
) {
  const since = points.journal.length
  const { test: merchant } = await api.newMerchants()
  const send: Send = async (route, options) => {
    // Events of one millisecond can have any order.
    api.platform.clock.turnTo(api.platform.clock.now() + 1)
    return api.request(route, { key: merchant.secret_key, ...options })
  }
  await webhook(send, { url: at('all'), event_list: event_types })
  const [route, json] = await request(send)
  const before = ledgerOf(merchant, since)
  const again = () => send(route, { ...asSent(json as Content), headers: { 'idempotency-key': 'the key of this run' } })
  points.arm(plan)
  const first = await again()
  points.disarm()
  const operations = [...points.operations]
  if (is_killed) while (!api.platform.stream.isEmpty) api.platform.stream.take()
  if (late) await api.advance(LATE_SECONDS)
  const reply = await settled(send, await persisting(first, again))
  if (voids_later) await api.advance(LATE_SECONDS)
  return {
    first,
    reply,
    operations,
    calls: operations.length,
    before,
    ledger: ledgerOf(merchant, since),
    state: { ...(await stateOf(merchant)), session: await sessionIn(send, route) },
  }
}

/** Repeats a request with the same key until it has a final response. */
async function persisting(first: Reply, again: () => Promise<Reply>): Promise<Reply> {
  let reply = first
  for (let tries = 0; tries < 4 && (reply.status >= 500 || reply.status === 409); tries++) {
    if (reply.status === 409) await api.advance(IN_FLIGHT_SECONDS)
    reply = await again()
  }
  return reply
}

/** Waits for the first capture of a subscription, if its outcome was unknown in the response. */
async function settled(send: Send, reply: Reply): Promise<Reply> {
  if (reply.body.resource !== 'subscription' || reply.body.status !== 'pending') return reply
  await api.advance(LATE_SECONDS)
  return send(`GET /subscriptions/${reply.body.id}`)
}

/** Returns what the merchant sees of its resources, sorted, because events of one transaction can have any order. */
async function stateOf({ secret_key }: NewMerchant) {
  const seen = async (path: string) => {
    const { status, body } = await api.request(`GET ${path}?per_page=100`, { key: secret_key })
    const records = body.data as readonly object[]
    return records.map((record) => gist({ status, text: JSON.stringify(record) })).toSorted()
  }
  return {
    subscriptions: await seen('/subscriptions'),
    payments: await seen('/payments'),
    customers: await seen('/customers'),
    events: await seen('/events'),
    webhooks: await seen('/webhooks'),
  }
}

/** Returns the session of a request, as the merchant sees it. */
async function sessionIn(send: Send, route: string): Promise<string | undefined> {
  const id = /ses_\w+/.exec(route)?.[0]
  return id && gist(await send(`GET /sessions/${id}`))
}

/** Whether a response says that nothing was done. The response of a session has a failed payment and an error text. */
const isUndone = ({ body }: Reply): boolean =>
  body.error?.code === 'other_error' || (typeof body.error === 'string' && body.payment.status === 'failed')

/** Returns the number of operations of each kind that the acquirer has done for a merchant. */
function ledgerOf({ id }: NewMerchant, since: number) {
  const rows = points.journal
    .slice(since)
    .flat()
    .flatMap((write) => ('put' in write && write.put.pk.startsWith(`sandbox#${id}#`) ? [write.put] : []))
    .filter(({ outcome }) => !['declined', 'never_arrived'].includes((outcome as { result: string }).result))
  const count = (operation: string) => rows.filter((row) => row.operation === operation).length
  return { charge: count('charge'), capture: count('capture'), refund: count('refund'), void: count('void') }
}

/** Whether a repeated DELETE finds that the record is deleted. */
const isDeleted = ({ status, body }: Reply): boolean => status === 404 && body.error.code === 'not_found'

/** Returns a response without what differs between runs: ids, times, and codes from ids. */
const gist = ({ status, text }: Pick<Reply, 'status' | 'text'>): string =>
  `${status} ${text}`
    .replaceAll(/\b([a-z]{3})_[0-9a-z]{10,}/g, '$1_')
    .replaceAll(/\b[sp]k_(test|live)_[0-9a-z]{32}/g, 'key')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|\.\d{3}\+09:00)/g, 'time')
    .replaceAll(/("(?:id|merchant_id|day)"):\d+/g, '$1')
    .replaceAll(/("(?:confirmation_code|receipt|request_id)"):"[^"]*"/g, '$1')
    .replaceAll(/("latency_ms"):\d+/g, '$1')
    .replaceAll(api.url, '')

describe.each(Object.entries(scenarios))('%s, with a failure at each of its calls', (_, scenario) => {
  let clean: Awaited<ReturnType<typeof run>>
  beforeAll(async () => {
    clean = await run(scenario)
  })

  test('the clean run has the expected outcome', () => {
    expect(clean.reply.status).toBe(scenario.status)
    expect(clean.ledger, 'a request that reaches the acquirer needs a scenario of its own').toEqual(
      scenario.ledger === 'unchanged'
        ? clean.before
        : { charge: 0, capture: 0, refund: 0, void: 0, ...scenario.ledger },
    )
    expect(clean.calls).toBeGreaterThan(2)
  })

  const fates = ['fail_before', 'fail_after'] as const
  test.each(fates.flatMap((fate) => [false, true].map((is_killed) => ({ fate, is_killed }))))(
    '$fate, killed: $is_killed: a retry finds the request done once',
    async ({ fate, is_killed }) => {
      for (let at = 1; at <= clean.calls; at++) {
        const { first, reply, ledger, state } = await run(scenario, {
          plan: failingAt(at, fate, { is_killed }),
          is_killed,
        })
        const which = `at call ${at}, first answered with ${first.status} ${first.body.error?.code}`
        if (!isDeleted(reply)) expect(gist(reply), which).toBe(gist(clean.reply))
        expect(state, which).toEqual(clean.state)
        expect(ledger, which).toEqual(clean.ledger)
      }
    },
  )

  // A request without a call of the acquirer leaves no outcome to resolve later.
  const expected = scenario.ledger
  const asks = expected !== 'unchanged' && (expected?.charge !== undefined || scenario.status !== 200)
  if (asks)
    test.each(fates)(
      '%s, killed: a late retry finds the request done once, or its response says that nothing was done',
      async (fate) => {
        for (let at = 1; at <= clean.calls; at++) {
          const plan = failingAt(at, fate, { is_killed: true })
          const { reply, ledger, state } = await run(scenario, { plan, is_killed: true, late: true })
          const done = isDeleted(reply) || gist(reply) === gist(clean.reply)
          if (!done) expect(isUndone(reply), `at call ${at}: ${reply.text}`).toBe(true)
          if (done) expect(state, `at call ${at}`).toEqual(clean.state)
          expect(ledger, `at call ${at}`).toEqual(done ? clean.ledger : { ...clean.before, ...scenario.undone })
        }
      },
    )

  test('a conflict without a concurrent write is retried', async () => {
    for (const [index, operation] of clean.operations.entries()) {
      if (operation !== 'write') continue
      const at = index + 1
      const { first, ledger, state } = await run(scenario, { plan: failingAt(at, 'conflict') })
      expect(gist(first), `at call ${at}`).toBe(gist(clean.reply))
      expect(state, `at call ${at}`).toEqual(clean.state)
      expect(ledger, `at call ${at}`).toEqual(clean.ledger)
    }
  })
})

describe('the expiry of a secure token, with a failure at each call of its worker', () => {
  const own = new CrashPoints()
  let service: Api
  beforeAll(async () => {
    service = await openApi({ around: own.around })
  })
  afterAll(() => service.close())

  /** Expires a secure token by its message, and then advances the clock. */
  const ending = async (plan?: Plan) => {
    const json = { ...order, return_url: 'https://example.com', payment_details: card() }
    const { id } = (await service.request('POST /secure_tokens', { json })).body
    const item = () => [...service.platform.table.items()].find((one) => one.sk === 'secure_token' && one.id === id)!
    const { pk, sk, due_at } = item()
    service.platform.clock.turnTo(Date.parse(due_at!))
    const body = JSON.stringify({ kind: 'secure_token', pk, sk, due_at })
    own.arm(plan)
    await chores({ Records: [{ messageId: 'm', body }] } as never, { platform: own.around(service.platform) } as never)
    const { calls } = own
    own.disarm()
    const sealed = item().sealed
    await service.advance(900)
    return { sealed, calls, item: item() }
  }

  test.each(['fail_before', 'fail_after', 'conflict'] as const)('%s: its details are erased, once', async (fate) => {
    const clean = await ending()
    expect([clean.sealed, clean.calls > 1]).toEqual([null, true])
    for (let at = 1; at <= clean.calls; at++)
      for (const is_killed of [false, true]) {
        const { item } = await ending(failingAt(at, fate, { is_killed }))
        expect(item, `at call ${at}`).toMatchObject({ sealed: null, version: 2 })
      }
  })
})

describe('after all scenarios', () => {
  test('every route that writes has a scenario', () => {
    const rows = servedRoutes().filter(({ method }) => method !== 'GET')
    const names = Object.keys(scenarios)
    // The records of an application share three handlers.
    const alike = (route: string) =>
      route.replace(/\/live_application\/(?!submit).*/, '/live_application/site_information')
    expect(rows.filter(({ route }) => !names.some((name) => `${name} `.startsWith(`${alike(route)} `)))).toEqual([])
  })

  test('nothing is half done, and an hour later no work is left', async () => {
    expect(inconsistencies(api.platform.table.items())).toEqual([])
    await api.advance(3_600)
    expect(inconsistencies(api.platform.table.items(), { settled: true })).toEqual([])
  })

  test('each receiver got each of its events once, and once more after a redelivery', () => {
    const items = [...api.platform.table.items()]
    const attempts = Map.groupBy(
      items.filter(({ pk, sk }) => pk.startsWith('delivery#') && sk.startsWith('attempt#')),
      ({ delivery }) => delivery,
    )
    const came = Map.groupBy(receiver.received, ({ headers }) => headers['x-service-id'])
    const deliveries = items.filter(({ sk }) => sk === 'delivery')
    const wrong = deliveries.filter(({ id, url, status }) => {
      const answered = attempts.get(id)!.filter(({ status_code }) => status_code === 200).length
      const times = url === at('asked-again') ? 2 : 1
      return status !== 'delivered' || answered !== times || came.get(id as string)?.length !== times
    })
    expect(wrong).toEqual([])
    expect(came.size).toBe(deliveries.length)
    const merchants = new Set(items.filter(({ sk }) => sk === 'webhook').map(({ pk }) => pk.split('#')[1]))
    expect(deliveries.length).toBeGreaterThan(2 * merchants.size)
  })

  test('every change has its event, and no update is lost', () => {
    expect(points.journal.length).toBeGreaterThan(1_000)
    expect(journalViolations(points.journal)).toEqual([])
  })

  test('two months later every open payment has expired and is voided', async () => {
    await api.advance(60 * 86_400)
    const items = [...api.platform.table.items()]
    expect(items.filter(({ sk, status }) => sk === 'payment' && status === 'authorized')).toEqual([])
    expect(inconsistencies(items, { settled: true })).toEqual([])
  })
})
