import { randomUUID } from 'node:crypto'
import type { Route } from '#shared/routes.ts'
import { card, konbini, type RequestOptions } from '#test/fixtures/api.ts'
import { documentOf, partsWith } from '#test/fixtures/documents.ts'

/** Sends a request that must succeed, and returns the body of the response. */
// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
export type Send = (route: string, options?: RequestOptions) => Promise<any>

/** A request whose cost is measured. */
export interface Case {
  readonly route: Route
  /** The difference from the other cases of the route. */
  readonly as?: string
  /** The maximum number of sequential platform calls, without those of the acquirer. */
  readonly most_waits?: number
  /** Creates the records that the request needs, and returns the request. */
  readonly request: (send: Send) => Promise<CaseRequest>
}

/** The parts of a request that its route does not state. */
export interface CaseRequest extends RequestOptions {
  readonly id?: string
  /** The ids of a path with several placeholders. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
}

const SHOW = 2
const LIST = 6
const CREATE_PAYMENT = 4
/** An embedded record is read after the record that embeds it. */
const EMBEDDED = 1
const WEEK_SECONDS = 7 * 86_400

const charge = { amount: 1000, currency: 'JPY', payment_details: card() }
const hold = { ...charge, capture: false }
const cash = { ...charge, payment_details: konbini }
const person = { email: 'taro@example.com', payment_details: card() }
const transfer = {
  amount: 1000,
  customer_name: 'Taro',
  bank_name: 'Mizuho',
  branch_number: '001',
  account_type: 'normal',
  account_number: '1234567',
}
const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } })

const made = async (send: Send, route: Route, json: object): Promise<string> => (await send(route, { json })).id
const aPayment = (send: Send, json: object = charge) => made(send, 'POST /payments', json)
const aCustomer = (send: Send) => made(send, 'POST /customers', person)
const aPlan = async (send: Send) => ({
  customer: await aCustomer(send),
  amount: '1000.00',
  currency: 'JPY',
  period: 'monthly',
})
const aSubscription = async (send: Send) => made(send, 'POST /subscriptions', await aPlan(send))
const aToken = (send: Send) => made(send, 'POST /tokens', { payment_details: card() })

const aSession = (send: Send, json: object = { amount: 1000, currency: 'JPY' }) => made(send, 'POST /sessions', json)
const secured = { amount: 1000, currency: 'JPY', return_url: 'https://shop.example.com', payment_details: card() }
const anAccount = () => ({ name: randomUUID(), default_currency: 'JPY', time_zone: 'Asia/Tokyo' })
const aShop = (send: Send) => made(send, 'POST /accounts', anAccount())

const hook = { url: 'https://shop.example.com/hook', event_list: ['ping'] }
const aWebhook = (send: Send) => made(send, 'POST /webhooks', { ...hook, secret_token: 'secret' })
/** Creates a webhook with one attempt of its ping, and returns the delivery of the ping. */
const aDelivery = async (send: Send): Promise<{ id: string; webhook: string }> => {
  const webhook = await aWebhook(send)
  await send('POST /_local/clock', { json: { advance: 0 } })
  return (await send(`GET /deliveries?webhook=${webhook}`)).data[0]
}

const paidBy = {
  'a card': async () => charge,
  'a token': async (send: Send) => ({ ...charge, payment_details: await aToken(send) }),
  'a customer': async (send: Send) => ({ amount: 1000, currency: 'JPY', customer: await aCustomer(send) }),
}

const create_payment: readonly Case[] = Object.entries(paidBy).flatMap(([as, body]) => [
  {
    route: 'POST /payments',
    as,
    most_waits: CREATE_PAYMENT,
    request: async (send: Send) => ({ json: await body(send) }),
  },
  {
    route: 'POST /payments',
    as: `${as}, Idempotency-Key`,
    most_waits: CREATE_PAYMENT,
    request: async (send: Send) => ({ json: await body(send), ...keyed() }),
  },
])

const paper = () => partsWith(['paper', documentOf(100_000), 'paper.pdf'])
const aFile = async (send: Send): Promise<string> => (await send('POST /files', { parts: paper() })).id

