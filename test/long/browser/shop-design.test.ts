import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useBrowser } from '#test/browser/browser.ts'
import { isWiderThanScreen, STILL, violations } from '#test/browser/browser-accessibility.ts'
import { phone } from '#test/browser/browser-tab.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

/** These tests open pages of merchants with unusual accent colors and names. */

const openTab = useBrowser()
const smallest_phone = { ...phone, width: 320, height: 568, deviceScaleFactor: 1 }
let api: Api
let account: string
let key: string
beforeAll(async () => {
  api = await openApi()
  const { body } = await api.request('POST /_local/merchants', { json: { name: 'Tea house' }, key: null })
  account = body.account
  key = body.test.secret_key
})
afterAll(() => api?.close())

const post = async (path: string, json: object) => (await api.request(`POST ${path}`, { json, key })).body
const patch = (json: object) => api.request(`PATCH /accounts/${account}`, { json, key })
const order = { amount: 1000, currency: 'JPY', default_locale: 'en' }
const cash = { type: 'konbini', store: 'lawson', email: 'hanako@example.com' }

/** For each page, a function that returns its URL. */
const pages = {
  session: async () => (await post('/sessions', order)).session_url,
  'completed session': async () => {
    const { id, session_url } = await post('/sessions', order)
    await post(`/sessions/${id}/pay`, { payment_details: card() })
    return session_url
  },
  wallet: async () => payment({ type: 'paypay' }, 'redirect_url'),
  '3-D Secure': async () => payment(card('4100000000000100'), 'redirect_url'),
  instructions: async () => payment(cash, 'instructions_url'),
} as const satisfies Record<string, () => Promise<string>>

async function payment(payment_details: object, url: string): Promise<string> {
  const json = { amount: 1000, currency: 'JPY', payment_details, return_url: 'https://shop.example.com/' }
  return `${(await post('/payments', json)).payment_details[url]}?locale=en`
}

/** Black, white, the grey with the same contrast to both, and colors with little contrast in one of the schemes. */
const colors = ['#000000', '#ffffff', '#777777', '#ffff00', '#00ff00', '#0000ff', '#ff0000', '#f4f5f8', '#11141b']

describe.each(['light', 'dark'])('in the %s color scheme', (value) => {
  test.each(colors)('every text has enough contrast on pages with the accent color %s', async (accent_color) => {
    await patch({ display_name: 'Tea house', accent_color })
    const tab = await openTab({ viewport: smallest_phone })
    await tab.page.emulateMediaFeatures([STILL, { name: 'prefers-color-scheme', value }])
    for (const [name, open] of Object.entries(pages)) {
      await tab.visit(await open())
      await tab.unfoldAll()
      expect([name, await violations(tab, ['color-contrast'])]).toEqual([name, []])
    }
  })
})

describe.each([
  ['one character', 'x'],
  ['255 characters without a space', 'x'.repeat(255)],
  ['255 wide characters', '語'.repeat(255)],
  ['text from right to left', 'מאפיית הזית 2000'],
  ['emoji', '👩‍🍳🍵'.repeat(20)],
  ['markup', '<img src=x onerror=alert(1)><h1>Tea</h1>'],
])('a name of %s', (_what, display_name) => {
  test.each(Object.entries(pages))('is shown on the page %s of the smallest phone', async (_page, open) => {
    await patch({ display_name, accent_color: null })
    const tab = await openTab({ viewport: smallest_phone })
    await tab.visit(await open())
    await tab.unfoldAll()
    expect(await tab.text()).toContain(display_name)
    expect(await tab.page.title()).toContain(display_name)
    expect(await isWiderThanScreen(tab)).toBe(false)
    expect(await tab.page.$$('h1')).toHaveLength(1)
  })
})
