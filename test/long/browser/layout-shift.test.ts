import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Locale, locales } from '#shared/domain/session.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { type Checkout, openCheckout } from '#test/browser/browser-checkout.ts'
import { measuresOf, recordShifts } from '#test/browser/browser-performance.ts'
import { openInPieces } from '#test/browser/browser-slow-page.ts'
import { desktop, phone, type Tab } from '#test/browser/browser-tab.ts'
import { partsWith } from '#test/fixtures/documents.ts'

/** These tests count the requests of a session's page, and how far its parts move while a customer types a card. */

const openTab = useBrowser()
let checkout: Checkout
beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

const line_items = Array.from({ length: 40 }, (_, at) => ({ description: `Article ${at + 1}`, amount: 25 }))
const all_methods = { line_items, payment_data: { tax: 100 }, payment_types: undefined }

/** What customers type, by the `autocomplete` of the field. */
const visa = {
  'cc-number': '4111111111111111',
  'cc-exp': '1235',
  'cc-csc': '123',
  'cc-name': 'Hanako Yamada',
  email: 'hanako@example.com',
}
const american_express = { ...visa, 'cc-number': '378282246310005', 'cc-csc': '1234' }
const faulty = { ...visa, 'cc-number': '4111111111111112', 'cc-exp': '1320', 'cc-csc': '1', email: 'hanako' }

/** Opens a page and records its shifts. */
async function visit(url: string, viewport = phone): Promise<Tab> {
  const tab = await openTab({ viewport })
  await recordShifts(tab.page)
  expect(await tab.visit(url)).toBe(200)
  return tab
}

const urlsOf = ({ requests }: Tab) => requests.map(({ url }) => url)
const shiftOf = async ({ page }: Tab) => (await measuresOf(page)).layout_shift
/** The URL from which the browser gets the icon of the page. It loads none in headless mode. */
const iconOf = ({ page }: Tab) => page.evaluate(`document.querySelector('link[rel=icon]').href`)
const movedOf = async ({ page }: Tab) => (await measuresOf(page)).moved

/** Opens the card form, if it is folded. The other methods move for that, because the customer has asked for it. */
async function openCardForm(tab: Tab): Promise<void> {
  await tab.page.evaluate(`for (let part = document.querySelector('[autocomplete=cc-number]'); part; part = part.parentElement)
    if (part.tagName === 'DETAILS') part.open = true`)
  await shiftOf(tab)
  await tab.page.evaluate('shifts.length = 0')
}

/** Types into the card form key by key and leaves every field. */
async function type({ page }: Tab, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [field, text] of Object.entries(texts)) {
    await page.focus(`form:has([autocomplete=cc-number]) [autocomplete="${field}"]`)
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Tab')
}

const screens = [
  { screen: 'a phone', viewport: phone },
  { screen: 'the smallest phone', viewport: { ...phone, width: 320, height: 568 } },
  { screen: 'a desktop', viewport: desktop },
]
const looks = screens.flatMap((look) => locales.map((locale: Locale) => ({ ...look, locale })))

describe.each(looks)('the page of a session in $locale on $screen', ({ viewport, locale }) => {
  test('is complete after one request, and none of its parts moves while it loads', async () => {
    const { session_url } = await checkout.newSession({ ...all_methods, default_locale: locale })
    const tab = await visit(session_url, viewport)
    expect(await movedOf(tab)).toEqual([])
    expect(urlsOf(tab)).toEqual([session_url])
    expect(await iconOf(tab)).toMatch(/^data:/)
  })

  test.each([
    ['Visa', visa],
    ['American Express', american_express],
  ])('asks for nothing and moves no part while a customer types a card of %s', async (_brand, texts) => {
    const { session_url } = await checkout.newSession({ ...all_methods, default_locale: locale })
    const tab = await visit(session_url, viewport)
    await openCardForm(tab)
    await type(tab, texts)
    expect(await movedOf(tab)).toEqual([])
    expect(urlsOf(tab)).toEqual([session_url])
  })
})

test.each(screens)(
  'the page of a session moves no part that a customer has seen while it arrives on $screen',
  async ({ viewport }) => {
    const { session_url } = await checkout.newSession({ ...all_methods, default_locale: 'ja' })
    const tab = await openTab({ viewport })
    await recordShifts(tab.page)
    expect(await openInPieces(tab.page, session_url)).toBeGreaterThan(20)
    expect(await movedOf(tab)).toEqual([])
  },
)

test('the page of a session asks for nothing while a customer types a card with faults', async () => {
  const { session_url } = await checkout.newSession(all_methods)
  const tab = await visit(session_url)
  await openCardForm(tab)
  await type(tab, faulty)
  expect(urlsOf(tab)).toEqual([session_url])
})

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test.each([
  ['a logo', dot],
  ['a logo that is cut off', dot.subarray(0, 40)],
])('the page of a session with %s asks for the logo, and none of its parts moves', async (_what, png) => {
  const { body } = await checkout.api.request('POST /_local/merchants', { json: { name: 'Tea house' }, key: null })
  const key = body.test.secret_key
  const parts = partsWith(['paper', Uint8Array.from(png), 'logo.png'])
  const { id: logo } = (await checkout.api.request('POST /files', { parts, key })).body
  await checkout.api.request(`PATCH /accounts/${body.account}`, { json: { logo }, key })
  const json = { amount: 1000, currency: 'JPY', return_url: `${checkout.shop.url}/paid` }
  const { session_url } = (await checkout.api.request('POST /sessions', { json, key })).body
  const tab = await visit(session_url)
  expect(await movedOf(tab)).toEqual([])
  expect(urlsOf(tab)).toEqual([session_url, await iconOf(tab)])
  expect(await iconOf(tab)).toBe(`${checkout.api.url}/logos/${body.account}/${logo}`)
})

test('a part that moves is counted', async () => {
  const tab = await visit((await checkout.newSession()).session_url)
  // Only a part that the browser has painted can move.
  expect(await shiftOf(tab)).toBe(0)
  await tab.page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforebegin', '<p>More</p><p>More</p>')`)
  expect(await shiftOf(tab)).toBeGreaterThan(0)
})
