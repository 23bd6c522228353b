import { randomUUID } from 'node:crypto'
import { RETURN_URL, see, submit, typed_card } from '#test/browser/browsing.ts'
import { card, konbini, type Reply, type RequestOptions, type Service } from '#test/fixtures/api.ts'
import { asSent, type Content } from '#test/fixtures/route-requests.ts'

/** A request with the statuses of its first and last response, and the number of times it was sent. */
export interface Sent {
  readonly route: string
  readonly first: number
  readonly last: number
  readonly tries: number
}

/** How often a client sends a request at most. */
const TRIES_MAX = 5

/**
 * A client that repeats a request with the same idempotency key after a 5xx or a conflict. It throws if the last
 * response does not have the expected status. A repeated DELETE may also get 404, because its first try may have
 * deleted the record.
 */
export class Client {
  readonly sent: Sent[] = []
  readonly #service: Service
  readonly #key: string
  readonly #wait: () => Promise<unknown>

  /** `wait` advances the clock past the lease of an idempotency key. */
  constructor(service: Service, key: string, wait: () => Promise<unknown> = async () => {}) {
    this.#service = service
    this.#key = key
    this.#wait = wait
  }

  // biome-ignore lint/suspicious/noExplicitAny: each response has its own format
  async ask(route: string, content?: Content, expected = 200): Promise<any> {
    const headers = /^(POST|PATCH) /.test(route) ? { 'idempotency-key': randomUUID() } : undefined
    const options: RequestOptions = { key: this.#key, ...asSent(content), headers, redirect: 'manual' }
    const { body } = await this.#until(route, expected, () => this.#service.request(route, options))
    return body
  }

  /** Opens a page, or submits its form. */
  async page(url: string, form?: Readonly<Record<string, string>>): Promise<{ readonly location: string | null }> {
    return this.#until('page', form ? 303 : 200, () => (form ? submit(url, form) : see(url)))
  }

  async #until<R extends Pick<Reply, 'status'>>(route: string, expected: number, send: () => Promise<R>): Promise<R> {
    let reply = await send()
    const first = reply.status
    let tries = 1
    while ((reply.status >= 500 || reply.status === 409) && tries < TRIES_MAX) {
      if ((reply as Partial<Reply>).text?.includes('idempotency_in_flight')) await this.#wait()
      reply = await send()
      tries += 1
    }
    this.sent.push({ route, first, last: reply.status, tries })
    // A DELETE has no key, so its repetition finds no record if the first try was done.
    const is_deleted = /^DELETE /.test(route) && first >= 500 && reply.status === 404
    if (reply.status === expected || is_deleted) return reply
    throw new Error(`${route} was answered with ${reply.status} ${JSON.stringify(reply)}, after ${tries} tries`)
  }
}

const order = { amount: 1000, currency: 'JPY' }

/** Returns the body of a payment with an order number of its own. */
const purchase = (more: Content) => ({ ...order, external_order_num: randomUUID(), ...more })

