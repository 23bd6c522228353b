import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PaymentType, payment_type_rows } from '#shared/domain/payment-details.ts'
import { money } from '#shared/pages/money.ts'
import { send_texts } from '#shared/pages/texts/send-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser, useNetworks } from '#test/browser/browser.ts'
import { type Checkout, type CheckoutSession, openCheckout } from '#test/browser/browser-checkout.ts'
import { buttonOf, fillMethod } from '#test/browser/browser-methods.ts'
import type { Tab } from '#test/browser/browser-tab.ts'

/**
 * These tests do with a card, a convenience store and a wallet what could pay twice: double clicks, the back button,
 * reloads, two tabs and a lost connection. At the end, exactly one payment is paid.
 */

const t = texts.en
const { offline } = send_texts.en.notices.payment
const BUTTON = 'main form .button'

const openTab = useBrowser()
const networkOf = useNetworks()
let checkout: Checkout
beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

const methods = [
  { type: 'credit_card', after: t.endings.completed.title },
  { type: 'konbini', after: t.numbers },
  { type: 'paypay', after: t.approve_heading('PayPay') },
] as const satisfies { type: PaymentType; after: string }[]

const modes = [
  { with_what: 'with JavaScript', javascript: true },
  { with_what: 'without JavaScript', javascript: false },
]

const cases = modes.flatMap((mode) => methods.map((method) => ({ ...mode, ...method })))

describe.each(cases)('a customer $with_what who pays by $type', ({ type, after, javascript }) => {
  const button = buttonOf(type, money(1000 + payment_type_rows[type].fee, 'JPY', 'en'))

  const newSession = () => checkout.newSession({ payment_types: [type], return_url: null })

  /** Opens the page of a session and fills in its form. */
  async function visit({ session_url }: CheckoutSession): Promise<Tab> {
    const tab = await openTab({ javascript })
    expect(await tab.visit(session_url)).toBe(200)
    await fillMethod(tab, type)
    return tab
  }

  /** Waits until the page after the form is shown. */
  const arrives = (tab: Tab) => expect.poll(() => tab.has(after, /^heading$/), { timeout: 10_000 }).toBe(true)

  /** Does what is left to do after the form, and checks that there is one payment that is or can be paid. */
  async function finish(tab: Tab, { id }: CheckoutSession): Promise<void> {
    await arrives(tab)
    if (type === 'konbini') await tab.press(t.simulate)
    if (type === 'paypay') await tab.press(t.approve)
    expect(await checkout.sessionOf(id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
    const statuses = await checkout.statusesOf(id)
    expect(statuses.filter((status) => status !== 'cancelled')).toEqual(['captured'])
    if (type !== 'paypay') expect(statuses).toEqual(['captured'])
  }

  test('with a double click pays once', async () => {
    const session = await newSession()
    const tab = await visit(session)
    // Both clicks happen before the page can change. Otherwise the second one could hit a button of the next page.
    await tab.page.$eval(BUTTON, (button) => {
      for (let clicks = 0; clicks < 2; clicks++) (button as unknown as { click(): void }).click()
    })
    await finish(tab, session)
  })

  test('and goes back pays once', async () => {
    const session = await newSession()
    const tab = await visit(session)
    await tab.press(button)
    await arrives(tab)
    await tab.page.goBack()
    if (type === 'paypay') {
      // The customer has not paid yet, and chooses again.
      expect(await tab.press(button)).toBe(200)
    } else {
      await tab.visit(session.session_url)
      expect(await tab.has(button)).toBe(false)
      if (type === 'konbini') await tab.press(t.see_instructions)
    }
    await finish(tab, session)
  })

  test('and reloads each page pays once', async () => {
    const session = await newSession()
    const tab = await visit(session)
    await tab.page.reload()
    await fillMethod(tab, type)
    await tab.press(button)
    await arrives(tab)
    await tab.page.reload()
    await finish(tab, session)
    await tab.page.reload()
    expect(await tab.text()).toContain(t.endings[type === 'konbini' ? 'paid' : 'completed'].title)
    expect((await checkout.statusesOf(session.id)).filter((status) => status === 'captured')).toHaveLength(1)
  })

  test('in two tabs at the same time pays once', async () => {
    const session = await newSession()
    const tabs = [await visit(session), await visit(session)] as const
    await Promise.all(tabs.map((tab) => tab.press(button)))
    for (const tab of tabs) await tab.visit(session.session_url)
    if (type === 'konbini') await tabs[1].press(t.see_instructions)
    if (type === 'paypay') await tabs[1].press(button)
    await finish(tabs[1], session)
    await tabs[0].visit(session.session_url)
    expect(await tabs[0].has(button)).toBe(false)
  })

  test('while the browser is offline pays once when it is online again', async () => {
    const session = await newSession()
    const tab = await visit(session)
    await tab.page.setOfflineMode(true)
    await tab.page.click(BUTTON)
    if (javascript) await expect.poll(() => tab.text()).toContain(offline.title)
    else await expect.poll(() => tab.page.url()).toContain('chrome-error:')
    expect(await checkout.statusesOf(session.id)).toEqual([])
    await tab.page.setOfflineMode(false)
    if (!javascript) {
      await tab.visit(session.session_url)
      await fillMethod(tab, type)
    }
    await tab.press(button)
    await finish(tab, session)
    tab.complaints.length = 0
  })

  test('and loses the response pays once', async () => {
    const session = await newSession()
    const tab = await visit(session)
    const network = await networkOf(tab)
    let posts = 0
    network.fateOf = (request) => (request.method() === 'POST' && posts++ === 0 ? 'answer lost' : 'passes')
    // The connection breaks once the service has handled the request.
    const broken = new Promise((resolve) => tab.page.once('requestfailed', resolve))
    await tab.page.click(BUTTON)
    await broken
    expect(await checkout.statusesOf(session.id)).toHaveLength(1)
    if (!javascript) await expect.poll(() => tab.page.url()).toContain('chrome-error:')
    await tab.visit(session.session_url)
    if (type === 'konbini') await tab.press(t.see_instructions)
    if (type === 'paypay') await tab.press(button)
    await finish(tab, session)
    tab.complaints.length = 0
  })
})
