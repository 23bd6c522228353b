import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentType } from '#shared/domain/payment-details.ts'
import { locales } from '#shared/domain/session.ts'
import { money } from '#shared/pages/money.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { isWiderThanScreen, STILL, violations } from '#test/browser/browser-accessibility.ts'
import {
  type CheckoutSession,
  fillCard,
  type LiveCheckout,
  methodOf,
  openLiveCheckout,
  typed_card,
} from '#test/browser/browser-checkout.ts'
import { scenes } from '#test/browser/browser-scenes.ts'
import { phone, type Tab } from '#test/browser/browser-tab.ts'

/** Whether a URL is a page of ours or of the shop. Pages load no images, fonts or scripts of other URLs. */
const isPage = (url: string): boolean => /^\/(pages|stay)\//.test(`${new URL(url).pathname}/`)

const openTab = useBrowser()
let checkout: LiveCheckout

beforeAll(async () => {
  checkout = await openLiveCheckout()
})
afterAll(() => checkout?.close())

/** The smallest phone, a desktop of 1,280 pixels at a zoom of 200 % and of 100 %, and the phone of the other checks. */
const WIDTHS = [320, 640, 1280, phone.width]

/** The widths at which the page needs horizontal scrolling. */
async function tooNarrowFor(tab: Tab): Promise<string[]> {
  const wrong: string[] = []
  for (const width of WIDTHS) {
    await tab.page.setViewport({ ...phone, deviceScaleFactor: 1, width })
    if (await isWiderThanScreen(tab)) wrong.push(`needs horizontal scrolling at ${width} pixels`)
  }
  return wrong
}

/** What is wrong with the page as it is shown, in the light and the dark color scheme. */
async function faultsOf(tab: Tab): Promise<string[]> {
  await tab.page.emulateMediaFeatures([STILL, { name: 'prefers-color-scheme', value: 'dark' }])
  const dark = await violations(tab, ['color-contrast'])
  await tab.page.emulateMediaFeatures([STILL])
  const moving = await tab.page.evaluate('document.getAnimations().length')
  return [
    ...(await tooNarrowFor(tab)),
    ...(await violations(tab)),
    ...dark.map((violation) => `in the dark color scheme, ${violation}`),
    ...(moving ? ['moves although the customer prefers reduced motion'] : []),
  ]
}

describe.each(locales)('the pages in %s', (locale) => {
  test('have no accessibility violations, fit every screen, and do not move', async () => {
    const tab = await openTab({ viewport: { ...phone, deviceScaleFactor: 1 } })
    const wrong: string[] = []
    for (const { name, enter } of scenes(checkout, locale)) {
      await tab.page.emulateMediaFeatures([STILL])
      await enter(tab)
      const states = [['', await faultsOf(tab)]] as [string, string[]][]
      if (await tab.page.$('details:not([open])')) {
        await tab.unfoldAll()
        states.push([' unfolded', await faultsOf(tab)])
      }
      for (const [state, faults] of states) wrong.push(...faults.map((fault) => `${name}${state}: ${fault}`))
      if ((await tab.page.evaluate('document.documentElement.lang')) !== locale)
        wrong.push(`${name}: is in the wrong language`)
      for (const { url } of tab.requests.filter(({ url }) => !isPage(url))) wrong.push(`${name}: asks for ${url}`)
    }
    expect(wrong).toEqual([])
  })
})

test('the page of a payment that is checked moves, unless the customer prefers reduced motion', async () => {
  const waits = scenes(checkout, 'en').find(({ name }) => name === 'session-processing')!
  const tab = await openTab({ viewport: phone })
  await waits.enter(tab)
  expect(await tab.page.evaluate('document.getAnimations().length')).toBe(1)
  await tab.page.emulateMediaFeatures([STILL])
  expect(await tab.page.evaluate('document.getAnimations().length')).toBe(0)
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

const beginning = (text: string): RegExp => new RegExp(`^${RegExp.escape(text)}`)
const key = (tab: Tab, name: 'Enter' | 'ArrowDown') => tab.page.keyboard.press(name)

/** Presses Tab until an element with this name has the focus. */
async function tabTo(tab: Tab, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await tab.page.keyboard.press('Tab')
    const focused = (await tab.elements()).find((each) => each.focused && each.role !== 'RootWebArea')
    if (focused && name.test(focused.name)) return
  }
  throw new Error(`the keyboard does not reach ${name}`)
}

describe.each([
  { with_what: 'with JavaScript', javascript: true },
  { with_what: 'without JavaScript', javascript: false },
])('the keyboard is enough $with_what', ({ javascript }) => {
  const t = texts.en

  async function choose(type: PaymentType): Promise<{ tab: Tab; session: CheckoutSession }> {
    const session = await checkout.newSession({ payment_types: ['aupay', 'credit_card', 'konbini', 'paypay'] })
    const tab = await openTab({ javascript })
    await tab.visit(session.session_url)
    await tabTo(tab, methodOf(type))
    await tab.page.keyboard.press('Space')
    return { tab, session }
  }

  /** Presses Enter on a button, and returns the URL at which the customer arrives at the shop. */
  async function goToShop(tab: Tab, name: string): Promise<string> {
    await tabTo(tab, beginning(name))
    const arrival = checkout.shop.nextVisit()
    await key(tab, 'Enter')
    return (await arrival).url
  }

  test('for a card payment', async () => {
    const { tab, session } = await choose('credit_card')
    for (const field of ['number', 'expiry', 'verification_value', 'name'] as const) {
      await tabTo(tab, beginning(t.fields[field].label))
      await tab.page.keyboard.type(typed_card[field].replace('/', ''))
    }
    const { value } = await tab.find(beginning(t.fields.number.label))
    expect(value.replaceAll(' ', '')).toBe('4111111111111111')
    const pay = t.pay(money(1000, 'JPY', 'en'))
    expect(await goToShop(tab, pay)).toBe(`/paid?order=7&session_id=${session.id}`)
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('for a payment at a convenience store', async () => {
    const { tab, session } = await choose('konbini')
    await tabTo(tab, /^7-Eleven/)
    await key(tab, 'ArrowDown')
    await tabTo(tab, beginning(t.fields.email.label))
    await tab.page.keyboard.type(typed_card.email)
    await tabTo(tab, beginning(t.pay(money(1190, 'JPY', 'en'))))
    await Promise.all([tab.page.waitForNavigation(), key(tab, 'Enter')])
    expect(await tab.text()).toContain('Lawson')
    await tabTo(tab, beginning(t.simulate))
    await Promise.all([tab.page.waitForNavigation(), key(tab, 'Enter')])
    expect(await goToShop(tab, t.back_to_shop)).toBe(`/paid?order=7&session_id=${session.id}`)
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('for a payment by wallet', async () => {
    const { tab, session } = await choose('paypay')
    await tabTo(tab, beginning(checkout_texts.en.go_to('PayPay', money(1000, 'JPY', 'en'))))
    await Promise.all([tab.page.waitForNavigation(), key(tab, 'Enter')])
    expect(await goToShop(tab, t.approve)).toBe(`/paid?order=7&session_id=${session.id}`)
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })
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
