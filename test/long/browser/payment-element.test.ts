import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { type Checkout, openCheckout } from '#test/browser/browser-checkout.ts'
import type { Tab } from '#test/browser/browser-tab.ts'

/** These tests pay with an element on the page of a shop, which has another origin than the service. */

const openTab = useBrowser()
const t = texts.en
let checkout: Checkout
let tab: Tab
beforeAll(async () => {
  checkout = await openCheckout()
})
beforeEach(async () => {
  tab = await openTab()
})
afterAll(() => checkout?.close())

/** The fields of a card, which no session lists. */
const card_fields = ['number', 'month', 'year', 'verification_value', 'name']

/** A shop's own payment form for the first payment method, built only from what `GET /sessions/:id` returns. */
const element = (api: string, key: string) => `
<form></form><p id="error"></p>
<script type="module">
  const headers = { authorization: 'Basic ' + btoa('${key}:'), 'content-type': 'application/json' }
  const session = '${api}/api/v1/sessions/' + new URLSearchParams(location.search).get('session')
  const { payment_methods } = await (await fetch(session, { headers })).json()
  const [{ type, brands, additional_fields, customer_fee, amount }] = payment_methods
  const fields = type === 'credit_card' ? ${JSON.stringify(card_fields)} : additional_fields
  const stores = Array.isArray(brands) ? [] : Object.entries(brands)
  const marks = Array.isArray(brands) && brands.length > 0 ? '?brands=' + brands : ''
  const form = document.querySelector('form')
  form.innerHTML =
    '<img alt="" src="${api}/payment_methods/' + type + '.svg' + marks + '">' +
    stores.map(([store, { icon }]) =>
      '<label><input type="radio" name="store" value="' + store + '">' + store + '<img alt="" src="${api}' + icon + '"></label>').join('') +
    fields.map((field) => '<label>' + field + ' <input name="' + field + '"></label>').join('') +
    '<button>Pay ' + (amount + customer_fee) + '</button>'
  form.onsubmit = async (event) => {
    event.preventDefault()
    const payment_details = { type, ...Object.fromEntries(new FormData(form)) }
    const body = JSON.stringify({ payment_details })
    const { redirect_url, error } = await (await fetch(session + '/pay', { method: 'POST', headers, body })).json()
    if (redirect_url) location.href = redirect_url
    document.querySelector('#error').textContent = error
  }
</script>`

async function openElement(type: string, fields: object = {}): Promise<{ id: string }> {
  const { api, shop } = checkout
  shop.show('/element', element(api.url, api.test.publishable_key))
  const session = await checkout.newSession({ payment_types: [type], ...fields })
  await tab.visit(`${shop.url}/element?session=${session.id}`)
  await expect.poll(() => tab.has(/^Pay \d+$/)).toBe(true)
  return session
}

const pictures = `[...document.images].map((image) => image.complete && image.naturalWidth > 0)`

const typeCard = (number: string) =>
  tab.fillAll([
    [/^number/, number],
    [/^month/, '12'],
    [/^year/, '2035'],
    [/^verification_value/, '123'],
    [/^name/, 'Hanako Yamada'],
  ])

const expectPaid = async ({ id }: { id: string }) => {
  await tab.arriveAt(`${checkout.shop.url}/paid?order=7&session_id=${id}`)
  expect(await checkout.sessionOf(id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
}

describe('an element on the page of a shop', () => {
  test('pays by card, and shows a decline before', async () => {
    const session = await openElement('credit_card')
    await expect.poll(() => tab.page.evaluate(pictures)).toEqual([true])
    await typeCard('4123111111111059')
    void tab.press('Pay 1000').catch(() => undefined)
    await expect.poll(() => tab.text()).toContain('declined')
    await tab.visit(`${checkout.shop.url}/element?session=${session.id}`)
    await expect.poll(() => tab.has('Pay 1000')).toBe(true)
    await typeCard('4111111111111111')
    await tab.press('Pay 1000')
    await expectPaid(session)
  })

  test('pays by card with 3-D Secure', async () => {
    const session = await openElement('credit_card')
    await typeCard('4100000000000100')
    await tab.press('Pay 1000')
    await tab.press(t.authenticate)
    await expectPaid(session)
  })

  test('pays at a convenience store, whose instructions lead on to the shop', async () => {
    const session = await openElement('konbini', { email: 'hanako@example.com' })
    await expect.poll(() => tab.page.evaluate(pictures)).toEqual(Array(7).fill(true))
    await tab.choose('lawson')
    await tab.press('Pay 1190')
    expect(await tab.text()).toContain('Lawson')
    expect(await checkout.sessionOf(session.id)).toMatchObject({ payment: { status: 'authorized' } })
    await tab.press(t.simulate)
    await tab.press(t.back_to_shop)
    await expectPaid(session)
  })

  test.each([
    ['paypay', []],
    ['alipay', []],
    ['rakutenpay', []],
    ['mobile', ['email']],
  ])('pays by %s and asks for %j', async (type, fields) => {
    const session = await openElement(type)
    await expect.poll(() => tab.page.evaluate(pictures)).toEqual([true])
    for (const field of fields) await tab.fill(new RegExp(`^${field}`), 'hanako@example.com')
    await tab.press('Pay 1000')
    await tab.press(t.approve)
    await expectPaid(session)
  })
})
