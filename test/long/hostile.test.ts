import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { money } from '#shared/pages/money.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { type Checkout, fillCard, openCheckout } from '#test/browser/browser-checkout.ts'
import { STAY } from '#test/browser/browser-shop.ts'
import type { Tab } from '#test/browser/browser-tab.ts'
import { card } from '#test/fixtures/api.ts'

/** Texts that would run a script if a page used them as markup. */
const corpus = [
  '<script>window.__xss=1</script>',
  '</script><script>window.__xss=1</script>',
  '</title></style></textarea></main><script>window.__xss=1</script>',
  '"><img src=x onerror=window.__xss=1>',
  "'><svg/onload=window.__xss=1>",
  '" autofocus onfocus=window.__xss=1 x="',
  "' onmouseover='window.__xss=1",
  'javascript:window.__xss=1',
  '<iframe srcdoc="<script>top.__xss=1</script>">',
  '<a href="javascript:window.__xss=1">here</a>',
  '<meta http-equiv="refresh" content="0;url=javascript:window.__xss=1">',
  '<base href="https://elsewhere.example/">',
  '<form action="https://elsewhere.example/"><button>pay</button></form>',
  '&lt;script&gt;window.__xss=1&lt;/script&gt;',
  '{{constructor.constructor("window.__xss=1")()}}',
  '<!--><script>window.__xss=1</script>-->',
  '\u003cscript\u003ewindow.__xss=1\u003c/script\u003e',
  '`-window.__xss=1-`',
]
const ALL = corpus.join(' ')

const t = texts.en
const PAY = t.pay(money(1000, 'JPY', 'en'))
const openTab = useBrowser()
let checkout: Checkout

beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

/** Expects that no script of the corpus ran and that no text of it became markup. */
async function expectHarmless({ page }: Tab): Promise<void> {
  expect(await page.evaluate('window.__xss')).toBeUndefined()
  const foreign = await page.evaluate(`[
    ...document.querySelectorAll('iframe, img, base, object, embed, script:not([nonce]), style:not([nonce]), a[href^="javascript:"]'),
    ...[...document.querySelectorAll('*')].filter((each) => [...each.attributes].some(({ name }) => /^on|^style$/.test(name))),
    ...[...document.forms].filter((form) => new URL(form.action).origin !== location.origin),
  ].map((each) => each.outerHTML)`)
  expect(foreign).toEqual([])
}

