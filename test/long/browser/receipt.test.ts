import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { type Checkout, openCheckout } from '#test/browser/browser-checkout.ts'
import { phone, type Tab } from '#test/browser/browser-tab.ts'
import { see, submit } from '#test/browser/browsing.ts'
import { card } from '#test/fixtures/api.ts'

const t = texts.en
const last = last_page_texts.en

const openTab = useBrowser()
let checkout: Checkout

beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

const konbini = { type: 'konbini', store: 'lawson', email: 'hanako@example.com' }

async function newCashPayment() {
  const order = { amount: 1000, currency: 'JPY', locale: 'en', external_order_num: 'A-7' }
  const { payment_details } = await checkout.post('/payments', { ...order, payment_details: konbini })
  return payment_details as { instructions_url: string; receipt: string; confirmation_code: string }
}

async function newPaidSession() {
  const session = await checkout.newSession({ external_order_num: 'A-7', payment_data: { tax: 100 } })
  await checkout.post(`/sessions/${session.id}/pay`, { payment_details: card() })
  await checkout.api.advance(120)
  return session
}

/** Makes the page look at once, as it does when the connection is back. */
const comeOnline = ({ page }: Tab) => page.evaluate(`dispatchEvent(new Event('online'))`)

const buttonsOf = async (tab: Tab) =>
  (await tab.elements()).filter(({ role }) => role === 'button' || role === 'link').map(({ name }) => name)

describe('the receipt of a session', () => {
  test.each([true, false])(
    'stays open for a customer who comes back later, with JavaScript: %s',
    async (javascript) => {
      const { id, session_url } = await newPaidSession()
      const tab = await openTab({ javascript })
      await tab.visit(session_url)
      const text = await tab.text()
      for (const part of ['Test shop', 'A-7', 'Visa •••• 1111', '¥1,000', '¥100', '¥1,100', '(Japan time)'])
        expect(text).toContain(part)
      expect((await buttonsOf(tab)).includes(t.print)).toBe(javascript)
      const arrival = checkout.shop.nextVisit()
      await tab.press(t.back_to_shop)
      expect((await arrival).url).toBe(`/paid?order=7&session_id=${id}`)
    },
  )

  test('prints what was paid, and no buttons or links', async () => {
    const tab = await openTab()
    await tab.visit((await newPaidSession()).session_url)
    await tab.page.emulateMediaType('print')
    expect(await tab.text()).toMatch(/Test shop[\s\S]*A-7[\s\S]*Visa •••• 1111[\s\S]*¥1,100/)
    expect(await buttonsOf(tab)).toEqual([])
    await tab.page.emulateMediaType()
  })
})

describe('the page of a cash payment', () => {
  test('copies each number, and announces it', async () => {
    const { instructions_url, receipt, confirmation_code } = await newCashPayment()
    const tab = await openTab()
    const context = tab.page.browserContext()
    await context.overridePermissions(checkout.api.url, [
      'clipboard-read',
      'clipboard-write',
      'clipboard-sanitized-write',
    ])
    await tab.visit(instructions_url)
    for (const [code, value] of [
      [t.codes.receipt, receipt],
      [t.codes.confirmation_code, confirmation_code],
    ] as const) {
      const button = await tab.page.waitForSelector(`aria/${last.copy_code(code)}`)
      await button!.click()
      await tab.page.waitForFunction(
        `document.querySelector('[role=status]').textContent === '${last.copied.replace('{}', code)}'`,
      )
      expect(await tab.page.evaluate('navigator.clipboard.readText()')).toBe(value)
    }
    await context.clearPermissionOverrides()
  })

  test('offers no button that copies without JavaScript', async () => {
    const tab = await openTab({ javascript: false })
    await tab.visit((await newCashPayment()).instructions_url)
    expect((await buttonsOf(tab)).sort()).toEqual(
      ['日本語', 'English', '한국어', last.calendar, t.check_again, t.simulate].sort(),
    )
  })

  test('turns into the receipt by itself when the payment arrives', async () => {
    const { instructions_url } = await newCashPayment()
    const tab = await openTab()
    await tab.visit(instructions_url)
    expect(await tab.text()).toContain(last.updates_itself)
    await comeOnline(tab)
    expect(await tab.text()).toContain(last.updates_itself)
    await submit(instructions_url, {})
    const loaded = tab.page.waitForNavigation()
    await comeOnline(tab)
    await loaded
    const text = await tab.text()
    for (const part of [t.endings.paid.title, 'A-7', 'Lawson', '¥190', '¥1,190']) expect(text).toContain(part)
  })

  test('turns into the receipt by a link without JavaScript', async () => {
    const { instructions_url } = await newCashPayment()
    const tab = await openTab({ javascript: false })
    await tab.visit(instructions_url)
    expect(await tab.text()).not.toContain(last.updates_itself)
    await submit(instructions_url, {})
    await tab.press(t.check_again)
    expect(await tab.text()).toContain(t.endings.paid.title)
  })

  test('shows the code for a phone on a desktop only, and does not print it', async () => {
    const { instructions_url } = await newCashPayment()
    const tab = await openTab()
    await tab.visit(instructions_url)
    expect(await tab.has(last.phone_code)).toBe(true)
    await tab.page.emulateMediaType('print')
    expect(await tab.has(last.phone_code)).toBe(false)
    expect(await tab.text()).not.toContain(last.updates_itself)
    await tab.page.emulateMediaType()
    const small = await openTab({ viewport: phone })
    await small.visit(instructions_url)
    expect(await small.has(last.phone_code)).toBe(false)
  })

  test('has controls of at least 44 pixels on a phone, and fits the smallest screen', async () => {
    const { instructions_url } = await newCashPayment()
    const tab = await openTab({ viewport: { width: 320, height: 568, isMobile: true } })
    await tab.visit(instructions_url)
    const small = await tab.page.evaluate(`[...document.querySelectorAll('main button, main a')]
      .filter((each) => each.getClientRects().length && each.getBoundingClientRect().height < 44)
      .map((each) => each.outerHTML)`)
    expect(small).toEqual([])
    expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })

  test('links to a calendar file that the browser saves', async () => {
    const { instructions_url } = await newCashPayment()
    const tab = await openTab()
    await tab.visit(instructions_url)
    const href = await tab.page.$eval('a.deadline', (link) => (link as unknown as { href: string }).href)
    const { status, headers } = await see(href)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  })
})

test('a customer who waits for the bank goes on to the shop by itself once the outcome is known', async () => {
  const session = await checkout.newSession()
  const unknown = { 'x-service-scenario': 'timeout_after_charge' }
  await checkout.post(`/sessions/${session.id}/pay`, { payment_details: card() }, unknown)
  const tab = await openTab()
  await tab.visit(session.session_url)
  expect(await tab.text()).toContain(t.endings.processing.text)
  await checkout.api.advance(60)
  const arrival = checkout.shop.nextVisit()
  await comeOnline(tab)
  expect((await arrival).url).toBe(`/paid?order=7&session_id=${session.id}`)
})
