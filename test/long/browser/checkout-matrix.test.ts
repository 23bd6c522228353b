import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PaymentType, payment_type_rows, payment_types } from '#shared/domain/payment-details.ts'
import { type Locale, locales, type Session } from '#shared/domain/session.ts'
import { isPayableIn } from '#shared/domain/session-methods.ts'
import { money } from '#shared/pages/money.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { isWiderThanScreen, STILL } from '#test/browser/browser-accessibility.ts'
import { type Checkout, openCheckout } from '#test/browser/browser-checkout.ts'
import { buttonOf, fillMethod, openMethod } from '#test/browser/browser-methods.ts'
import { STAY } from '#test/browser/browser-shop.ts'
import { desktop, phone, type Tab } from '#test/browser/browser-tab.ts'

/**
 * These tests pay with every payment method, from the page of the session to the receipt. Each page on the way must name
 * the shop, the amount and what the customer can do next.
 */

const SHOP = 'Test shop'

/** The color of texts in each color scheme. */
const text_colors = { light: 'rgb(26, 31, 43)', dark: 'rgb(238, 241, 246)' }

const openTab = useBrowser()
let checkout: Checkout
beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

/** A customer who pays with one method. */
interface Journey {
  readonly tab: Tab
  readonly type: PaymentType
  readonly locale: Locale
  readonly currency: string
  /** Checks the page at each step, besides what every journey checks. */
  readonly look?: () => Promise<void>
}

/** Checks what a page says: who is paid, `amount`, and the button or link that leads on. */
async function expectPage({ tab, locale, look }: Journey, amount: string, next: string): Promise<void> {
  const text = await tab.text()
  const shown = { url: tab.page.url(), shop: text.includes(SHOP), amount: text.includes(amount) }
  expect(shown).toEqual({ ...shown, shop: true, amount: true })
  expect(await tab.page.title()).toContain(SHOP)
  expect(await tab.page.evaluate('document.documentElement.lang')).toBe(locale)
  expect([next, await tab.has(next, /^(button|link)$/)]).toEqual([next, true])
  await look?.()
}

/** Pays a new session of 1,000 in the smallest unit of the currency. The shop answers 204, so the last page stays. */
async function pay(journey: Journey): Promise<void> {
  const { tab, type, locale, currency } = journey
  const t = texts[locale]
  const { flow, fee } = payment_type_rows[type]
  const amount = money(1000 + fee, currency, locale)
  const fields = { currency, default_locale: locale, payment_types: undefined, return_url: checkout.shop.url + STAY }
  const session = await checkout.newSession({ ...fields, external_order_num: 'T-7' })
  expect(await tab.visit(session.session_url)).toBe(200)
  const offered = { mode: 'payment', amount: 1000, tax: 0, currency, payment_types: typesIn(currency) } as const
  await openMethod(tab, type, offered as unknown as Session, locale)
  await expectPage(journey, money(1000, currency, locale), buttonOf(type, amount, locale))
  await fillMethod(tab, type, locale)
  const arrival = checkout.shop.nextVisit()
  expect(await tab.press(buttonOf(type, amount, locale))).toBe(200)
  if (flow === 'cash') {
    expect(await checkout.statusesOf(session.id)).toEqual(['authorized'])
    expect(await tab.text()).toContain(t.deadline)
    await expectPage(journey, amount, last_page_texts[locale].calendar)
    expect(await tab.press(t.simulate)).toBe(200)
  }
  if (flow === 'off_site') {
    expect(await checkout.statusesOf(session.id)).toEqual(['pending'])
    await expectPage(journey, amount, t.approve)
    expect(await tab.press(t.approve)).toBe(200)
  }
  await expectPage(journey, amount, t.back_to_shop)
  // A customer who has paid in cash reads the receipt before going back.
  if (flow !== 'cash') expect((await arrival).url).toBe(`${STAY}?session_id=${session.id}`)
  expect(await tab.text()).toContain('T-7')
  expect(await checkout.sessionOf(session.id)).toMatchObject({
    status: 'completed',
    payment: { status: 'captured', total: 1000 + fee, currency, payment_details: { type } },
  })
  expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
}

/** The methods of a session without `payment_types`. */
const typesIn = (currency: string): PaymentType[] => payment_types.filter((type) => isPayableIn(type, currency))

describe.each([
  { with_what: 'with JavaScript', javascript: true },
  { with_what: 'without JavaScript', javascript: false },
])('a customer $with_what', ({ javascript }) => {
  test.each(typesIn('JPY'))('pays yen with %s', async (type) => {
    await pay({ tab: await openTab({ javascript }), type, locale: 'en', currency: 'JPY' })
  })

  test.each(typesIn('USD'))('pays dollars with %s', async (type) => {
    await pay({ tab: await openTab({ javascript }), type, locale: 'en', currency: 'USD' })
  })
})

const looks = locales.flatMap((locale) =>
  [
    { screen: 'phone', viewport: phone },
    { screen: 'desktop', viewport: desktop },
  ].flatMap((each) => (['light', 'dark'] as const).map((scheme) => ({ ...each, locale, scheme }))),
)

describe.each(looks)('on a $scheme $screen in $locale', ({ viewport, scheme, locale }) => {
  test.each(['credit_card', 'konbini', 'paypay'] as const)('a customer pays with %s', async (type) => {
    // Scripts know nothing of the color scheme, so each scheme is tested with one of both.
    const tab = await openTab({ viewport, javascript: scheme === 'light' })
    await tab.page.emulateMediaFeatures([STILL, { name: 'prefers-color-scheme', value: scheme }])
    const look = async () => {
      expect(await tab.page.evaluate('getComputedStyle(document.body).color')).toBe(text_colors[scheme])
      expect(await isWiderThanScreen(tab)).toBe(false)
    }
    await pay({ tab, type, locale, currency: 'JPY', look })
  })
})
