import { basename } from 'node:path'
import { event_types } from '#shared/domain/event.ts'
import type { Item } from '#shared/platform/ports.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { merchantKey } from '#shared/store/keys.ts'
import { openSession, RETURN_URL, see, submit, typed_card } from '#test/browser/browsing.ts'
import { foretell } from '#test/faults/witness.ts'
import { type Api, card, konbini, type RequestOptions } from '#test/fixtures/api.ts'
import {
  type Ask,
  askAs,
  asSent,
  pathWith,
  type Row,
  readyPath,
  rowsThatTakeFiles,
  rowsWithRequests,
  things,
} from '#test/fixtures/route-requests.ts'

/** A file that can be uploaded. */
const paper = { paper: '%PDF-1.7\n%%EOF\n' }

const HOUR = 3_600
const DAY = 24 * HOUR

/**
 * Uses the whole service: every endpoint with its example requests, the pages, and all work that falls due in a month.
 * The other flows lead an endpoint into a state that no example request reaches.
 */
export async function useEverything(api: Api): Promise<void> {
  const ask = askAs(api)
  await useEveryRow(api, ask)
  await api.request('GET /nowhere')
  await useTokens(api, ask)
  await useChanges(api, ask)
  await useLogos(api, ask)
  await useSessions(api)
  await usePages(api)
  await useHardCases(api)
  await useWebhooks(api, ask)
  await useSubscriptions(api, ask)
  await useLongLists(api, ask)
}

const post = (api: Api, path: string, json: object, headers?: Record<string, string>) =>
  api.request(`POST ${path}`, { json, headers })

/**
 * Sends the example requests of every row, with and without an idempotency key. Each row is also called on behalf of a
 * merchant whose account the key has created.
 */
async function useEveryRow(api: Api, ask: Ask): Promise<void> {
  const { test_merchant } = await ask('POST /accounts', {
    ...{ name: 'Acted for', default_currency: 'JPY', time_zone: 'Asia/Tokyo' },
  })
  const acting = { authorization: `Basic ${btoa(`${api.test.secret_key}:${test_merchant}`)}` }
  for (const row of rowsWithRequests()) {
    for (const content of row.contents) await useRow(api, row, ask, content)
    for (const [name, thing] of Object.entries(row.refers ?? {}))
      await useRow(api, row, ask, { ...row.contents[0], [name]: await things[thing](ask) })
    const headers = { ...acting, 'idempotency-key': row.route }
    await api.request(`${row.method} ${pathWith(row.path, { id: 'pay_0', key: 'key_0' })}`, { headers })
    await useRow(api, row, ask, row.contents[0], { headers: { 'idempotency-key': `example ${row.route}` } })
  }
  for (const { route } of rowsThatTakeFiles()) {
    const { parts } = asSent(paper)
    await api.request(route, { parts, headers: { 'idempotency-key': route } })
    await api.request(route, { parts, headers: acting })
  }
}

async function useRow(api: Api, row: Row, ask: Ask, content?: Row['contents'][number], options?: RequestOptions) {
  const path = await readyPath(row, ask)
  const query = row.method === 'GET' && content ? `?${new URLSearchParams(content as Record<string, string>)}` : ''
  const sent = row.method === 'GET' ? {} : asSent(content)
  await api.request(`${row.method} ${path}${query}`, { ...options, ...sent, redirect: 'manual' })
}

/** Uses tokens and secure tokens for everything that they can be used for, once each. */
async function useTokens(api: Api, ask: Ask): Promise<void> {
  const token = async () => (await ask('POST /tokens', { payment_details: card() })).id as string
  const secure = async () => {
    const order = { amount: 1000, currency: 'JPY', return_url: RETURN_URL, payment_details: await token() }
    const { id, authentication_url } = await ask('POST /secure_tokens', order)
    await see(authentication_url)
    return id as string
  }
  const secureOfCustomer = async () => {
    const order = { amount: 1000, currency: 'JPY', return_url: RETURN_URL, customer: await things.customer(ask) }
    const { id, authentication_url } = await ask('POST /secure_tokens', order)
    await see(authentication_url)
    return id as string
  }
  const customer = await things.customer(ask)
  for (const make of [token, secure, secureOfCustomer]) {
    const order = { amount: 1000, currency: 'JPY' }
    await ask('POST /payments', { ...order, payment_details: await make() })
    await ask('POST /customers', { payment_details: await make() })
    await ask(`PATCH /customers/${customer}`, { payment_details: await make() })
    const session = await openSession(api)
    await post(api, `/sessions/${session.id}/pay`, { payment_details: await make() })
    const storing = await ask('POST /sessions', { mode: 'customer', return_url: RETURN_URL })
    await post(api, `/sessions/${storing.id}/pay`, { payment_details: await make() })
  }
  const order = { amount: 1000, currency: 'JPY', return_url: RETURN_URL }
  await ask('POST /secure_tokens', { ...order, customer })
  for (const make of [secure, secureOfCustomer])
    await ask('POST /secure_tokens', { ...order, payment_details: await make() })
  await api.request(`PATCH /customers/${customer}`, { json: { payment_details: null } })
}