/** What merchants and customers do, one request after the other. */
const journeys: readonly ((client: Client) => Promise<unknown>)[] = [
  async function refunds(client) {
    const { id } = await client.ask('POST /payments', purchase({ payment_details: card() }))
    await client.ask(`PATCH /payments/${id}`, { description: 'Tea', metadata: { a: 1 } })
    await client.ask(`POST /payments/${id}/refund`, { amount: 1 })
    await client.ask(`POST /payments/${id}/refund`)
    const { status, amount_refunded } = await client.ask(`GET /payments/${id}`)
    if (status !== 'refunded' || amount_refunded !== 1000) throw new Error(`${id} is ${status} with ${amount_refunded}`)
  },

  async function captures(client) {
    const { id } = await client.ask('POST /payments', purchase({ payment_details: card(), capture: false }))
    await client.ask(`POST /payments/${id}/capture`, { amount: 800 })
    const other = await client.ask('POST /payments', purchase({ payment_details: card(), capture: false }))
    await client.ask(`POST /payments/${other.id}/cancel`)
    await client.ask('GET /payments?per_page=5')
  },

  async function declines(client) {
    await client.ask('POST /payments', purchase({ payment_details: card('4123111111111000') }), 402)
    const { id } = await client.ask('POST /payments', purchase({ payment_details: konbini }))
    await client.ask(`POST /payments/${id}/cancel`)
  },

  async function customers(client) {
    const { id: token } = await client.ask('POST /tokens', { payment_details: card() })
    const { id } = await client.ask('POST /customers', { payment_details: token, email: `${randomUUID()}@example.com` })
    await client.ask('POST /payments', purchase({ customer: id }))
    await client.ask(`PATCH /customers/${id}`, { payment_details: card(), metadata: { b: '2' } })
    await client.ask('GET /customers?per_page=5')
    await client.ask(`DELETE /customers/${id}`)
  },

  async function subscriptions(client) {
    const { id: customer } = await client.ask('POST /customers', { payment_details: card() })
    const { id } = await client.ask('POST /subscriptions', {
      customer,
      amount: '1000',
      currency: 'JPY',
      period: 'weekly',
    })
    await client.ask(`GET /subscriptions/${id}`)
    await client.ask('GET /subscriptions?per_page=5')
    const ended = await client.ask('POST /subscriptions', {
      customer,
      amount: '7',
      currency: 'JPY',
      period: 'yearly',
    })
    await client.ask(`DELETE /subscriptions/${ended.id}`)
  },

  async function sessions(client) {
    const { id, session_url } = await client.ask('POST /sessions', { ...order, return_url: RETURN_URL })
    await client.page(session_url)
    await client.page(session_url, typed_card)
    const { status } = await client.ask(`GET /sessions/${id}`)
    if (status !== 'completed') throw new Error(`session ${id} is ${status}`)
    const other = await client.ask('POST /sessions', order)
    await client.ask(`POST /sessions/${other.id}/pay`, { payment_details: card() })
    const third = await client.ask('POST /sessions', order)
    await client.ask(`POST /sessions/${third.id}/cancel`)
  },

  async function secureTokens(client) {
    const details = { ...order, return_url: RETURN_URL, payment_details: card('4100000000000100') }
    const { id, authentication_url } = await client.ask('POST /secure_tokens', details)
    await client.page(authentication_url)
    await client.page(authentication_url, { decision: 'authenticate' })
    await client.ask(`GET /secure_tokens/${id}`)
    await client.ask('POST /payments', purchase({ payment_details: id }))
  },

  async function webhooks(client) {
    const fields = { url: 'https://shop.example.com/hook', event_list: ['payout.created'], secret_token: 's' }
    const { id } = await client.ask('POST /webhooks', fields)
    await client.ask(`PATCH /webhooks/${id}`, { active: false })
    await client.ask(`POST /webhooks/${id}/rotate`, { secret_token: 'another' })
    await client.ask(`GET /webhooks/${id}`)
    await client.ask('GET /events?per_page=5')
    await client.ask(`DELETE /webhooks/${id}`)
  },

  async function files(client) {
    const { id } = await client.ask('POST /files', { paper: '%PDF-1.7\n%%EOF\n' })
    await client.ask(`GET /files/${id}`)
    await client.ask(`GET /files/${id}/content`, undefined, 302)
    await client.ask('POST /live_application/personal_information', { identity_front: id })
    await client.ask('PATCH /live_application/personal_information', { representative_last_name: '山田' })
    await client.ask('GET /live_application')
  },

  async function accounts(client) {
    const { id } = await client.ask('POST /accounts', {
      ...{ name: randomUUID(), default_currency: 'JPY', time_zone: 'Asia/Tokyo' },
    })
    await client.ask(`PATCH /accounts/${id}`, { time_zone: 'Asia/Seoul' })
    const { id: key } = await client.ask(`POST /accounts/${id}/keys`, { kind: 'secret' })
    await client.ask(`DELETE /accounts/${id}/keys/${key}`)
  },
]

/** Two concurrent refunds of one payment. */
async function race(client: Client): Promise<void> {
  const { id } = await client.ask('POST /payments', purchase({ payment_details: card() }))
  await Promise.all([1, 2].map((amount) => client.ask(`POST /payments/${id}/refund`, { amount })))
  const { amount_refunded } = await client.ask(`GET /payments/${id}`)
  if (amount_refunded !== 3) throw new Error(`${amount_refunded} of ${id} was refunded`)
}

/** Returns the next journey: each in turn, and after every third round the race. */
function nextOf(begun: number): (client: Client) => Promise<unknown> {
  const [round, at] = [Math.floor(begun / (journeys.length + 1)), begun % (journeys.length + 1)]
  return journeys[at] ?? (round % 3 === 0 ? race : journeys[0]!)
}

/** Runs the journeys in turn, `at_once` in parallel, until `requests` were sent. Returns the errors. */
export async function travel(client: Client, requests: number, at_once: number): Promise<string[]> {
  const wrong: string[] = []
  let begun = 0
  const traveller = async () => {
    while (client.sent.length < requests)
      await nextOf(begun++)(client).catch((error: Error) => wrong.push(`${error.message}`))
  }
  await Promise.all(Array.from({ length: at_once }, traveller))
  return wrong
}
