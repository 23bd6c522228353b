import { randomUUID } from 'node:crypto'
import { type Params, type Route, servedRoutes } from '#shared/routes.ts'
import { type Api, card, konbini, type RequestOptions } from './api.ts'
import { wholeApplication } from './whole-application.ts'

/** What a request carries: the body of a write, the parameters of a GET. */
export type Content = Readonly<Record<string, unknown>>

/** Sends a valid request as one merchant and answers the body. Throws unless it was answered with 200. */
// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
export type Ask = (route: string, content?: Content) => Promise<any>

/** A valid request for one row of the route table. */
export interface RouteRequest<R extends Route = Route> {
  /** Makes what the path names and answers its ids; a row whose path has colons needs it. */
  readonly params?: (ask: Ask) => Promise<Params<R>>
  /** Contents that are all answered with 200. Of a list, each finds something among what all the others have made. */
  readonly contents?: readonly Content[]
  /** Its status, where that is not 200. */
  readonly status?: 302
  /** It takes a file, so that no content can be sent in any other way: it has tests of its own. */
  readonly takes_file?: true
  /** The parameters that name something else of the merchant's. */
  readonly refers?: Readonly<Record<string, Thing>>
}

export type Thing = keyof typeof things

const names = { family_name: '山田', family_name_kana: 'ヤマダ', given_name: '太郎', given_name_kana: 'タロウ' }
const email = 'hanako@example.com'
const phone = '0312345678'

/** Payment details of every kind of type. */
export const details_of_types = [
  { ...card(), email, family_name: '山田', given_name: '太郎' },
  { ...konbini, expiry_days: 14 },
  { type: 'pay_easy', email, phone, ...names },
  { type: 'bank_transfer', email, phone, expiry_days: 3, ...names },
  { type: 'net_cash', email, prepaid_number: '1234567890123456' },
  { type: 'paysafe_cash', email },
  { type: 'japan_mobile', email, brand: 'docomo' },
  { type: 'retailer_account', user_no: 'u-17', user_password: 'secret' },
  { type: 'paypay' },
] as const

const notes = { description: 'Ein Kännchen, 二つ', external_order_num: 'order-7', metadata: { a: 'x', b: 12, c: true } }

const payment = {
  amount: 1000,
  tax: 10,
  currency: 'JPY',
  payment_details: card(),
  capture: true,
  ...notes,
  return_url: 'https://shop.example.com/done?a=1',
  locale: 'en',
  webhooks: [{ url: 'https://shop.example.com/hook', secret_key: 's', events: ['payment.captured', 'payment.failed'] }],
  fraud_details: { customer_ip: '203.0.113.7', customer_email: email, browser_language: 'ja' },
}

const order = { amount: 1000, currency: 'JPY' }

const session = {
  ...order,
  return_url: 'https://shop.example.com/done?a=1',
  default_locale: 'en',
  payment_types: ['credit_card', 'konbini', 'paypay'],
  email,
  line_items: [{ amount: 500, description: 'お茶', quantity: 2, image: 'https://shop.example.com/tea.png' }],
  metadata: notes.metadata,
  expires_in_seconds: 3_600,
  payment_data: { ...order, capture: 'auto', external_order_num: 'order-7', tax: 'auto', webhooks: payment.webhooks },
}

const secure_token = { ...order, return_url: 'https://shop.example.com/done', payment_details: card() }

const made = (route: Route, content: Content) => async (ask: Ask) => (await ask(route, content)).id as string

const webhook = {
  url: 'https://shop.example.com/hook?a=1',
  event_list: ['ping', 'payout.created'],
  active: true,
  secret_token: 'a secret',
}

/** Deletes all but the newest twenty webhooks, so that there is room for more. */
async function makeRoom(ask: Ask): Promise<void> {
  const { data } = await ask('GET /webhooks?per_page=20&page=2')
  for (const { id } of data) await ask(`DELETE /webhooks/${id}`)
}

async function makeWebhook(ask: Ask): Promise<string> {
  await makeRoom(ask)
  return (await ask('POST /webhooks', webhook)).id
}

/** The customer of the subscriptions below: the one that was made last, by whoever asks. */
let payer = ''

async function makePayer(ask: Ask): Promise<Record<never, string>> {
  payer = await things.customer(ask)
  return {}
}

const subscriptionOf = (fields: Content): Content => ({
  get customer() {
    return payer
  },
  ...fields,
})

const subscription = subscriptionOf({
  amount: '1000.00',
  currency: 'JPY',
  period: 'monthly',
  metadata: { a: 'x', b: 12 },
})

