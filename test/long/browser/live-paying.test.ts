import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { money } from '#shared/pages/money.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { fillCard, methodOf } from '#test/browser/browser-checkout.ts'
import { openShop, type Shop } from '#test/browser/browser-shop.ts'
import type { Tab } from '#test/browser/browser-tab.ts'
import { card } from '#test/fixtures/api.ts'
import { openStripeApi, type StripeApi } from '#test/fixtures/stripe-api.ts'

/** These customers pay live, and act on a page of the emulator of Stripe, which has another origin than the service. */

const NEEDS_3D_SECURE = '4000002760003184'
const t = texts.en
const amount = money(1000, 'JPY', 'en')

const openTab = useBrowser()
let api: StripeApi
let shop: Shop
beforeAll(async () => {
  ;[api, shop] = await Promise.all([openStripeApi(), openShop()])
  // The browser treats the host of the provider as another site than the service.
  api.emulator.account.origin = api.stripe.url.replace('127.0.0.1', 'localhost')
})
afterAll(() => Promise.all([api?.close(), shop?.close()]))

describe.each([
  { with_what: 'with JavaScript', javascript: true },
  { with_what: 'without JavaScript', javascript: false },
])('a live customer $with_what', ({ javascript }) => {
  let tab: Tab
  beforeEach(async () => {
    tab = await openTab({ javascript })
  })

  const newSession = async (payment_types = ['credit_card', 'alipay']) => {
    const fields = { amount: 1000, currency: 'JPY', default_locale: 'en', payment_types }
    return (await api.ask('POST /sessions', { ...fields, return_url: `${shop.url}/paid` })).body
  }

  const sessionOf = async (id: string) => (await api.ask(`GET /sessions/${id}`)).body

  /** Presses the button that pays, and waits for the page of the provider. */
  async function pressTowardsProvider(name: string): Promise<void> {
    await tab.press(name)
    await tab.arriveAt(`${api.emulator.account.origin}/_test/authenticate/`)
  }

  /** Presses a button of the provider. Returns the URL at the shop where the customer arrives. */
  async function pressTowardsShop(name: string): Promise<string> {
    const arrival = shop.nextVisit()
    await tab.press(name)
    return (await arrival).url
  }

  test('passes 3-D Secure at the provider and returns to the shop', async () => {
    const session = await newSession()
    await tab.visit(session.session_url)
    await fillCard(tab, { number: NEEDS_3D_SECURE })
    await pressTowardsProvider(t.pay(amount))
    expect(await pressTowardsShop('Complete')).toBe(`/paid?session_id=${session.id}`)
    expect(await sessionOf(session.id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
  })

  test('approves a payment at a wallet and returns to the shop', async () => {
    const session = await newSession()
    await tab.visit(session.session_url)
    await tab.unfold(methodOf('alipay'))
    await pressTowardsProvider(checkout_texts.en.go_to('Alipay', amount))
    expect(await pressTowardsShop('Complete')).toBe(`/paid?session_id=${session.id}`)
    expect(await sessionOf(session.id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
  })

  test('fails 3-D Secure at the provider and can still pay with another card', async () => {
    const session = await newSession(['credit_card'])
    await tab.visit(session.session_url)
    await fillCard(tab, { number: NEEDS_3D_SECURE })
    await pressTowardsProvider(t.pay(amount))
    await tab.press('Fail')
    await tab.arriveAt(session.session_url)
    await fillCard(tab, { number: '4242424242424242' })
    expect(await pressTowardsShop(t.pay(amount))).toBe(`/paid?session_id=${session.id}`)
    expect(await sessionOf(session.id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
  })

  test('goes back from the page of the provider to the session, and pays with another card', async () => {
    const session = await newSession(['credit_card'])
    await tab.visit(session.session_url)
    await fillCard(tab, { number: NEEDS_3D_SECURE })
    await pressTowardsProvider(t.pay(amount))
    await tab.page.goBack()
    await tab.arriveAt(session.session_url)
    await fillCard(tab, { number: '4242424242424242' })
    expect(await pressTowardsShop(t.pay(amount))).toBe(`/paid?session_id=${session.id}`)
    expect(await sessionOf(session.id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
  })

  test('passes 3-D Secure for a payment of the API with a return_url', async () => {
    const { id, payment_details } = await api.pay(card(NEEDS_3D_SECURE), { return_url: `${shop.url}/thanks?order=7` })
    shop.show('/order', `<a href="${payment_details.redirect_url}">Go on</a>`)
    await tab.visit(`${shop.url}/order`)
    await pressTowardsProvider('Go on')
    expect(await pressTowardsShop('Complete')).toBe('/thanks?order=7')
    expect((await api.shown(id)).status).toBe('captured')
  })

  test.each([
    ['passes', 'Complete', 'OK', 200],
    ['fails', 'Fail', 'ERRORED', 422],
  ])('%s 3-D Secure for a secure token', async (_what, button, verification_status, pays) => {
    const { body } = await api.ask('POST /secure_tokens', {
      ...{ amount: 1000, currency: 'JPY', payment_details: card(NEEDS_3D_SECURE) },
      return_url: `${shop.url}/back`,
    })
    shop.show('/verify', `<a href="${body.authentication_url}">Go on</a>`)
    await tab.visit(`${shop.url}/verify`)
    await pressTowardsProvider('Go on')
    expect(await pressTowardsShop(button)).toBe(`/back?secure_token=${body.id}`)
    expect((await api.ask(`GET /secure_tokens/${body.id}`)).body.verification_status).toBe(verification_status)
    const payment = { amount: 1000, currency: 'JPY', payment_details: body.id }
    expect((await api.ask('POST /payments', payment)).status).toBe(pays)
  })
})