/** The requests that cover most of the service, in the order of the route table. */
export const cases: readonly Case[] = [
  { route: 'POST /tokens', request: async () => ({ json: { payment_details: card() } }) },
  { route: 'GET /customers', most_waits: LIST, request: async () => ({}) },
  { route: 'GET /customers/:id', most_waits: SHOW, request: async (send) => ({ id: await aCustomer(send) }) },
  { route: 'POST /customers', request: async () => ({ json: person }) },
  {
    route: 'POST /customers',
    as: 'a token',
    request: async (send) => ({ json: { payment_details: await aToken(send) } }),
  },
  {
    route: 'PATCH /customers/:id',
    request: async (send) => ({ id: await aCustomer(send), json: { email: 'jiro@example.com' } }),
  },
  { route: 'DELETE /customers/:id', request: async (send) => ({ id: await aCustomer(send) }) },
  { route: 'GET /payments', most_waits: LIST, request: async () => ({}) },
  { route: 'GET /payments', as: 'page 10', most_waits: LIST, request: async () => ({ query: '?page=10' }) },
  { route: 'GET /payments', as: 'one status', most_waits: LIST, request: async () => ({ query: '?status=captured' }) },
  { route: 'GET /payments/:id', most_waits: SHOW, request: async (send) => ({ id: await aPayment(send) }) },
  ...create_payment,
  {
    route: 'POST /payments',
    as: 'a konbini',
    most_waits: CREATE_PAYMENT,
    request: async () => ({ json: cash }),
  },
  {
    route: 'PATCH /payments/:id',
    request: async (send) => ({ id: await aPayment(send), json: { description: 'new' } }),
  },
  { route: 'POST /payments/:id/capture', request: async (send) => ({ id: await aPayment(send, hold) }) },
  { route: 'POST /payments/:id/refund', request: async (send) => ({ id: await aPayment(send), json: { amount: 1 } }) },
  {
    route: 'POST /payments/:id/refund',
    as: 'Idempotency-Key',
    request: async (send) => ({ id: await aPayment(send), json: { amount: 1 }, ...keyed() }),
  },
  {
    route: 'POST /payments/:id/refund_request',
    async request(send) {
      const id = await aPayment(send, cash)
      await send(`POST /_local/payments/${id}/pay`)
      return { id, json: transfer }
    },
  },
  { route: 'POST /payments/:id/cancel', request: async (send) => ({ id: await aPayment(send, hold) }) },
  { route: 'POST /sessions', request: async () => ({ json: { amount: 1000, currency: 'JPY' } }) },
  { route: 'GET /sessions/:id', most_waits: SHOW, request: async (send) => ({ id: await aSession(send) }) },
  {
    route: 'GET /sessions/:id',
    as: 'its payment',
    most_waits: SHOW + EMBEDDED,
    async request(send) {
      const id = await aSession(send)
      await send(`POST /sessions/${id}/pay`, { json: { payment_details: card() } })
      return { id }
    },
  },
  {
    route: 'POST /sessions/:id/pay',
    as: 'a card',
    most_waits: CREATE_PAYMENT,
    request: async (send) => ({ id: await aSession(send), json: { payment_details: card() } }),
  },
  {
    route: 'POST /sessions/:id/pay',
    as: 'a card, Idempotency-Key',
    most_waits: CREATE_PAYMENT,
    request: async (send) => ({ id: await aSession(send), json: { payment_details: card() }, ...keyed() }),
  },
  {
    route: 'POST /sessions/:id/pay',
    as: 'instead of a wallet',
    most_waits: CREATE_PAYMENT + EMBEDDED,
    async request(send) {
      const id = await aSession(send)
      await send(`POST /sessions/${id}/pay`, { json: { payment_details: { type: 'paypay' } } })
      return { id, json: { payment_details: card() } }
    },
  },
  {
    route: 'POST /sessions/:id/pay',
    as: 'mode customer',
    request: async (send) => ({ id: await aSession(send, { mode: 'customer' }), json: { payment_details: card() } }),
  },
  { route: 'POST /sessions/:id/cancel', request: async (send) => ({ id: await aSession(send) }) },
  { route: 'POST /secure_tokens', request: async () => ({ json: secured }) },
  {
    route: 'GET /secure_tokens/:id',
    most_waits: SHOW,
    request: async (send) => ({ id: await made(send, 'POST /secure_tokens', secured) }),
  },
  { route: 'GET /payment_methods', request: async () => ({}) },
  { route: 'GET /subscriptions', most_waits: LIST + EMBEDDED, request: async () => ({}) },
  {
    route: 'GET /subscriptions/:id',
    most_waits: SHOW + EMBEDDED,
    request: async (send) => ({ id: await aSubscription(send) }),
  },
  {
    route: 'POST /subscriptions',
    most_waits: CREATE_PAYMENT,
    request: async (send) => ({ json: await aPlan(send) }),
  },
  {
    route: 'POST /subscriptions',
    as: 'Idempotency-Key',
    most_waits: CREATE_PAYMENT,
    request: async (send) => ({ json: await aPlan(send), ...keyed() }),
  },
  {
    route: 'POST /subscriptions',
    as: 'an amount of 0',
    request: async (send) => ({ json: { ...(await aPlan(send)), amount: 0 } }),
  },
  { route: 'DELETE /subscriptions/:id', request: async (send) => ({ id: await aSubscription(send) }) },
  {
    route: 'DELETE /customers/:id',
    as: 'a subscription',
    async request(send) {
      const plan = await aPlan(send)
      await made(send, 'POST /subscriptions', plan)
      return { id: plan.customer }
    },
  },
  { route: 'GET /events', most_waits: LIST, request: async () => ({}) },
  {
    route: 'GET /events/:id',
    most_waits: SHOW,
    request: async (send) => ({ id: (await send('GET /events')).data[0].id }),
  },
  { route: 'POST /accounts', request: async () => ({ json: anAccount() }) },
  { route: 'GET /accounts/:id', most_waits: SHOW, request: async (send) => ({ id: await aShop(send) }) },
  {
    route: 'PATCH /accounts/:id',
    request: async (send) => ({ id: await aShop(send), json: { default_currency: 'USD' } }),
  },
  {
    route: 'POST /accounts/:id/keys',
    request: async (send) => ({ id: await aShop(send), json: { kind: 'secret' } }),
  },
  { route: 'POST /live_application/site_information', request: async () => ({ json: { site_name: 'Shop' } }) },
  { route: 'GET /live_application/site_information', most_waits: SHOW, request: async () => ({}) },
  {
    route: 'PATCH /live_application/site_information',
    request: async () => ({ json: { site_name: 'Another shop' } }),
  },
  { route: 'GET /live_application', most_waits: SHOW, request: async () => ({}) },
  { route: 'GET /webhooks', most_waits: LIST, request: async () => ({}) },
  { route: 'POST /webhooks', request: async () => ({ json: hook }) },
  { route: 'POST /webhooks', as: 'a secret', request: async () => ({ json: { ...hook, secret_token: 'secret' } }) },
  { route: 'GET /webhooks/:id', most_waits: SHOW, request: async (send) => ({ id: await aWebhook(send) }) },
  {
    route: 'PATCH /webhooks/:id',
    request: async (send) => ({ id: await aWebhook(send), json: { active: false } }),
  },
  { route: 'DELETE /webhooks/:id', request: async (send) => ({ id: await aWebhook(send) }) },
  { route: 'POST /webhooks/:id/ping', request: async (send) => ({ id: await aWebhook(send) }) },
  {
    route: 'POST /webhooks/:id/rotate',
    request: async (send) => ({ id: await aWebhook(send), json: { secret_token: 'another' } }),
  },
  {
    route: 'POST /webhooks/:id/recover',
    request: async (send) => ({ id: await aWebhook(send), json: { since: '2020-01-01T00:00:00Z' } }),
  },
  {
    route: 'GET /deliveries',
    most_waits: LIST,
    async request(send) {
      for (let made = 0; made < 10; made++) await aDelivery(send)
      return {}
    },
  },
  {
    route: 'GET /deliveries',
    as: 'one webhook',
    most_waits: LIST,
    request: async (send) => ({ query: `?webhook=${(await aDelivery(send)).webhook}` }),
  },
  { route: 'GET /deliveries/:id', request: async (send) => ({ id: (await aDelivery(send)).id }) },
  { route: 'POST /deliveries/:id/redeliver', request: async (send) => ({ id: (await aDelivery(send)).id }) },
  { route: 'POST /files', request: async () => ({ parts: paper() }) },
  { route: 'POST /files', as: 'Idempotency-Key', request: async () => ({ parts: paper(), ...keyed() }) },
  { route: 'GET /files/:id', most_waits: SHOW, request: async (send) => ({ id: await aFile(send) }) },
  { route: 'GET /files/:id/content', most_waits: SHOW, request: async (send) => ({ id: await aFile(send) }) },
  {
    route: 'GET /settlements',
    most_waits: LIST,
    async request(send) {
      await aPayment(send)
      await send('POST /_local/clock', { json: { advance: WEEK_SECONDS } })
      return {}
    },
  },
  {
    route: 'GET /settlements/:id',
    most_waits: SHOW,
    request: async (send) => ({ id: (await send('GET /settlements')).data[0].id }),
  },
]
