import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RETURN_URL, see } from '#test/browser/browsing.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const pay = async (payment_details: object, fields: object = {}) =>
  (await api.request('POST /payments', { json: { amount: 1000, currency: 'JPY', payment_details, ...fields } })).body

describe('GET /pages/off_site/:merchant/:id', () => {
  test('offers a wallet to approve or decline, and a card to authenticate, fail or close', async () => {
    const wallet = await see((await pay({ type: 'paypay' })).payment_details.redirect_url)
    for (const decision of ['approve', 'decline']) expect(wallet.html).toContain(`value="${decision}"`)
    const secure = await see((await pay(card('4100000000000100'))).payment_details.redirect_url)
    for (const decision of ['authenticate', 'fail', 'close']) expect(secure.html).toContain(`value="${decision}"`)
  })

  test('shows the decision, and sends the customer back to the shop if the payment has a return_url', async () => {
    const payment = await pay({ type: 'paypay' }, { return_url: RETURN_URL })
    await api.request(`POST /payments/${payment.id}/cancel`)
    const { html, continues_to } = await see(payment.payment_details.redirect_url)
    expect(html).not.toContain('value="approve"')
    expect(continues_to).toBe(RETURN_URL)
    const alone = await pay({ type: 'paypay' })
    await api.request(`POST /_local/payments/${alone.id}/pay`)
    expect((await see(alone.payment_details.redirect_url)).continues_to).toBeUndefined()
  })

  test('answers 404 for a payment that needs no off-site step', async () => {
    const { redirect_url } = (await pay({ type: 'paypay' })).payment_details
    const { id } = await pay(card())
    expect((await see(redirect_url.replace(/pay_\w+/, id))).status).toBe(404)
  })
})