/** An account whose name nobody has, and is read past like an id. */
const accountOf = (): Content => ({
  name: `acc_${randomUUID().replaceAll('-', '').slice(0, 26)}`,
  default_currency: 'JPY',
  time_zone: 'Asia/Tokyo',
})

/** One record of the application with a text and what is none, which is begun before it is shown or changed. */
const beginning = (record: string, content: Content) => async (ask: Ask) => {
  await ask(`POST /live_application/${record}`, content)
  return {}
}

const site = { site_name: '山田商店', site_name_kana: '', site_annual_sales: '9007199254740993', aup_accepted: true }
const company = { corporation_type: 'corporation', company_name: '山田', establishment_date: '1999-12-31' }
const person = { representative_last_name: '山田', representative_dob: '1970-01-01' }
const bank = { transfer_type: 'domestic', zengin_account_type: 'ordinary' }
const hours = { open_time: '09:00', close_time: '18:30' }

/** One of each kind of thing that a merchant can have, by how it is made; each answers its id. */
export const things = {
  // First, since it turns the clock to the end of a week, once for each merchant.
  settlement: async (ask) => {
    const [before] = (await ask('GET /settlements')).data
    if (before) return before.id
    await things.captured_payment(ask)
    await ask('POST /_local/clock', { advance: 8 * 86_400 })
    return (await ask('GET /settlements')).data[0].id
  },
  customer: made('POST /customers', { payment_details: card(), email }),
  token: made('POST /tokens', { payment_details: card() }),
  held_payment: made('POST /payments', { ...payment, capture: false }),
  captured_payment: made('POST /payments', payment),
  session: made('POST /sessions', session),
  secure_token: made('POST /secure_tokens', secure_token),
  prepaid_payment: made('POST /payments', { ...payment, payment_details: details_of_types[4] }),
  subscription: async (ask) => {
    await makePayer(ask)
    return (await ask('POST /subscriptions', subscription)).id
  },
  event: async (ask) => {
    await things.customer(ask)
    return (await ask('GET /events')).data[0].id
  },
  account: async (ask) => (await ask('POST /accounts', accountOf())).id,
  webhook: makeWebhook,
  file: made('POST /files', { paper: '%PDF-1.7\n%%EOF\n' }),
  delivery: async (ask) => {
    const id = await makeWebhook(ask)
    await ask('POST /_local/clock', { advance: 0 })
    return (await ask(`GET /deliveries?webhook=${id}`)).data[0].id
  },
} as const satisfies Record<string, (ask: Ask) => Promise<string>>

const one = (thing: Thing) => async (ask: Ask) => ({ id: await things[thing](ask) })

const accountKey = async (ask: Ask) => {
  const id = await things.account(ask)
  return { id, key: (await ask(`POST /accounts/${id}/keys`, { kind: 'secret' })).id }
}

/** Sends all that an application needs. */
const completed = async (ask: Ask) => {
  const records = wholeApplication(await things.file(ask))
  for (const [record, content] of Object.entries(records)) await ask(`POST /live_application/${record}`, content)
  return {}
}

const times = { start_time: '2020-01-01T00:00:00Z', end_time: '2040-01-01T09:00:00+09:00' }

