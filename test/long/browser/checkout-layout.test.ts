import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payment_types } from '#shared/domain/payment-details.ts'
import { type Locale, locales } from '#shared/domain/session.ts'
import { document } from '#shared/pages/document.ts'
import { money } from '#shared/pages/money.ts'
import { sessionPage } from '#shared/pages/session/session-page.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { type Checkout, labelOf, methodOf, openCheckout } from '#test/browser/browser-checkout.ts'
import { expiredCard, openSessions } from '#test/browser/browser-scenes-of-sessions.ts'
import { desktop, phone, type Tab } from '#test/browser/browser-tab.ts'
import { aSession, methodsFor } from '#test/browser/customer-pages.ts'
import { card } from '#test/fixtures/api.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const t = checkout_texts.en
const PAY = texts.en.pay(money(1000, 'JPY', 'en'))

const openTab = useBrowser()
let checkout: Checkout
beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The place of the first element that matches, in the window. */
const boxOf = async ({ page }: Tab, selector: string) =>
  (await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`)) as Box

const isVisibleIn = ({ top, bottom }: Box, height: number) => top >= 0 && bottom <= height

const hundred = Array.from({ length: 100 }, (_, at) => ({ description: `Tea ${at}`, amount: 10, quantity: 1 }))

const scroll = (tab: Tab, y: number) => tab.page.evaluate(`scrollTo(0, ${y})`)

describe.each([
  { with_what: 'with JavaScript', javascript: true },
  { with_what: 'without JavaScript', javascript: false },
])('on a desktop $with_what, the order', ({ javascript }) => {
  test('stands beside the form and stays visible, with its total, however long it is', async () => {
    const tab = await openTab({ javascript })
    for (const line_items of [hundred.slice(0, 1), hundred]) {
      const payment_types = ['konbini', 'bank_transfer', 'credit_card', 'paypay', 'paidy', 'merpay', 'aupay']
      await tab.visit((await checkout.newSession({ line_items, payment_types })).session_url)
      const [order, form] = [await boxOf(tab, '.order'), await boxOf(tab, '.pay')]
      expect(order.right).toBeLessThan(form.left)
      for (const y of [0, 2000]) {
        await scroll(tab, y)
        expect(isVisibleIn(await boxOf(tab, '.due'), desktop.height)).toBe(true)
        expect(isVisibleIn(await boxOf(tab, '.sums .total'), desktop.height)).toBe(true)
      }
    }
  })

  test('shows the last of a hundred items by keyboard', async () => {
    const tab = await openTab({ javascript })
    await tab.visit((await checkout.newSession({ line_items: hundred })).session_url)
    const isLastVisible = async () => {
      const [last, list] = [await boxOf(tab, '.items li:last-child'), await boxOf(tab, '.items')]
      return last.bottom <= list.bottom + 1
    }
    expect(await isLastVisible()).toBe(false)
    await tab.page.focus('.items')
    await tab.page.keyboard.press('End')
    // The browser scrolls smoothly, over several frames.
    while (!(await isLastVisible())) await tab.page.evaluate('0')
    expect(await tab.has(t.order_lines(100), /^DisclosureTriangle/)).toBe(false)
  })
})

test('a window of 959 pixels has the order above the form, one of 960 pixels beside it', async () => {
  const tab = await openTab()
  for (const [width, is_beside] of [
    [959, false],
    [960, true],
  ] as const) {
    await tab.page.setViewport({ width, height: 800 })
    await tab.visit((await checkout.newSession({ line_items: hundred.slice(0, 2) })).session_url)
    const [order, form] = [await boxOf(tab, '.order'), await boxOf(tab, '.pay')]
    expect(order.right <= form.left).toBe(is_beside)
    expect(order.bottom <= form.top).toBe(!is_beside)
  }
  await tab.page.setViewport(desktop)
})

test('on a phone, a long order is folded, its total is visible, and it unfolds', async () => {
  const tab = await openTab({ javascript: false, viewport: phone })
  await tab.visit((await checkout.newSession({ line_items: hundred })).session_url)
  expect(await tab.text()).not.toContain('Tea 7')
  expect(await tab.text()).toContain(money(1000, 'JPY', 'en'))
  expect((await boxOf(tab, '#methods, .pay h2')).top).toBeLessThan(phone.height / 2)
  await tab.unfold(t.order_lines(100))
  expect(await tab.text()).toContain('Tea 99')
})

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('a customer finds a less likely method behind "more", and sees its faults there (%s)', async (_how, javascript) => {
  const session = await checkout.newSession({ payment_types: undefined })
  const tab = await openTab({ javascript })
  await tab.visit(session.session_url)
  const methods = async () =>
    (await tab.elements()).filter(({ role }) => /^DisclosureTriangle/.test(role)).map(({ name }) => name)
  expect((await methods()).length).toBe(6)
  expect(await tab.has(methodOf('pay_easy'), /^DisclosureTriangle/)).toBe(false)
  await tab.unfold(t.more_methods(14))
  await tab.unfold(methodOf('pay_easy'))
  await tab.press(texts.en.pay(money(1190, 'JPY', 'en')))
  expect((await tab.find(texts.en.fields.phone.label)).invalid).toBe(true)
  expect(await checkout.statusesOf(session.id)).toEqual([])
})

describe('a stored card', () => {
  const storedBy = async (fields: object = {}) =>
    (await checkout.post('/customers', { payment_details: { ...card(), ...fields } })).id as string

  test('pays with one press, also below a list of other methods', async () => {
    const session = await checkout.newSession({ customer: await storedBy(), payment_types: ['paypay', 'credit_card'] })
    const tab = await openTab({ javascript: false })
    await tab.visit(session.session_url)
    expect(await tab.text()).toMatch(/Visa •••• 1111\s*Saved card · Expires 12\/35/)
    const arrival = checkout.shop.nextVisit()
    await tab.press(PAY)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('gives way to another card', async () => {
    const session = await checkout.newSession({ customer: await storedBy() })
    const tab = await openTab()
    await tab.visit(session.session_url)
    await tab.unfold(new RegExp(`^${t.another_card}`))
    expect(await tab.has(labelOf('number'))).toBe(true)
  })
})

const names: readonly (readonly [string, string])[] = [
  ['one character', '茶'],
  ['255 letters without a space', 'W'.repeat(255)],
  ['255 characters of Japanese', '山田茶舗'.repeat(64).slice(0, 255)],
  ['right to left', 'متجر الشاي الأخضر، فرع طوكيو'],
  ['emoji', '🍵👩‍👩‍👧‍👦 Tea 🇯🇵'],
  ['HTML', '<b onclick="x()">Tea & Co</b>'],
]

test.each(names)('a name of %s fits a phone, a small phone and a desktop', async (_what, name) => {
  const line_items = [{ description: name, amount: 300, quantity: 3, image: 'https://shop.example/a.png' }]
  const input = { session: aSession({ line_items }), methods: methodsFor(payment_types), sandbox: true, now: 0 }
  const page = sessionPage({ ...input, locale: 'en' })
  const html = await document(page, 'bm9uY2U', { shop: { name, accent_color: null, logo_path: null } })
  for (const viewport of [phone, { width: 320, height: 568, isMobile: true }, desktop]) {
    const tab = await openTab({ viewport })
    await tab.page.setContent(html)
    expect(await tab.text()).toContain(name)
    expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
    expect(tab.requests.filter(({ url }) => url.startsWith('http'))).toEqual([])
  }
})

test.each(locales)(
  'the wide pages have no accessibility violations in light and dark (%s)',
  async (locale: Locale) => {
    const tab = await openTab()
    const scenes = [...openSessions(checkout, locale), expiredCard(checkout, locale)]
    const wrong: string[] = []
    for (const { name, enter } of scenes) {
      await enter(tab)
      await tab.page.evaluate(axe)
      for (const scheme of ['light', 'dark']) {
        await tab.page.emulateMediaFeatures([
          { name: 'prefers-reduced-motion', value: 'reduce' },
          { name: 'prefers-color-scheme', value: scheme },
        ])
        const found = await tab.page.evaluate(`axe.run(document, { preload: false }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`)
        for (const violation of found as string[]) wrong.push(`${name} in ${scheme}: ${violation}`)
      }
      await tab.page.emulateMediaFeatures([])
    }
    expect(wrong).toEqual([])
  },
  60_000,
)

test('the page does not shift while it loads, and asks for nothing else', async () => {
  for (const viewport of [phone, desktop]) {
    const tab = await openTab({ viewport })
    await tab.visit((await checkout.newSession({ line_items: hundred, payment_types: undefined })).session_url)
    const shift = await tab.page.evaluate(`new Promise((resolve) => {
      let sum = 0
      const observer = new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value })
      observer.observe({ type: 'layout-shift', buffered: true })
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
    })`)
    expect(shift).toBe(0)
    expect(tab.requests).toHaveLength(1)
  }
})
