import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { money } from '#shared/pages/money.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import {
  type Checkout,
  type CheckoutSession,
  fillCard,
  labelOf,
  methodOf,
  openCheckout,
  typed_card,
} from '#test/browser/browser-checkout.ts'
import type { Tab } from '#test/browser/browser-tab.ts'
import { card } from '#test/fixtures/api.ts'

const t = texts.en
const PAY = t.pay(money(1000, 'JPY', 'en'))
const PAY_WITH_FEE = t.pay(money(1190, 'JPY', 'en'))
const PAY_BY_WALLET = checkout_texts.en.go_to('PayPay', money(1000, 'JPY', 'en'))
const NEEDS_3D_SECURE = '4100000000000100'
const DECLINED = '4123111111111059'
const CARDS = [typed_card.number, NEEDS_3D_SECURE, DECLINED]

const openTab = useBrowser()
let checkout: Checkout

beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

describe.each([
  { with_what: 'with JavaScript', javascript: true },
  { with_what: 'without JavaScript', javascript: false },
])('a customer $with_what', ({ javascript }) => {
  let opened: Tab[] = []

  afterEach(() => {
    const urls = opened.flatMap(({ requests }) => requests.map(({ url }) => url))
    opened = []
    expect(CARDS.filter((number) => urls.some((url) => url.includes(number)))).toEqual([])
    expect(CARDS.filter((number) => JSON.stringify(checkout.api.logs).includes(number))).toEqual([])
  })

  async function visit(url: string): Promise<Tab> {
    const tab = await openTab({ javascript })
    opened.push(tab)
    expect(await tab.visit(url)).toBe(200)
    return tab
  }

  /** Clicks a button or link that leads to the shop, directly or through pages of ours. Returns the URL at the shop. */
  async function pressTowardsShop(tab: Tab, name: string | RegExp): Promise<string> {
    const arrival = checkout.shop.nextVisit()
    await tab.press(name)
    const { method, url, referer } = await arrival
    expect(method).toBe('GET')
    expect(referer).toBeUndefined()
    return url
  }

  const expectPaid = async ({ id }: CheckoutSession, statuses: readonly string[] = ['captured']) => {
    expect(await checkout.sessionOf(id)).toMatchObject({
      status: 'completed',
      payment: { session: id, status: 'captured' },
    })
    expect(await checkout.statusesOf(id)).toEqual(statuses)
  }

  const expectUnpaid = async ({ id }: CheckoutSession, statuses: readonly string[]) => {
    expect(await checkout.sessionOf(id)).toMatchObject({ status: 'pending', expired: false })
    expect(await checkout.statusesOf(id)).toEqual(statuses)
  }

  test('pays by card and returns to the shop', async () => {
    const session = await checkout.newSession({ line_items: [{ description: 'Green tea', amount: 500, quantity: 2 }] })
    const tab = await visit(session.session_url)
    expect(await tab.text()).toContain('Green tea')
    await fillCard(tab)
    expect(await pressTowardsShop(tab, PAY)).toBe(`/paid?order=7&session_id=${session.id}`)
    await expectPaid(session)
  })

  test('sees the input again after a decline, and pays with another card', async () => {
    const session = await checkout.newSession()
    const tab = await visit(session.session_url)
    await fillCard(tab, { number: DECLINED })
    expect(await tab.press(PAY)).toBe(402)
    expect(await tab.text()).toContain(t.declined.card_declined)
    await expectUnpaid(session, ['failed'])

    const kept = async (field: Parameters<typeof labelOf>[0]) => (await tab.find(labelOf(field))).value
    expect([await kept('name'), await kept('email')]).toEqual([typed_card.name, typed_card.email])
    expect(await kept('expiry')).toMatch(/^12 ?\/ ?35$/)
    // Only the script can keep number and code, because the service never sends them back.
    const secrets = javascript ? ['4123 1111 1111 1059', '123'] : ['', '']
    expect([await kept('number'), await kept('verification_value')]).toEqual(secrets)
    expect((await tab.page.content()).replaceAll(/\s/g, '')).not.toContain(DECLINED)
    expect((await tab.text()).includes('Please re-enter: Card number and Security code.')).toBe(!javascript)

    await fillCard(tab)
    expect(await pressTowardsShop(tab, PAY)).toBe(`/paid?order=7&session_id=${session.id}`)
    await expectPaid(session, ['captured', 'failed'])
  })

  test('sees each error at its field, and is not charged', async () => {
    const session = await checkout.newSession()
    const tab = await visit(session.session_url)
    await fillCard(tab, { number: '4111111111111112', expiry: '', email: 'nobody' })
    expect(await tab.press(PAY)).toBe(422)
    const faulty = (await tab.elements()).filter(({ invalid }) => invalid)
    expect(faulty.map(({ name, description }) => [name.split(' (')[0], description])).toEqual([
      [t.fields.number.label, expect.stringContaining(t.fields.number.invalid)],
      [t.fields.expiry.label.split(' (')[0], expect.stringContaining(t.fields.expiry.missing)],
      // The form never repeats the security code, so it is missing as well.
      ...(faulty.length === 4 ? [[t.fields.verification_value.label, expect.any(String)]] : []),
      [t.fields.email.label, expect.stringContaining(t.fields.email.invalid)],
    ])
    await expectUnpaid(session, [])
  })

  test('passes 3-D Secure', async () => {
    const session = await checkout.newSession()
    const tab = await visit(session.session_url)
    await fillCard(tab, { number: NEEDS_3D_SECURE })
    expect(await tab.press(PAY)).toBe(200)
    await expectUnpaid(session, ['pending'])
    expect(await pressTowardsShop(tab, t.authenticate)).toBe(`/paid?order=7&session_id=${session.id}`)
    await expectPaid(session)
  })

  test.each([
    ['fails', t.fail],
    ['closes', t.close],
  ])('%s 3-D Secure and can still pay with another card', async (_what, button) => {
    const session = await checkout.newSession()
    const tab = await visit(session.session_url)
    await fillCard(tab, { number: NEEDS_3D_SECURE })
    await tab.press(PAY)
    await tab.press(button)
    await tab.arriveAt(session.session_url)
    expect(await checkout.sessionOf(session.id)).toMatchObject({ status: 'pending' })
    await fillCard(tab)
    await pressTowardsShop(tab, PAY)
    await expectPaid(session, [button === t.fail ? 'failed' : 'cancelled', 'captured'].sort())
  })

  test('gets instructions for a convenience store and pays there', async () => {
    const session = await checkout.newSession({ payment_types: ['credit_card', 'konbini'] })
    const tab = await visit(session.session_url)
    await tab.unfold(methodOf('konbini'))
    await tab.choose(/lawson/i)
    await tab.fill(t.fields.email.label, 'hanako@example.com')
    expect(await tab.press(PAY_WITH_FEE)).toBe(200)
    const { payment, status } = await checkout.sessionOf(session.id)
    expect({ status, paid: payment.status }).toEqual({ status: 'completed', paid: 'authorized' })

    expect(tab.page.url().split('?')[0]).toBe(payment.payment_details.instructions_url)
    const instructions = await tab.text()
    expect(instructions).toContain(payment.payment_details.confirmation_code)
    expect(instructions).toContain(payment.payment_details.receipt)
    expect(instructions).toContain(money(1190, 'JPY', 'en'))
    expect(await tab.press(t.simulate)).toBe(200)
    expect(await tab.text()).toContain(t.endings.paid.title)
    expect(await tab.has(t.simulate)).toBe(false)
    expect(await pressTowardsShop(tab, /^Return to/)).toBe(`/paid?order=7&session_id=${session.id}`)
    await expectPaid(session)
    expect((await checkout.sessionOf(session.id)).payment).toMatchObject({ total: 1190 })
  })

  test('approves a wallet payment', async () => {
    const session = await checkout.newSession({ payment_types: ['credit_card', 'paypay'] })
    const tab = await visit(session.session_url)
    await tab.unfold(methodOf('paypay'))
    await tab.press(PAY_BY_WALLET)
    expect(await pressTowardsShop(tab, t.approve)).toBe(`/paid?order=7&session_id=${session.id}`)
    await expectPaid(session)
  })

  test('declines a wallet payment and can still pay by card', async () => {
    const session = await checkout.newSession({ payment_types: ['paypay', 'credit_card'] })
    const tab = await visit(session.session_url)
    await tab.unfold(methodOf('paypay'))
    await tab.press(PAY_BY_WALLET)
    await tab.press(t.decline)
    await tab.arriveAt(session.session_url)
    await expectUnpaid(session, ['failed'])
    await tab.unfold(methodOf('credit_card'))
    await fillCard(tab)
    await pressTowardsShop(tab, PAY)
    await expectPaid(session, ['captured', 'failed'])
  })

  test('cancels and returns to the shop', async () => {
    const session = await checkout.newSession()
    const tab = await visit(session.session_url)
    expect(await pressTowardsShop(tab, t.cancel)).toBe(`/paid?order=7&session_id=${session.id}`)
    expect(await checkout.sessionOf(session.id)).toMatchObject({ status: 'cancelled', payment: null })
  })

  test('cannot pay on a page that stayed open until the session had expired', async () => {
    const session = await checkout.newSession({ expires_in_seconds: 60, return_url: null })
    const tab = await visit(session.session_url)
    await fillCard(tab)
    await checkout.api.advance(61)
    await tab.press(PAY)
    expect(await tab.text()).toContain(t.endings.expired.text)
    expect(await tab.has(PAY)).toBe(false)
    await tab.visit(session.session_url)
    expect(await tab.text()).toContain(t.endings.expired.text)
    expect(await checkout.sessionOf(session.id)).toMatchObject({ expired: true, payment: null })
    expect(await checkout.statusesOf(session.id)).toEqual([])
  })

  test('pays once from two tabs at the same time', async () => {
    const session = await checkout.newSession({ return_url: null })
    const tabs = await Promise.all([visit(session.session_url), visit(session.session_url)])
    for (const tab of tabs) await fillCard(tab)
    await Promise.all(tabs.map((tab) => tab.press(PAY)))
    await expectPaid(session)
    for (const tab of tabs) {
      await tab.visit(session.session_url)
      expect(await tab.text()).toContain(t.endings.completed.title)
      expect(await tab.has(PAY)).toBe(false)
    }
  })

  test('pays once when the form is submitted twice in a row', async () => {
    const session = await checkout.newSession({ return_url: null })
    const tab = await visit(session.session_url)
    await fillCard(tab)
    const { keyboard } = tab.page
    // On a slow network, the form stays visible for a while after it is submitted.
    await tab.page.emulateNetworkConditions({ latency: 200, download: -1, upload: -1 })
    await Promise.all([tab.page.waitForNavigation(), keyboard.press('Enter').then(() => keyboard.press('Enter'))])
    await tab.page.emulateNetworkConditions(null)
    await tab.visit(session.session_url)
    expect(await tab.text()).toContain(t.endings.completed.title)
    await expectPaid(session)
    const sent = tab.requests.filter(({ method }) => method === 'POST')
    if (javascript) expect(sent).toHaveLength(1)
  })

  test('is asked to wait while the outcome is unknown, does not pay twice, and then returns to the shop', async () => {
    const session = await checkout.newSession()
    const tab = await visit(session.session_url)
    await fillCard(tab)
    await checkout.post(
      `/sessions/${session.id}/pay`,
      { payment_details: card() },
      { 'x-service-scenario': 'timeout_after_charge' },
    )
    await tab.press(PAY)
    expect(await tab.text()).toContain(t.endings.processing.text)
    expect(await tab.has(PAY)).toBe(false)
    await expectUnpaid(session, ['pending'])
    await checkout.api.advance(60)
    expect(await pressTowardsShop(tab, t.check_again)).toBe(`/paid?order=7&session_id=${session.id}`)
    await expectPaid(session)
  })

  test('stores a card for later payments', async () => {
    const session = await checkout.newSession({ mode: 'customer', amount: undefined, currency: undefined })
    const tab = await visit(session.session_url)
    await fillCard(tab)
    expect(await pressTowardsShop(tab, t.save_card)).toBe(`/paid?order=7&session_id=${session.id}`)
    const { status, customer_id, payment } = await checkout.sessionOf(session.id)
    expect({ status, payment }).toEqual({ status: 'completed', payment: null })
    const { body } = await checkout.api.request(`GET /customers/${customer_id}`)
    expect(body).toMatchObject({ email: typed_card.email, source: { last_four_digits: '1111' } })
  })

  test.each([
    ['authenticates', t.authenticate, 'OK', 200],
    ['fails', t.fail, 'ERRORED', 422],
    ['closes', t.close, 'NEEDS_VERIFY', 422],
  ])('%s 3-D Secure for a secure token', async (_what, button, verification_status, pays) => {
    const { id, authentication_url } = await newSecureToken(NEEDS_3D_SECURE)
    const tab = await visit(authentication_url)
    await tab.visit(`${authentication_url}?locale=en`)
    expect(await pressTowardsShop(tab, button)).toBe(`/back?secure_token=${id}`)
    expect((await checkout.api.request(`GET /secure_tokens/${id}`)).body).toMatchObject({ verification_status })
    const json = { amount: 1000, currency: 'JPY', payment_details: id }
    expect((await checkout.api.request('POST /payments', { json })).status).toBe(pays)
  })

  test('passes the page of a secure token without interaction if the card needs no 3-D Secure', async () => {
    const { id, authentication_url } = await newSecureToken(typed_card.number)
    const arrival = checkout.shop.nextVisit()
    const tab = await openTab({ javascript })
    await tab.page.goto(authentication_url)
    expect((await arrival).url).toBe(`/back?secure_token=${id}`)
    expect((await checkout.api.request(`GET /secure_tokens/${id}`)).body.verification_status).toBe('SKIPPED')
  })

  const newSecureToken = (number: string) =>
    checkout.post('/secure_tokens', {
      amount: 1000,
      currency: 'JPY',
      return_url: `${checkout.shop.url}/back`,
      payment_details: { type: 'credit_card', number, month: 12, year: 2035, name: 'Hanako Yamada' },
    })
})