/** Makes changes that move a record to another list, sends files with onboarding records, and lets an upload fail. */
async function useChanges(api: Api, ask: Ask): Promise<void> {
  await ask(`PATCH /payments/${await things.captured_payment(ask)}`, { external_order_num: 'another' })
  await ask(`PATCH /customers/${await things.customer(ask)}`, { email: 'another@example.com' })
  const file = await things.file(ask)
  await ask('PATCH /live_application/company_information', { incorporation_certificates: [file] })
  await ask('POST /live_application/payment_methods/credit_card', { pci_compliance_proofs: [file] })
  await ask('PATCH /live_application/payment_methods/credit_card', { pci_compliance_proofs: [file] })
  const { bucket } = api.platform
  const put = bucket.put
  bucket.put = () => Promise.reject(new PlatformUnavailable('cut off'))
  await api.request('POST /files', asSent(paper))
  bucket.put = put
  await api.advance(HOUR)
}

/** Pays sessions, replaces a pending payment by another one, and cancels sessions in each state. */
async function useSessions(api: Api): Promise<void> {
  for (const payment_details of [card('4123111111111000'), konbini, { type: 'paypay' }, card('4100000000000100')]) {
    const { id } = await openSession(api)
    await post(api, `/sessions/${id}/pay`, { payment_details })
    await post(api, `/sessions/${id}/pay`, { payment_details: card() })
  }
  await useStoredCards(api)
  for (const payment_details of [undefined, { type: 'paypay' }]) {
    for (const cancel of ['api', 'page']) {
      const session = await openSession(api)
      if (payment_details) await post(api, `/sessions/${session.id}/pay`, { payment_details })
      await api.request(`GET /sessions/${session.id}`)
      if (cancel === 'page') await submit(`${session.session_url}/cancel`, {})
      else await api.request(`POST /sessions/${session.id}/cancel`)
    }
  }
}

/** Pays sessions with the stored card of their customer, by the API and on the page, also when an outcome is unknown. */
async function useStoredCards(api: Api): Promise<void> {
  const customer = await things.customer(askAs(api))
  for (const scenario of ['timeout_before_charge', 'timeout_after_charge']) {
    const { id } = await openSession(api, { customer })
    const again = { 'idempotency-key': `stored card ${scenario}` }
    await post(api, `/sessions/${id}/pay`, { customer }, { 'x-service-scenario': scenario, ...again })
    await post(api, `/sessions/${id}/pay`, { customer }, again)
  }
  const { session_url } = await openSession(api, { customer })
  await see(session_url)
  await submit(session_url, { type: 'stored_card' })
}

/** Gives accounts of every owner a logo, sends one logo again after another, and loads it. */
async function useLogos(api: Api, ask: Ask): Promise<void> {
  const [file, other] = [await things.file(ask), await things.file(ask)]
  const [row] = await api.platform.table.get([merchantKey(api.test.id)])
  const own = String(row!.account)
  for (const account of [own, await things.account(ask)])
    for (const logo of [file, other, file, null]) await ask(`PATCH /accounts/${account}`, { logo })
  await ask(`GET /accounts/${own}`)
  await see(`${api.url}/logos/${own}/${file}`)
}

