import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { money } from '#shared/pages/money.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import { send_texts } from '#shared/pages/texts/send-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser, useNetworks } from '#test/browser/browser.ts'
import {
  type Checkout,
  type CheckoutSession,
  fillCard,
  labelOf,
  methodOf,
  openCheckout,
} from '#test/browser/browser-checkout.ts'
import type { Fate, Network } from '#test/browser/browser-network.ts'
import type { Tab } from '#test/browser/browser-tab.ts'
import { submit, typed_card } from '#test/browser/browsing.ts'

/** These tests break the connection between a customer who pays and the service. Every one must make one payment. */

const t = texts.en
const { offline, unknown, busy, unpaid, unreachable } = send_texts.en.notices.payment
const PAY = t.pay(money(1000, 'JPY', 'en'))
const DECLINED = '4123111111111059'
const BUTTON = 'main form .button'

const openTab = useBrowser()
const networkOf = useNetworks()
let checkout: Checkout

beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

/** Opens the page of a session over a network with faults, and fills in the card. */
async function visit(session: CheckoutSession, number?: string): Promise<{ tab: Tab; network: Network }> {
  const tab = await openTab()
  const network = await networkOf(tab)
  await tab.visit(session.session_url)
  await fillCard(tab, number ? { number } : {})
  return { tab, network }
}

const click = (tab: Tab) => tab.page.click(BUTTON)
const shows = (tab: Tab, text: string) => expect.poll(() => tab.text()).toContain(text)
const numberIn = async (tab: Tab) => (await tab.find(labelOf('number'))).value
const isUsable = (tab: Tab) => tab.page.evaluate(`!document.querySelector('${BUTTON}').ariaDisabled`)
const posts = (tab: Tab) => tab.requests.filter(({ method }) => method === 'POST').length

/** A fate for each POST in turn. Further POSTs and all other requests get `others`. */
const forPosts = (fates: Fate[], others: Fate = 'passes'): Network['fateOf'] => {
  const left = [...fates]
  return (request) => (request.method() === 'POST' && left.shift()) || others
}

