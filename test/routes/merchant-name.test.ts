import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accentStyle } from '#shared/pages/shop-design.ts'
import { RETURN_URL, type Seen, see, submit, typed_card } from '#test/browser/browsing.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { documentOf, partsWith } from '#test/fixtures/documents.ts'

let api: Api
let account: string
let key: string
beforeAll(async () => {
  api = await openApi()
  const { body } = await api.request('POST /_local/merchants', { json: { name: 'Tea house' }, key: null })
  account = body.account
  key = body.test.secret_key
})
afterAll(() => api.close())

const post = async (path: string, json: object) => (await api.request(`POST ${path}`, { json, key })).body
const patch = async (json: object) => (await api.request(`PATCH /accounts/${account}`, { json, key })).body
const order = { amount: 1000, currency: 'JPY', return_url: RETURN_URL }
const session = (fields: object = {}) => post('/sessions', { ...order, ...fields })
const paid = async (payment_details: object) => {
  const { id, session_url } = await session()
  return { session_url, ...(await post(`/sessions/${id}/pay`, { payment_details })) }
}

/** For each page, a function that leads to it and returns its URL. */
const pages = {
  'a session': async () => (await session()).session_url,
  'a session that stores a card': async () => (await post('/sessions', { mode: 'customer' })).session_url,
  'a completed session': async () => (await paid(card())).session_url,
  'a session that is paid in cash': async () => (await paid(konbini)).session_url,
  'a cancelled session': async () => {
    const { id, session_url } = await session()
    await post(`/sessions/${id}/cancel`, {})
    return session_url
  },
  'an expired session': async () => {
    const { session_url } = await session({ expires_in_seconds: 1 })
    await api.advance(2)
    return session_url
  },
  '3-D Secure': async () => (await paid(card('4100000000000100'))).redirect_url,
  'a wallet': async () => (await paid({ type: 'paypay' })).redirect_url,
  'a payment off-site without a session': async () =>
    (await post('/payments', { ...order, payment_details: { type: 'paypay' } })).payment_details.redirect_url,
  'a decided payment off-site': async () => {
    const { redirect_url } = (await post('/payments', { ...order, payment_details: { type: 'paypay' } }))
      .payment_details
    await submit(redirect_url, { decision: 'decline' })
    return redirect_url
  },
  'a secure token': async () =>
    (await post('/secure_tokens', { ...order, payment_details: card('4100000000000100') })).authentication_url,
  'a verified secure token': async () =>
    (await post('/secure_tokens', { ...order, payment_details: card() })).authentication_url,
  'cash instructions': async () => (await paid(konbini)).redirect_url,
} as const satisfies Record<string, () => Promise<string>>

const statusOf = async ({ id }: { id: string }) => (await api.request(`GET /payments/${id}`, { key })).body.status

/** For each page that follows a payment, or a try to pay, a function that leads to it and returns it. */
const answers = {
  'a form with faults': async () => {
    const seen = await submit(await pages['a session'](), { type: 'credit_card' })
    expect(seen.status).toBe(422)
    return seen
  },
  'a declined card': async () => {
    const seen = await submit(await pages['a session'](), { ...typed_card, number: '4123111111111000' })
    expect(seen.status).toBe(402)
    return seen
  },
  'a payment in flight': async () => {
    const { id, session_url } = await session()
    const headers = { 'x-service-scenario': 'timeout_after_charge' }
    const options = { json: { payment_details: card() }, key, headers }
    expect((await api.request(`POST /sessions/${id}/pay`, options)).status).toBe(504)
    return see(session_url)
  },
  'cash instructions after the payment': async () => {
    const { redirect_url, payment } = await paid(konbini)
    await submit(redirect_url, {})
    expect(await statusOf(payment)).toBe('captured')
    return see(redirect_url)
  },
  'cash instructions after the deadline': async () => {
    const { redirect_url, payment } = await paid(konbini)
    await api.advance(5 * 86_400)
    expect(await statusOf(payment)).toBe('expired')
    return see(redirect_url)
  },
} as const satisfies Record<string, () => Promise<Seen>>

/** A name of one character, of the greatest length, from right to left, of emoji and of markup. */
const names = ['x', 'x'.repeat(255), 'מאפיית הזית', '👩‍🍳 & <b>Söhne</b>', '"><script>alert(1)</script>']

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function expectName(html: string, name: string): void {
  expect(html).toContain(`<bdi>${escaped(name)}</bdi>`)
  expect(/<title>(.*)<\/title>/.exec(html)![1]).toMatch(new RegExp(`– ${RegExp.escape(escaped(name))}$`))
}

describe.each(Object.entries(pages))('the page of %s', (_name, open) => {
  test.each(names)('names the merchant %s', async (display_name) => {
    await patch({ display_name })
    const { status, html } = await see(await open())
    expect(status).toBe(200)
    expectName(html, display_name)
  })

  test('shows the logo and the accent color, and names no host without a display name', async () => {
    const parts = partsWith(['paper', documentOf(500, 'image/png'), 'logo.png'])
    const { id: logo } = (await api.request('POST /files', { parts, key })).body
    await patch({ display_name: null, accent_color: '#ff0000', logo })
    const { html } = await see(await open())
    expect(html).toContain('<bdi>Tea house</bdi>')
    const without_attributes = html.replaceAll(/"[^"]*"/g, '')
    expect(without_attributes).not.toContain(new URL(RETURN_URL).host)
    expect(html).toContain(accentStyle('#ff0000'))
    const src = /<img src="([^"]*)"/.exec(html)![1]!
    expect(src).toBe(`/logos/${account}/${logo}`)
    expect((await fetch(api.url + src)).status).toBe(200)
    await patch({ accent_color: null, logo: null })
  })
})

describe.each(Object.entries(answers))('the page of %s', (_name, answer) => {
  test.each(names)('names the merchant %s', async (display_name) => {
    await patch({ display_name })
    const { html } = await answer()
    expectName(html, display_name)
  })
})

test('the page of a session keeps the name that the merchant had when the session was created', async () => {
  await patch({ display_name: 'Before' })
  const { id, session_url, merchant_name } = await session()
  await patch({ display_name: 'After' })
  expect(merchant_name).toBe('Before')
  expect((await see(session_url)).html).toContain('<bdi>Before</bdi>')
  expect((await api.request(`GET /sessions/${id}`, { key })).body.merchant_name).toBe('Before')
})

test('a page that does not exist names its merchant, and a page of an unknown merchant names none', async () => {
  await patch({ display_name: 'Known' })
  const { session_url } = await session()
  const lost = await see(session_url.replace(/ses_\w+/, 'ses_1'))
  expect([lost.status, lost.html.includes('<bdi>Known</bdi>')]).toEqual([404, true])
  const unknown = await see(session_url.replace(/mer_\w+/, 'mer_1'))
  expect([unknown.status, unknown.html.includes('<bdi>')]).toEqual([404, false])
})

test('a live page shows the design of the account that the test merchant has set', async () => {
  await patch({ display_name: 'Both modes', accent_color: '#112233' })
  const { body } = await api.request(`GET /accounts/${account}`, { key })
  const url = `${api.url}/pages/sessions/${body.live_merchant}/ses_1`
  const { html } = await see(url)
  expect(html).toContain('<bdi>Both modes</bdi>')
  expect(html).toContain(accentStyle('#112233'))
})
