import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { money } from '#shared/pages/money.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { type Checkout, fillCard, openCheckout, typed_card } from '#test/browser/browser-checkout.ts'
import { scenes } from '#test/browser/browser-scenes.ts'
import { phone, type Tab } from '#test/browser/browser-tab.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The media feature that stops animations. The contrast of a colour in transition cannot be judged. */
const STILL = { name: 'prefers-reduced-motion', value: 'reduce' }

/** Whether a URL is a page of ours or of the shop. Pages load no images, fonts or scripts of other URLs. */
const isPage = (url: string): boolean => /^\/(pages|stay)\//.test(`${new URL(url).pathname}/`)

/**
 * One state of each page. The other states are checked in one language, because only their texts differ between
 * languages.
 */
const PAGES =
  /^(session|session-faults|session-completed|off-site-wallet|3d-secure|secure-token|instructions-(lawson|pay-easy|bank-transfer)|not-found)$/
const OTHER_STORES = /^instructions-(seven-eleven|family-mart|ministop|daily-yamazaki|seicomart)$/

const openTab = useBrowser()
let checkout: Checkout

beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

/** The violations that axe finds on the page, one line each. `rules` limits the check to some rules. */
async function violations({ page }: Tab, rules?: readonly string[]): Promise<string[]> {
  const options = { preload: false, resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const found = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations, passes }) => ({
    violations: violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + ' at ' + target.join(' ') + ': ' + failureSummary)),
    passes: passes.length,
  }))`)
  const { violations, passes } = found as { violations: string[]; passes: number }
  expect(passes).toBeGreaterThan(0)
  return violations
}

/**
 * Whether the page needs horizontal scrolling. Compares with the screen, because a phone widens its window to the page.
 */
const isWiderThanScreen = async ({ page }: Tab): Promise<boolean> =>
  ((await page.evaluate('document.documentElement.scrollWidth')) as number) > page.viewport()!.width

describe.each(locales)('the pages in %s', (locale) => {
  test('have no accessibility violations and fit the screen of a phone', async () => {
    const tab = await openTab({ viewport: { ...phone, deviceScaleFactor: 1 } })
    await tab.page.emulateMediaFeatures([STILL])
    const wrong: string[] = []
    for (const { name, enter } of scenes(checkout, locale)) {
      const report = (what: string) => wrong.push(`${name}: ${what}`)
      await enter(tab)
      await tab.unfoldAll()
      if (await isWiderThanScreen(tab)) report('is wider than the screen')
      if ((await tab.page.evaluate('document.documentElement.lang')) !== locale) report('is in the wrong language')
      for (const { url } of tab.requests.filter(({ url }) => !isPage(url))) report(`asks for ${url}`)
      if (locale === 'ja' ? OTHER_STORES.test(name) : !PAGES.test(name)) continue
      await tab.page.evaluate(axe)
      for (const violation of await violations(tab)) report(violation)
      if (locale !== 'ja' || !PAGES.test(name)) continue
      await tab.page.emulateMediaFeatures([STILL, { name: 'prefers-color-scheme', value: 'dark' }])
      for (const violation of await violations(tab, ['color-contrast']))
        report(`in the dark colour scheme, ${violation}`)
      await tab.page.emulateMediaFeatures([STILL])
    }
    expect(wrong).toEqual([])
  }, 60_000)
})

test('the longest names fit the smallest phone without horizontal scrolling', async () => {
  const tab = await openTab({ viewport: { width: 320, height: 568, isMobile: true } })
  const long = scenes(checkout, 'ja').filter(({ name }) => /long|faults|bank-transfer/.test(name))
  expect(long.length).toBe(3)
  for (const { enter, name } of long) {
    await enter(tab)
    await tab.unfoldAll()
    expect([name, await isWiderThanScreen(tab)]).toEqual([name, false])
  }
})

test('the printed instructions show the numbers and no buttons', async () => {
  const { instructions_url, confirmation_code, receipt } = await newCashPayment()
  const tab = await openTab()
  await tab.visit(`${instructions_url}?locale=en`)
  expect(await tab.has(texts.en.print, /^button$/)).toBe(true)
  await tab.page.emulateMediaType('print')
  expect(await tab.text()).toContain(confirmation_code)
  expect(await tab.text()).toContain(receipt)
  expect((await tab.elements()).filter(({ role }) => role === 'button')).toEqual([])
  await tab.page.emulateMediaType()
})

async function newCashPayment() {
  const payment_details = { type: 'konbini', store: 'lawson', email: 'hanako@example.com' }
  return (await checkout.post('/payments', { amount: 1000, currency: 'JPY', payment_details })).payment_details
}

test('a card payment needs only the keyboard', async () => {
  const t = texts.en
  const session = await checkout.newSession({ payment_types: ['paypay', 'credit_card'] })
  const tab = await openTab()
  await tab.visit(session.session_url)
  const focused = async () => (await tab.elements()).find((each) => each.focused && each.role !== 'RootWebArea')
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 20; presses += 1) {
      await tab.page.keyboard.press('Tab')
      const element = await focused()
      if (element && name.test(element.name)) return
    }
    throw new Error(`the keyboard does not reach ${name}`)
  }

  await tabTo(/^Credit card/)
  await tab.page.keyboard.press('Space')
  for (const field of ['number', 'expiry', 'verification_value', 'name'] as const) {
    await tabTo(new RegExp(`^${RegExp.escape(t.fields[field].label)}`))
    await tab.page.keyboard.type(typed_card[field].replace('/', ''))
  }
  const { value } = await tab.find(new RegExp(`^${t.fields.number.label}`))
  expect(value).toBe('4111 1111 1111 1111')
  await tabTo(new RegExp(`^${RegExp.escape(t.pay(money(1000, 'JPY', 'en')))}`))
  const arrival = checkout.shop.nextVisit()
  await tab.page.keyboard.press('Enter')
  expect((await arrival).url).toBe(`/paid?order=7&session_id=${session.id}`)
  expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
})

test('the form of a card payment has large enough controls on a phone', async () => {
  const session = await checkout.newSession({ payment_types: ['credit_card', 'konbini'] })
  const tab = await openTab({ viewport: phone })
  await tab.visit(session.session_url)
  await fillCard(tab)
  const small = await tab.page.evaluate(`[...document.querySelectorAll('button, input:not([type=hidden]), summary, a')]
    .filter((each) => each.getClientRects().length && (each.closest('label') ?? each).getBoundingClientRect().height < 44)
    .map((each) => each.outerHTML)`)
  expect(small).toEqual([])
  const arrival = checkout.shop.nextVisit()
  await tab.press(texts.en.pay(money(1000, 'JPY', 'en')))
  await arrival
  expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
})