/** A valid request for each served row. A row that is served must have one here, or the tests of all rows fail. */
export const route_requests: { readonly [R in Route]?: RouteRequest<R> } = {
  'POST /tokens': { contents: details_of_types.map((payment_details) => ({ payment_details, currency: 'JPY' })) },

  'GET /customers': { contents: [{}, { email, ...times, page: 1, per_page: 5 }] },
  'GET /customers/:id': { params: one('customer') },
  'POST /customers': {
    contents: details_of_types.map((payment_details) => ({
      payment_details,
      currency: 'JPY',
      email,
      metadata: { a: 'x', b: 12 },
    })),
    refers: { payment_details: 'token' },
  },
  'PATCH /customers/:id': {
    params: one('customer'),
    contents: [{ payment_details: card(), email, currency: 'USD', metadata: { a: 'x', b: 12 } }, { email }],
    refers: { payment_details: 'token' },
  },
  'DELETE /customers/:id': { params: one('customer') },

  'GET /payments': {
    contents: [{}, { status: 'captured,authorized', currency: 'JPY', external_order_num: 'order-7', ...times }],
    refers: { customer: 'customer' },
  },
  'GET /payments/:id': { params: one('captured_payment') },
  'POST /payments': {
    contents: details_of_types.map((payment_details) => ({ ...payment, payment_details })),
    refers: { payment_details: 'token', customer: 'customer' },
  },
  'PATCH /payments/:id': { params: one('captured_payment'), contents: [notes, { description: 'only this' }] },
  'POST /payments/:id/capture': { params: one('held_payment'), contents: [{ amount: 800, tax: 'auto' }, {}] },
  'POST /payments/:id/refund': { params: one('captured_payment'), contents: [{ amount: 1, description: 'sorry' }, {}] },
  'POST /payments/:id/refund_request': {
    params: one('prepaid_payment'),
    contents: [
      {
        amount: 500,
        customer_name: '山田太郎',
        bank_name: 'Mizuho',
        bank_code: '0001',
        branch_name: 'Main',
        branch_number: '001',
        account_type: 'normal',
        account_number: '1234567',
        include_payment_method_fee: true,
        description: 'sorry',
      },
    ],
  },
  'POST /payments/:id/cancel': { params: one('held_payment') },

  'GET /sessions/:id': { params: one('session') },
  'POST /sessions': {
    contents: [
      session,
      { ...order, payment_types: ['konbini'] },
      { payment_data: { ...order, capture: 'manual', tax: 10 } },
      { mode: 'customer' },
    ],
  },
  'POST /sessions/:id/pay': {
    params: one('session'),
    contents: [card(), konbini, { type: 'paypay' }].map((payment_details) => ({ payment_details })),
    refers: { payment_details: 'token' },
  },
  'POST /sessions/:id/cancel': { params: one('session') },

  'POST /secure_tokens': {
    contents: [secure_token, { ...secure_token, amount: 0, payment_details: card('4100000000000100') }],
    refers: { payment_details: 'token', customer: 'customer' },
  },
  'GET /secure_tokens/:id': { params: one('secure_token') },

  'GET /payment_methods': {},

  'GET /subscriptions': {
    contents: [{}, { status: 'active,deleted', ...times, page: 1, per_page: 5 }],
    refers: { customer: 'customer' },
  },
  'GET /subscriptions/:id': { params: one('subscription') },
  'POST /subscriptions': {
    params: makePayer,
    contents: [subscription, subscriptionOf({ amount: 10.5, currency: 'USD', period: 'weekly' })],
    refers: { customer: 'customer' },
  },
  'DELETE /subscriptions/:id': { params: one('subscription') },

  'POST /files': { takes_file: true },
  'GET /files/:id': { params: one('file') },
  'GET /files/:id/content': { params: one('file'), status: 302 },

  'POST /accounts': {
    contents: [
      {
        ...accountOf(),
        get name() {
          return accountOf().name
        },
      },
    ],
  },
  'GET /accounts/:id': { params: one('account') },
  'PATCH /accounts/:id': {
    params: one('account'),
    contents: [{ default_currency: 'USD', time_zone: 'America/New_York' }],
  },
  'POST /accounts/:id/accept_service_agreement': {
    params: one('account'),
    contents: [
      { accepted_service_agreement_at: '2030-01-01T09:00:00+09:00', accepted_service_agreement_ip: '2001:db8::1' },
    ],
  },
  'POST /accounts/:id/keys': {
    params: one('account'),
    contents: [{ kind: 'secret' }, { kind: 'publishable', mode: 'test' }],
  },
  'POST /accounts/:id/keys/:key/roll': { params: accountKey, contents: [{ grace_seconds: 60 }, {}] },
  'DELETE /accounts/:id/keys/:key': { params: accountKey },

  'GET /live_application': {},
  'POST /live_application/submit': { params: completed, contents: [{}, { simulate_status: 'pending' }] },
  'POST /live_application/site_information': { contents: [site, {}] },
  'GET /live_application/site_information': { params: beginning('site_information', site) },
  'PATCH /live_application/site_information': { params: beginning('site_information', {}), contents: [site] },
  'POST /live_application/company_information': { contents: [company, {}] },
  'GET /live_application/company_information': { params: beginning('company_information', company) },
  'PATCH /live_application/company_information': {
    params: beginning('company_information', {}),
    contents: [company, { incorporation_certificates: [] }],
  },
  'POST /live_application/personal_information': { contents: [person, {}], refers: { identity_front: 'file' } },
  'GET /live_application/personal_information': { params: beginning('personal_information', person) },
  'PATCH /live_application/personal_information': {
    params: beginning('personal_information', {}),
    contents: [person],
    refers: { identity_back: 'file' },
  },
  'POST /live_application/bank_account_information': { contents: [bank, {}] },
  'GET /live_application/bank_account_information': { params: beginning('bank_account_information', bank) },
  'PATCH /live_application/bank_account_information': {
    params: beginning('bank_account_information', {}),
    contents: [bank],
  },
  'POST /live_application/payment_methods/credit_card': { contents: [{ has_processed_cc_before: 'true' }] },
  'PATCH /live_application/payment_methods/credit_card': {
    params: beginning('payment_methods/credit_card', {}),
    contents: [{ conducts_telemarketing: false }],
  },
  'POST /live_application/payment_methods/convenience_store': {
    contents: [{ ...hours, expected_number_of_payments: '100' }],
  },
  'PATCH /live_application/payment_methods/convenience_store': {
    params: beginning('payment_methods/convenience_store', {}),
    contents: [hours],
  },
  'POST /live_application/payment_methods/chain_store': { contents: [hours] },
  'PATCH /live_application/payment_methods/chain_store': {
    params: beginning('payment_methods/chain_store', {}),
    contents: [hours],
  },
  'POST /live_application/payment_methods/wallet': { contents: [{ accepted_wallet_tos: true }] },
  'PATCH /live_application/payment_methods/wallet': {
    params: beginning('payment_methods/wallet', {}),
    contents: [{ accepted_wallet_tos: 'false' }],
  },

  'GET /events': { contents: [{}, { type: 'payment.captured,customer.created', ...times }] },
  'GET /events/:id': { params: one('event') },

  'GET /settlements': { contents: [{}, { ...times, page: 1, per_page: 5 }] },
  'GET /settlements/:id': { params: one('settlement') },

  'GET /webhooks': { contents: [{}, { ...times, page: 1, per_page: 5 }] },
  'POST /webhooks': {
    params: async (ask) => {
      await makeRoom(ask)
      return {}
    },
    contents: [webhook, { url: webhook.url, event_list: 'payout.created', active: false }],
  },
  'GET /webhooks/:id': { params: one('webhook') },
  'PATCH /webhooks/:id': {
    params: one('webhook'),
    contents: [{ ...webhook, active: false, secret_token: 'another' }, { event_list: ['ping'] }],
  },
  'DELETE /webhooks/:id': { params: one('webhook') },
  'POST /webhooks/:id/ping': { params: one('webhook') },
  'POST /webhooks/:id/rotate': {
    params: one('webhook'),
    contents: [{ secret_token: 'another', grace_seconds: 3_600 }, { secret_token: 'another' }],
  },
  'POST /webhooks/:id/recover': { params: one('webhook'), contents: [{ since: '2020-01-01T09:00:00+09:00' }] },

  'GET /deliveries': {
    contents: [{}, { status: 'pending,failed', ...times, page: 1, per_page: 5 }],
    refers: { webhook: 'webhook', payment: 'captured_payment', event: 'event' },
  },
  'GET /deliveries/:id': { params: one('delivery') },
  'POST /deliveries/:id/redeliver': { params: one('delivery') },
}

