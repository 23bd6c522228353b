import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import { openSession, RETURN_URL, see, submit } from '#test/browser/browsing.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const pay = async (payment_details: object) =>
  (await api.request('POST /payments', { json: { amount: 1000, currency: 'JPY', locale: 'en', payment_details } })).body

describe('GET /pages/instructions/:merchant/:id', () => {
  test('shows the confirmation code, the receipt number and the amount', async () => {
    const { payment_details, total } = await pay(konbini)
    const { status, html } = await see(payment_details.instructions_url)
    expect(status).toBe(200)
    expect(total).toBe(1190)
    for (const text of ['lang="en"', payment_details.confirmation_code, payment_details.receipt, '1,190'])
      expect(html).toContain(text)
  })

  test('shows the receipt once the payment is made, and the remaining time until then', async () => {
    const { payment_details } = await pay(konbini)
    const url = payment_details.instructions_url
    const before = (await see(url)).html
    expect(before).toMatch(/data-countdown="\d+" data-left="\{\} left"/)
    expect(before).toContain(`href="${url}/calendar?locale=en"`)
    await submit(url, {})
    const { html, continues_to } = await see(url)
    for (const text of ['Lawson', '¥190', '¥1,190', last_page_texts.en.details]) expect(html).toContain(text)
    expect(html).not.toContain('data-countdown="')
    expect(continues_to).toBeUndefined()
  })

  test('shows no confirmation code of a cancelled payment', async () => {
    const { id, payment_details } = await pay(konbini)
    await api.request(`POST /payments/${id}/cancel`)
    expect((await see(payment_details.instructions_url)).html).not.toContain(payment_details.confirmation_code)
  })

  test('links back to the shop of the session', async () => {
    const { id } = await openSession(api)
    const { body } = await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: konbini } })
    const { html } = await see(body.payment.payment_details.instructions_url)
    expect(html).toContain(`${RETURN_URL}&session_id=${id}`.replaceAll('&', '&amp;'))
  })

  test('shows the page to a client that sends a Host header without bounds', async () => {
    const { pathname, port } = new URL((await pay(konbini)).payment_details.instructions_url)
    const { promise: status, resolve } = Promise.withResolvers<number | undefined>()
    const asking = { port, path: pathname, headers: { host: 'a'.repeat(4000) }, agent: false }
    get(asking, (response) => resolve(response.resume().statusCode))
    expect(await status).toBe(200)
  })

  test('answers 404 for a card payment', async () => {
    const { instructions_url } = (await pay(konbini)).payment_details
    const { id } = await pay(card())
    expect((await see(instructions_url.replace(/pay_\w+/, id))).status).toBe(404)
  })
})