/** Opens and submits every page, and loads a picture, as customers do. Reads the documentation, as developers do. */
async function usePages(api: Api): Promise<void> {
  for (const path of ['/payment_methods/konbini.svg', '/docs/events', '/docs/search?q=refund', '/api/v1/openapi.json'])
    await see(api.url + path)
  const payments = [
    typed_card,
    { ...typed_card, number: '4100000000000100' },
    { ...konbini, name: 'TARO' },
    { type: 'paypay' },
  ]
  for (const form of payments) {
    const { id, session_url } = await openSession(api)
    await see(session_url)
    await submit(session_url, form as Record<string, string>)
    await see(session_url)
    const { payment } = (await api.request(`GET /sessions/${id}`)).body
    const { redirect_url, instructions_url } = payment?.payment_details ?? {}
    if (redirect_url) await useOffSite(redirect_url)
    if (instructions_url) await useInstructions(instructions_url)
  }
  await fetch(`${api.url}/notifications/stripe`, { method: 'POST', body: '{}' })
  for (const first of [{ type: 'paypay' }, { ...typed_card, number: '4123111111111000' }]) {
    const { session_url } = await openSession(api)
    await submit(session_url, first as Record<string, string>)
    await submit(session_url, typed_card)
  }
  const storing = (await api.request('POST /sessions', { json: { mode: 'customer', return_url: RETURN_URL } })).body
  await submit(storing.session_url, typed_card)
  const order = { amount: 1000, currency: 'JPY', return_url: RETURN_URL, payment_details: card('4100000000000100') }
  const { authentication_url } = (await post(api, '/secure_tokens', order)).body
  await see(authentication_url)
  await submit(authentication_url, { decision: 'authenticate' })
}

async function useOffSite(url: string): Promise<void> {
  await see(url)
  await see(url.replace('/off_site/', '/return/'))
  await submit(url, { decision: 'approve' })
  await submit(url, { decision: 'authenticate' })
}

async function useInstructions(url: string): Promise<void> {
  await see(url)
  await see(`${url}/calendar`)
  await submit(url, {})
}

/** Makes the acquirer time out or report duplicates. Then the client retries, and the inquiries fall due. */
async function useHardCases(api: Api): Promise<void> {
  const ask = askAs(api)
  const held = { amount: 1000, currency: 'JPY', payment_details: card(), capture: false }
  for (const scenario of ['timeout_before_charge', 'timeout_after_charge', 'duplicate_answer']) {
    const hard = { 'x-service-scenario': scenario }
    const customer = await things.customer(ask)
    const token = await things.token(ask)
    const requests: [path: string, json: object][] = [
      ['/payments', { ...held, capture: true }],
      ['/payments', { amount: 1000, currency: 'JPY', customer }],
      ['/payments', { amount: 1000, currency: 'JPY', payment_details: token }],
      [`/payments/${await things.held_payment(ask)}/capture`, {}],
      [`/payments/${await things.held_payment(ask)}/cancel`, {}],
      [`/payments/${await things.captured_payment(ask)}/refund`, { amount: 1 }],
      ['/subscriptions', { customer, amount: 1000, currency: 'JPY', period: 'monthly' }],
      [`/sessions/${(await openSession(api)).id}/pay`, { payment_details: card() }],
    ]
    for (const [path, json] of requests) {
      const again = { 'idempotency-key': `${scenario} ${path} ${JSON.stringify(json)}` }
      await post(api, path, json, { ...hard, ...again })
      await post(api, path, json, again)
      await post(api, path, json, hard)
    }
    const { id } = await openSession(api)
    await post(api, `/sessions/${id}/pay`, { payment_details: card() }, hard)
    await api.request(`POST /sessions/${id}/cancel`)
  }
  const secure = { amount: 1000, currency: 'JPY', return_url: RETURN_URL, payment_details: card() }
  const { id: secure_token, authentication_url } = await ask('POST /secure_tokens', secure)
  await see(authentication_url)
  for (const payment_details of [secure_token, await things.token(ask)])
    await post(api, '/payments', { ...held, payment_details }, { 'x-service-scenario': 'timeout_after_charge' })
  const id = await things.captured_payment(ask)
  await foretell(api, id, { result: 'approved' } as never)
  await post(api, `/payments/${id}/refund`, { amount: 1 })
  await post(
    api,
    `/payments/${await things.captured_payment(ask)}/refund`,
    {},
    { 'x-service-scenario': 'timeout_before_charge' },
  )
  await api.advance(2 * HOUR)
}