/** The rows that are served and take no file, each with its valid request. Throws for a row that has none. */
export function rowsWithRequests() {
  return servedRoutes().flatMap((row) => {
    const request = route_requests[row.route] as RouteRequest | undefined
    if (!request) throw new Error(`${row.route} has no valid request in test/support/route-requests.ts`)
    return request.takes_file ? [] : { ...row, status: 200, ...request, contents: request.contents ?? [{}] }
  })
}

/** The same, but of the records of an application, which share their behaviours, the first alone. */
export const rowsUnlike = () =>
  rowsWithRequests().filter(({ path }) => !/^\/live_application\/(company|personal|bank|payment_methods)/.test(path))

export type Row = ReturnType<typeof rowsWithRequests>[number]

/** The row's path, with ids of what `ask` has made for it. */
export const readyPath = async (row: Row, ask: Ask): Promise<string> =>
  pathWith(row.path, row.params ? await row.params(ask) : {})

/** The path with ids for the names behind its colons. */
export const pathWith = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name) => ids[name] ?? '')

/** How a content is sent: as JSON, but for one that is a file. */
export function asSent(content: Content | undefined): RequestOptions {
  if (typeof content?.paper !== 'string') return { json: content }
  const parts = new FormData()
  parts.append('paper', new Blob([content.paper]), '証明書.pdf')
  return { parts }
}

/** Asks as the merchant of a key. */
export function askAs(api: Api, key = api.test.secret_key): Ask {
  return async (route, content) => {
    const { status, body } = await api.request(route, { key, ...asSent(content) })
    if (status !== 200) throw new Error(`${route} was answered with ${status} ${body.error?.code}`)
    return body
  }
}