describe('hostile texts', () => {
  const hostile = () => ({
    line_items: corpus.map((description) => ({
      description,
      amount: 1,
      quantity: 1,
      image: 'https://x.example/"><script>',
    })),
    metadata: Object.fromEntries(corpus.map((text, at) => [`${at}<script>`, text])),
    payment_data: { external_order_num: ALL.slice(0, 255) },
    return_url: `${checkout.shop.url}${STAY}?q=${ALL.replaceAll(/\s/g, '')}`,
  })

  test('of the merchant run no script on the pages of a session', async () => {
    const payment_types = ['credit_card', 'konbini', 'paypay']
    const session = await checkout.newSession({ ...hostile(), payment_types })
    const tab = await openTab()
    await tab.visit(session.session_url)
    const shown = await tab.text()
    expect(corpus.filter((text) => !shown.includes(text))).toEqual([])
    await expectHarmless(tab)
    await fillCard(tab, { number: '4100000000000100' })
    await tab.press(PAY)
    await expectHarmless(tab)
    const arrival = checkout.shop.nextVisit()
    await tab.press(t.authenticate)
    await tab.arriveAt(session.session_url)
    await expectHarmless(tab)
    expect(await tab.has(/^Return to/, /^link$/)).toBe(true)
    const { searchParams } = new URL((await arrival).url, checkout.shop.url)
    expect(searchParams.get('session_id')).toBe(session.id)
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('of the merchant run no script on the pages of a payment', async () => {
    const { line_items: _, payment_data, ...texts } = hostile()
    const json = { amount: 1000, currency: 'JPY', locale: 'en', description: ALL, ...payment_data, ...texts }
    const konbini = { type: 'konbini', store: 'lawson', email: 'hanako@example.com' }
    const tab = await openTab()
    const cash = await checkout.post('/payments', { ...json, payment_details: konbini })
    await tab.visit(cash.payment_details.instructions_url)
    await expectHarmless(tab)
    const wallet = await checkout.post('/payments', { ...json, payment_details: { type: 'paypay' } })
    await tab.visit(wallet.payment_details.redirect_url)
    await expectHarmless(tab)
    await tab.press(t.decline)
    await expectHarmless(tab)
    const payment_details = card('4100000000000100')
    const token = await checkout.post('/secure_tokens', { ...json, payment_details })
    await tab.visit(`${token.authentication_url}?locale=en`)
    await expectHarmless(tab)
    await tab.press(t.close)
    await expectHarmless(tab)
  })

  test('of the customer run no script when the form repeats them', async () => {
    const session = await checkout.newSession()
    const tab = await openTab()
    await tab.visit(session.session_url)
    for (const text of [ALL.slice(0, 120), corpus[3]!, corpus[5]!]) {
      await fillCard(tab, { number: text, expiry: text, verification_value: text, name: text, email: text })
      expect(await tab.press(PAY)).toBe(422)
      await expectHarmless(tab)
      await fillCard(tab, { number: '4123111111111059', name: text.slice(0, 100) })
      expect(await tab.press(PAY)).toBe(402)
      expect((await tab.find(t.fields.name.label)).value).toBe(text.slice(0, 100))
      await expectHarmless(tab)
    }
  })

  test('in the URL run no script', async () => {
    const { session_url } = await checkout.newSession()
    const tab = await openTab()
    for (const text of corpus) {
      expect(
        await tab.visit(`${session_url}?locale=${encodeURIComponent(text)}&type=${encodeURIComponent(text)}`),
      ).toBe(200)
      await expectHarmless(tab)
    }
    const { api } = checkout
    await tab.visit(`${api.url}/pages/sessions/${encodeURIComponent(ALL)}/${encodeURIComponent(ALL)}`)
    await expectHarmless(tab)
  })

  test.each(['javascript:window.__xss=1', 'data:text/html,<script>1</script>', 'vbscript:x', ' JaVaScRiPt:x'])(
    'are refused as return_url: %s',
    async (return_url) => {
      const json = { amount: 1000, currency: 'JPY', return_url }
      const { status, body } = await checkout.api.request('POST /sessions', { json })
      expect({ status, param: body.error?.param }).toEqual({ status: 422, param: 'return_url' })
    },
  )
})

describe('another site', () => {
  const typed = {
    type: 'credit_card',
    number: '4111111111111111',
    expiry: '12/35',
    verification_value: '123',
    name: 'A B',
  }
  const inputs = Object.entries(typed).map(([name, value]) => `<input name="${name}" value="${value}">`)
  const formTo = (url: string) =>
    `<form method="post" action="${url}">${inputs.join('')}<button>A prize</button></form>`
  const submit = '<script>document.forms[0].submit()</script>'
  const escaped = (html: string) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

  test.each([
    ['on another host', (url: string) => formTo(url), 'localhost'],
    ['on another port of the same host', (url: string) => formTo(url), '127.0.0.1'],
    ['without a referrer', (url: string) => `<meta name="referrer" content="no-referrer">${formTo(url)}`, 'localhost'],
    [
      'with JSON in a text form',
      (url: string) => formTo(url).replace('<form', '<form enctype="text/plain"'),
      'localhost',
    ],
  ])('%s cannot pay or cancel a session', async (_what, page, host) => {
    const session = await checkout.newSession()
    const tab = await openTab()
    for (const url of [session.session_url, `${session.session_url}/cancel`]) {
      checkout.shop.show('/prize', page(url))
      await tab.visit(`${checkout.shop.url.replace('localhost', host)}/prize`)
      expect(await tab.press('A prize')).toBe(403)
    }
    expect(await checkout.sessionOf(session.id)).toMatchObject({ status: 'pending', payment: null })
    expect(await checkout.statusesOf(session.id)).toEqual([])
  })

  test('cannot decide on an off-site payment, simulate a cash payment, or pass 3-D Secure', async () => {
    const json = { amount: 1000, currency: 'JPY', return_url: checkout.shop.url }
    const wallet = await checkout.post('/payments', { ...json, payment_details: { type: 'paypay' } })
    const konbini = { type: 'konbini', store: 'lawson', email: 'hanako@example.com' }
    const cash = await checkout.post('/payments', { ...json, payment_details: konbini })
    const token = await checkout.post('/secure_tokens', { ...json, payment_details: card('4100000000000100') })
    const tab = await openTab()
    for (const [url, decision] of [
      [wallet.payment_details.redirect_url, 'approve'],
      [cash.payment_details.instructions_url, 'pay'],
      [token.authentication_url, 'authenticate'],
    ]) {
      checkout.shop.show(
        '/prize',
        `<form method="post" action="${url}"><button name="decision" value="${decision}">A prize</button></form>`,
      )
      await tab.visit(`${checkout.shop.url}/prize`)
      expect(await tab.press('A prize')).toBe(403)
    }
    const now = async (path: string) => (await checkout.api.request(`GET ${path}`)).body
    expect(await now(`/payments/${wallet.id}`)).toMatchObject({ status: 'pending' })
    expect(await now(`/payments/${cash.id}`)).toMatchObject({ status: 'authorized' })
    expect(await now(`/secure_tokens/${token.id}`)).toMatchObject({ verification_status: 'NEEDS_VERIFY' })
  })

  test('cannot pay from a sandboxed frame, and cannot frame the page', async () => {
    const session = await checkout.newSession()
    const sandboxed = `<iframe sandbox="allow-forms allow-scripts" srcdoc="${escaped(formTo(session.session_url) + submit)}"></iframe>`
    checkout.shop.show('/frames', `${sandboxed}<iframe src="${session.session_url}"></iframe>`)
    const tab = await openTab()
    const refused = new Promise((answered) =>
      tab.page.on('response', (response) => response.request().method() === 'POST' && answered(response.status())),
    )
    await tab.visit(`${checkout.shop.url}/frames`)
    expect(await refused).toBe(403)
    expect(tab.page.frames().map((frame) => frame.url())).not.toContain(session.session_url)
    expect(await checkout.sessionOf(session.id)).toMatchObject({ status: 'pending', payment: null })
    expect(await checkout.statusesOf(session.id)).toEqual([])
    // The browser correctly reports that it refused to show the frames.
    tab.complaints.length = 0
  })
})