describe('a customer whose connection breaks', () => {
  test('is asked not to pay again, and arrives at the shop, if the service has charged the card', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    const check = Promise.withResolvers<'passes'>()
    network.fateOf = forPosts(['answer lost'], check.promise)
    await click(tab)
    await shows(tab, unknown.title)
    expect(await tab.text()).toContain(unknown.text)
    expect(await isUsable(tab)).toBe(false)
    await click(tab)
    expect(posts(tab)).toBe(1)
    const arrival = checkout.shop.nextVisit()
    check.resolve('passes')
    network.fateOf = () => 'passes'
    expect((await arrival).url).toBe(`/paid?order=7&session_id=${session.id}`)
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('learns that nothing was paid, and pays without typing again, if nothing reached the service', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    network.fateOf = forPosts(['lost'])
    await click(tab)
    await shows(tab, unpaid.title)
    expect(await isUsable(tab)).toBe(true)
    expect(await numberIn(tab)).toBe('4111 1111 1111 1111')
    const arrival = checkout.shop.nextVisit()
    await tab.press(PAY)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('sees the decline whose response was lost, and the typed card', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session, DECLINED)
    network.fateOf = forPosts(['answer lost'])
    await click(tab)
    await shows(tab, t.declined.card_declined)
    expect(await numberIn(tab)).toBe('4123 1111 1111 1059')
    // The next request never arrives, so the same decline is not a result of it.
    network.fateOf = forPosts(['lost'])
    await click(tab)
    await shows(tab, unpaid.title)
    expect(await tab.text()).not.toContain(t.declined.card_declined)
    expect(await checkout.statusesOf(session.id)).toEqual(['failed'])
  })

  test('sends nothing while the browser is offline', async () => {
    const session = await checkout.newSession()
    const { tab } = await visit(session)
    await tab.page.setOfflineMode(true)
    await click(tab)
    await shows(tab, offline.title)
    expect(posts(tab)).toBe(0)
    await tab.page.setOfflineMode(false)
    const arrival = checkout.shop.nextVisit()
    await tab.press(PAY)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('can pay with a browser that reports by mistake that it is offline', async () => {
    const session = await checkout.newSession()
    const { tab } = await visit(session)
    await tab.page.evaluate(`Object.defineProperty(navigator, 'onLine', { get: () => false })`)
    await click(tab)
    await shows(tab, offline.title)
    const arrival = checkout.shop.nextVisit()
    await tab.press(PAY)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('is checked at growing intervals, at most a minute apart', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    const rest = Promise.withResolvers<'passes'>()
    let checks = 0
    network.fateOf = (request) => {
      if (request.method() === 'POST') return 'answer lost'
      checks += 1
      return checks < 8 ? 'lost' : rest.promise
    }
    await click(tab)
    await expect.poll(() => checks).toBe(8)
    expect(await network.waits()).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    const arrival = checkout.shop.nextVisit()
    rest.resolve('passes')
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('is checked at once when the browser is online again', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    await tab.page.evaluate('window.setTimeout = () => 0')
    network.fateOf = forPosts(['answer lost'])
    await click(tab)
    await shows(tab, unknown.title)
    const arrival = checkout.shop.nextVisit()
    await tab.page.evaluate(`dispatchEvent(new Event('online'))`)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test.each([
    [429, { 'retry-after': '7' }, busy.title, 7000],
    [503, { 'retry-after': '5' }, busy.title, 5000],
    [409, {}, busy.title, 2000],
    [500, {}, unknown.title, 2000],
    [502, { 'retry-after': '3600' }, unknown.title, 60_000],
  ])('is asked to wait after the status %i, and can then pay', async (status, headers, title, waits) => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    const check = Promise.withResolvers<'passes'>()
    network.fateOf = forPosts([{ status, headers }], check.promise)
    await click(tab)
    await shows(tab, title)
    expect(await network.waits()).toEqual([waits])
    network.fateOf = () => 'passes'
    check.resolve('passes')
    await shows(tab, unpaid.title)
    const arrival = checkout.shop.nextVisit()
    await tab.press(PAY)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })
})

describe('a customer', () => {
  test('whose form arrives after the page has found the session unpaid is led on', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    const late = Promise.withResolvers<'passes'>()
    let looks = 0
    network.fateOf = (request) => {
      if (request.method() === 'POST') return 'lost'
      looks += 1
      return looks === 1 ? 'passes' : late.promise
    }
    await click(tab)
    await shows(tab, unpaid.title)
    const arrival = checkout.shop.nextVisit()
    await submit(session.session_url, typed_card)
    late.resolve('passes')
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('whose check gets no response is checked again', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    // The first request with a time limit is the form, and the second one the check. The limit of the check ends at once.
    await tab.page.evaluate(`{
      const wait = setTimeout
      let limits = 0
      window.setTimeout = (act, ms) => wait(act, ms === 45000 && ++limits === 2 ? 0 : ms)
    }`)
    let looks = 0
    network.fateOf = (request) => {
      if (request.method() === 'POST') return 'answer lost'
      looks += 1
      return looks === 1 ? new Promise<'passes'>(() => undefined) : 'passes'
    }
    const arrival = checkout.shop.nextVisit()
    await click(tab)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('whose browser prevents fetch pays by an ordinary form after three checks', async () => {
    const session = await checkout.newSession()
    const { tab } = await visit(session)
    await tab.page.evaluate(`window.fetch = () => Promise.reject(new TypeError('prevented'))`)
    await click(tab)
    await shows(tab, unreachable.title)
    expect(await isUsable(tab)).toBe(true)
    const arrival = checkout.shop.nextVisit()
    await tab.press(PAY)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test.each(['fetch', 'AbortController', 'DOMParser'])('whose browser has no %s pays', async (name) => {
    const session = await checkout.newSession()
    const tab = await openTab()
    const { identifier } = await tab.page.evaluateOnNewDocument(`delete window.${name}`)
    await tab.visit(session.session_url)
    await fillCard(tab)
    const arrival = checkout.shop.nextVisit()
    await tab.press(PAY)
    await arrival
    await tab.page.removeScriptToEvaluateOnNewDocument(identifier)
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('keeps what is typed if the response is a page of a proxy, or a page without the form', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    const page = (attribute: string) => `<body ${attribute}><main><h1>Sorry</h1><p>Not now</p></main>`
    const headers = { 'content-type': 'text/html' }
    const [foreign, own] = [page(''), page('data-processing="…"')]
    network.fateOf = forPosts([200, 403, 422].map((status) => ({ status, headers, body: foreign })))
    for (let times = 0; times < 3; times++) {
      await click(tab)
      await shows(tab, unpaid.title)
      expect(await tab.text()).not.toContain('Not now')
    }
    network.fateOf = forPosts([413, 422].map((status) => ({ status, headers, body: own })))
    for (let times = 0; times < 2; times++) {
      await click(tab)
      await shows(tab, 'Not now')
    }
    expect(await numberIn(tab)).toBe('4111 1111 1111 1111')
    const arrival = checkout.shop.nextVisit()
    await tab.press(PAY)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('who uses up the last try reads that the payment cannot go on', async () => {
    const session = await checkout.newSession()
    for (let tries = 0; tries < 19; tries++) await submit(session.session_url, { ...typed_card, number: DECLINED })
    const { tab } = await visit(session, DECLINED)
    await click(tab)
    await shows(tab, last_page_texts.en.exhausted.title)
    expect(tab.requests.filter(({ url }) => url.includes(session.id))).toHaveLength(4)
  })
})

describe('a customer who comes back', () => {
  test('from a wallet chooses a card, and pays once', async () => {
    const session = await checkout.newSession({ payment_types: ['paypay', 'credit_card'] })
    const tab = await openTab()
    await tab.visit(session.session_url)
    await tab.unfold(methodOf('paypay'))
    const [wallet] = (await tab.elements()).filter(({ role, name }) => role === 'button' && name.includes('1,000'))
    await tab.press(wallet!.name)
    expect(tab.page.url()).toContain('/pages/off_site/')
    await tab.page.goBack()
    await tab.unfold(methodOf('credit_card'))
    await fillCard(tab)
    const arrival = checkout.shop.nextVisit()
    await tab.press(PAY)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['cancelled', 'captured'])
  })

  test('to a page that the browser has kept is led on, if the session is over', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    network.fateOf = forPosts(['answer lost'])
    await tab.page.evaluate('window.setTimeout = () => 0')
    await click(tab)
    await shows(tab, unknown.title)
    const arrival = checkout.shop.nextVisit()
    await tab.page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('to a page that the browser has kept can pay, if the session is unpaid', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    await tab.page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    network.fateOf = () => 'passes'
    const arrival = checkout.shop.nextVisit()
    await tab.press(PAY)
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('while the form is on its way learns the outcome, also if the response is then lost', async () => {
    const session = await checkout.newSession()
    const { tab, network } = await visit(session)
    const answer = Promise.withResolvers<'answer lost'>()
    network.fateOf = forPosts([answer.promise])
    await click(tab)
    await tab.page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    const arrival = checkout.shop.nextVisit()
    answer.resolve('answer lost')
    await arrival
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })

  test('by a reload during the payment pays once', async () => {
    const session = await checkout.newSession({ return_url: null })
    const { tab, network } = await visit(session)
    network.fateOf = forPosts(['answer lost'])
    await tab.page.evaluate('window.setTimeout = () => 0')
    await click(tab)
    await shows(tab, unknown.title)
    await tab.page.reload()
    expect(await tab.text()).toContain(t.endings.completed.title)
    expect(await checkout.statusesOf(session.id)).toEqual(['captured'])
  })
})
