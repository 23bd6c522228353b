import type { PaymentType } from '#shared/domain/payment-details.ts'
import type { Locale } from '#shared/domain/session.ts'
import { TRIES_MAX } from '#shared/domain/session-states.ts'
import { money } from '#shared/pages/money.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { card } from '#test/fixtures/api.ts'
import { type Checkout, type CheckoutSession, fillCard } from './browser-checkout.ts'
import { type Scene, scene } from './browser-scene.ts'
import { STAY } from './browser-shop.ts'

const all_types: readonly PaymentType[] = [
  'credit_card',
  'konbini',
  'pay_easy',
  'bank_transfer',
  'japan_mobile',
  'paypay',
]

const long = `株式会社とても長い名前の商店 ${'unbreakable'.repeat(9)} 아주 긴 상품 이름`

/** Pages of sessions that wait for their customer. */
export function openSessions(checkout: Checkout, default_locale: Locale): Scene[] {
  const { newSession, shop } = checkout
  const open = (name: string, fields: object) =>
    scene(name, async () => (await newSession({ default_locale, ...fields })).session_url, default_locale)
  const storedCard = async () => {
    const fields = await withStoredCard(checkout, 12, 2035)
    return (await newSession({ default_locale, ...fields })).session_url
  }
  const line_items = [
    { description: '煎茶 100g', amount: 1200, quantity: 2 },
    { description: '急須（常滑焼）', amount: 6600, quantity: 1 },
  ]
  const forty = Array.from({ length: 40 }, (_, at) => ({
    description: `${long} ${at}`,
    amount: 1234567,
    quantity: at + 1,
  }))
  return [
    open('session', { amount: 9000, payment_data: { tax: 900 }, line_items, payment_types: all_types }),
    open('session-card', { amount: 9000, line_items }),
    open('session-dollars', { amount: 123456, currency: 'USD', payment_types: ['credit_card', 'alipay'] }),
    scene('session-stored-card', storedCard, default_locale),
    open('session-customer', { mode: 'customer', amount: undefined, currency: undefined }),
    open('session-long', {
      amount: 9999999999,
      line_items: forty,
      payment_types: undefined,
      return_url: `${shop.url.replace('localhost', `${'unbreakable'.repeat(5)}.example`)}/`,
      email: `${'long'.repeat(15)}@example.com`,
    }),
  ]
}

/** Stores a card for a new customer, and returns the fields of a session that offers it. */
async function withStoredCard({ post }: Checkout, month: number, year: number): Promise<object> {
  const payment_details = { ...card(), month, year }
  const { id: customer } = await post('/customers', { email: 'hanako@example.com', payment_details })
  return { customer, payment_types: ['credit_card', 'konbini', 'paypay'] }
}

/** The page of a session whose stored card has expired. Advances the clock by a month. */
export function expiredCard(checkout: Checkout, default_locale: Locale): Scene {
  const url = async () => {
    const now = new Date(checkout.api.platform.clock.now())
    const fields = await withStoredCard(checkout, now.getUTCMonth() + 1, now.getUTCFullYear())
    await checkout.api.advance(31 * 86_400)
    return (await checkout.newSession({ default_locale, ...fields })).session_url
  }
  return scene('session-expired-card', url, default_locale)
}

/** Pages of sessions after invalid input or a decline. */
export function refusedForms({ newSession }: Checkout, default_locale: Locale): Scene[] {
  const pay = texts[default_locale].pay(money(1000, 'JPY', default_locale))
  const paid = (name: string, number: string): Scene => ({
    name,
    async enter(tab) {
      await tab.visit((await newSession({ default_locale, payment_types: ['credit_card', 'konbini'] })).session_url)
      if (number) await fillCard(tab, { number }, default_locale)
      await tab.press(pay)
    },
  })
  return [paid('session-faults', ''), paid('session-declined', '4123111111111000')]
}

/** Pages of sessions that have ended, or whose charge is in flight. */
export function endedSessions(checkout: Checkout, default_locale: Locale): Scene[] {
  const { newSession, post, shop } = checkout
  const ended = (name: string, fields: object, end: (session: CheckoutSession) => Promise<unknown>): Scene =>
    scene(
      name,
      async () => {
        const session = await newSession({ default_locale, return_url: null, ...fields })
        await end(session)
        return session.session_url
      },
      default_locale,
    )
  const pay =
    (payment_details: object, headers = {}) =>
    ({ id }: CheckoutSession) =>
      post(`/sessions/${id}/pay`, { payment_details }, headers)
  const konbini = { type: 'konbini', store: 'lawson', email: 'hanako@example.com' }
  const tryOften = async ({ id }: CheckoutSession) => {
    const json = { payment_details: card('4123111111111000') }
    for (let tries = 0; tries < TRIES_MAX; tries++) await checkout.api.request(`POST /sessions/${id}/pay`, { json })
  }
  return [
    ended('session-completed', {}, pay(card())),
    ended('session-completed-shop', { return_url: `${shop.url}${STAY}` }, pay(card())),
    ended('session-completed-konbini', { payment_types: ['konbini'] }, pay(konbini)),
    ended('session-processing', {}, pay(card(), { 'x-service-scenario': 'timeout_after_charge' })),
    ended('session-cancelled', {}, ({ id }) => post(`/sessions/${id}/cancel`, {})),
    ended('session-exhausted', { return_url: `${shop.url}${STAY}` }, tryOften),
  ]
}

/** The receipt of a session that was paid three minutes ago. Advances the clock. */
export function receiptOfSession({ newSession, api, post, shop }: Checkout, default_locale: Locale): Scene {
  const url = async () => {
    const return_url = `${shop.url}${STAY}`
    const order = { amount: 9000, payment_data: { tax: 900 }, external_order_num: 'T-2030-0107', return_url }
    const { id, session_url } = await newSession({ default_locale, ...order })
    await post(`/sessions/${id}/pay`, { payment_details: card() })
    await api.advance(180)
    return session_url
  }
  return scene('session-receipt', url, default_locale)
}

/** The page of an expired session. Advances the clock. */
export function expiredSession({ newSession, api }: Checkout, default_locale: Locale): Scene {
  const url = async () => {
    const { session_url } = await newSession({ default_locale, return_url: null, expires_in_seconds: 60 })
    await api.advance(61)
    return session_url
  }
  return scene('session-expired', url, default_locale)
}