/** Lets deliveries fail, and repeats them by the retry schedule, by redelivery and by recovery. */
async function useWebhooks(api: Api, ask: Ask): Promise<void> {
  const { id } = await ask('POST /webhooks', { url: 'http://127.0.0.1:9/x', event_list: event_types, active: true })
  await ask('POST /payments', {
    ...{ amount: 1000, currency: 'JPY', payment_details: card() },
    webhooks: [{ url: 'http://127.0.0.1:9/own', secret_key: 's', events: ['payment.captured'] }],
  })
  await api.advance(10 * 60)
  const { data } = await ask('GET /deliveries?per_page=100')
  for (const delivery of data.slice(0, 20)) await ask(`POST /deliveries/${delivery.id}/redeliver`)
  const own = data.find(({ webhook }: { webhook: string | null }) => webhook === null)
  await ask(`POST /deliveries/${own.id}/redeliver`)
  await ask(`POST /webhooks/${id}/recover`, { since: '2020-01-01T09:00:00+09:00' })
  await ask(`PATCH /webhooks/${id}`, { active: false })
  await loseOutboxRows(api)
  await useUpSlots(api)
  await api.advance(HOUR)
  const [failed] = (await ask(`GET /deliveries?webhook=${id}&status=failed`)).data
  await ask(`PATCH /webhooks/${id}`, { active: true })
  await ask(`POST /deliveries/${failed.id}/redeliver`)
  for (const webhook of (await ask('GET /webhooks?per_page=100')).data) await ask(`DELETE /webhooks/${webhook.id}`)
  await api.advance(HOUR)
}

/** Creates as many webhooks as a merchant may have, deletes one, and creates one that takes the free slot. */
async function useUpSlots(api: Api): Promise<void> {
  const ask = askAs(api, (await api.newMerchants()).test.secret_key)
  const webhook = { url: 'http://127.0.0.1:9/', event_list: ['payout.created'] }
  for (let made = 0; made < 100; made++) await ask('POST /webhooks', webhook)
  const [last] = (await ask('GET /webhooks')).data
  await ask(`DELETE /webhooks/${last.id}`)
  await ask('POST /webhooks', webhook)
}

/** Drops the stream records of a merchant's first payment, so that the sweep finds its outbox rows. */
async function loseOutboxRows(api: Api): Promise<void> {
  const ask = askAs(api, (await api.newMerchants()).test.secret_key)
  await ask('POST /webhooks', { url: 'http://127.0.0.1:9/', event_list: event_types, active: true, secret_token: 's' })
  await things.captured_payment(ask)
  api.platform.stream.take()
  await api.advance(HOUR)
}

/** Runs subscriptions for a month, with cards that succeed and decline, and with a customer who is deleted. */
async function useSubscriptions(api: Api, ask: Ask): Promise<void> {
  for (const number of ['4111111111111111', '4123111111112008']) {
    const { id: customer } = await ask('POST /customers', { payment_details: card(number) })
    for (const amount of [1000, 0])
      await ask('POST /subscriptions', { customer, amount, currency: 'JPY', period: 'monthly' })
  }
  const { id: customer } = await ask('POST /customers', { payment_details: card() })
  const order = { customer, amount: 1000, currency: 'JPY', period: 'monthly' }
  await post(api, '/subscriptions', order, { 'x-service-scenario': 'timeout_before_charge' })
  const { body } = await post(api, '/subscriptions', order, { 'x-service-scenario': 'timeout_after_charge' })
  await post(api, '/subscriptions', order, { 'x-service-scenario': 'timeout_after_charge' })
  await ask(`DELETE /subscriptions/${body.id}`)
  await ask(`DELETE /customers/${customer}`)
  await api.advance(40 * DAY)
}

/** Makes lists so long that a page counts closed hours and stores the counts. */
async function useLongLists(api: Api, ask: Ask): Promise<void> {
  for (const kind of ['customer', 'payment', 'event', 'subscription', 'settlement', 'delivery']) {
    const list = `${kind}${kind === 'delivery' ? 'x' : ''}`
    await lengthen(api, kind)
    await ask(`GET /${list === 'deliveryx' ? 'deliveries' : `${list}s`}?page=3`)
  }
}

/** Writes 150 copies of a record of a kind into the table and its list. */
async function lengthen(api: Api, kind: string): Promise<void> {
  const pk = `${kind}#${api.test.id}#`
  const items = [...api.platform.table.items()] as Item[]
  const original = items.find((item) => item.pk.startsWith(pk) && item.sk === kind)
  if (!original) throw new Error(`There is no ${kind}.`)
  const id = basename(original.pk.replaceAll('#', '/'))
  const entry = items.find((item) => item.pk === `list#${kind}#${api.test.id}` && item.sk === id)!
  for (let copy = 0; copy < 150; copy++) {
    const other = id.slice(0, -8) + String(copy).padStart(8, '0')
    const { due_at, due_shard, ...record } = original
    await api.platform.table.write([
      { put: { ...record, pk: `${pk}${other}`, id: other } as Item },
      { put: { ...entry, sk: other } },
    ])
  }
}
