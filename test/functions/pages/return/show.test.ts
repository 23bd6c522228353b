import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { texts } from '#shared/pages/texts/texts.ts'
import { RETURN_URL, see } from '#test/browser/browsing.ts'
import { card } from '#test/fixtures/api.ts'
import { pay, refuse } from '#test/fixtures/stripe/customer-actions.ts'
import { openStripeApi, type StripeApi } from '#test/fixtures/stripe-api.ts'

let api: StripeApi
beforeAll(async () => {
  api = await openStripeApi()
})
afterAll(() => api.close())
beforeEach(() => api.emulator.faults.clear())

/** A payment whose customer is at Stripe for 3-D Secure. */
const startPayment = (fields: object = {}) => api.pay(card('4000002760003184'), fields)

const pageOf = (id: string, merchant = api.live.id) => `${api.url}/pages/return/${merchant}/${id}`

const approve = (id: string) => pay(api.emulator.account, api.intentOf(id))

const checking = texts.en.endings.processing.title

describe('GET /pages/return/:merchant/:id', () => {
  test('is the page to which Stripe sends the customer back', async () => {
    const { id, payment_details } = await startPayment()
    const back = await fetch(payment_details.redirect_url, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'pass' }),
      redirect: 'manual',
    })
    expect(back.headers.get('location')).toMatch(`${pageOf(id)}?payment_intent=`)
    expect((await see(back.headers.get('location')!)).html).toContain(texts.ja.endings.completed.title)
    expect((await api.shown(id)).status).toBe('captured')
  })

  test('records the payment before its notification, which then has no further effect', async () => {
    const { id } = await startPayment({ return_url: RETURN_URL })
    approve(id)
    const { html, continues_to } = await see(`${pageOf(id)}?locale=en`)
    expect(html).toContain(texts.en.endings.completed.title)
    expect(continues_to).toBe(RETURN_URL)
    await api.notify()
    expect((await api.shown(id)).status).toBe('captured')
    expect(api.eventsOf(id)).toEqual(['payment.captured'])
  })

  test('shows the result after the notification without another look-up', async () => {
    const { id } = await startPayment()
    approve(id)
    await api.notify()
    api.emulator.faults.plan({ fault: 'unexecuted_500', call: 'any', times: 100 })
    expect((await see(`${pageOf(id)}?locale=en`)).html).toContain(texts.en.endings.completed.title)
  })

  test('records that the customer failed 3-D Secure', async () => {
    const { id } = await startPayment()
    refuse(api.emulator.account, api.intentOf(id))
    expect((await see(`${pageOf(id)}?locale=en`)).html).toContain(texts.en.endings.failed.title)
    expect((await api.shown(id)).status).toBe('failed')
    expect(api.eventsOf(id)).toEqual(['payment.failed'])
  })

  test('looks again by itself every three seconds, five times', async () => {
    const { id } = await startPayment({ return_url: RETURN_URL })
    let url: string | null = `${pageOf(id)}?locale=en`
    const seen: (string | null)[] = []
    while (url) {
      const reply: Response = await fetch(url)
      const html = await reply.text()
      expect(html).toContain(checking)
      const refresh = reply.headers.get('refresh')
      seen.push(refresh)
      // Only the last page leads back to the shop, because the customer may not have paid yet.
      expect(html.includes(RETURN_URL)).toBe(refresh === null)
      url = refresh && new URL(refresh.replace('3;url=', ''), pageOf(id)).href
    }
    expect(seen).toEqual([...[1, 2, 3, 4, 5].map((looks) => `3;url=?locale=en&looks=${looks}`), null])
  })

  test('says that the payment is being checked while Stripe does not respond', async () => {
    const { id } = await startPayment()
    approve(id)
    api.emulator.faults.plan({ fault: 'never_arrives', call: 'any' })
    const reply = await fetch(`${pageOf(id)}?locale=en&looks=x`)
    expect([reply.status, reply.headers.get('refresh')]).toEqual([200, '3;url=?locale=en&looks=1'])
    expect(await reply.text()).toContain(checking)
    expect((await api.shown(id)).status).toBe('pending')
    expect((await see(`${pageOf(id)}?locale=en&looks=1`)).html).toContain(texts.en.endings.completed.title)
  })

  test('says the same while the outcome of a cancel is unknown', async () => {
    const { id } = await startPayment()
    api.emulator.faults.plan({ fault: 'unexecuted_500', call: 'paymentIntents.retrieve' })
    expect((await api.ask(`POST /payments/${id}/cancel`, {})).status).toBe(504)
    api.emulator.faults.plan({ fault: 'unexecuted_500', call: 'paymentIntents.retrieve', nth: 2 })
    const reply = await fetch(`${pageOf(id)}?locale=en`)
    expect(reply.status).toBe(200)
    expect(await reply.text()).toContain(checking)
  })

  test('leads the customer of a session back to the session', async () => {
    const { body: session } = await api.ask('POST /sessions', { amount: 1000, currency: 'JPY', default_locale: 'en' })
    const { body } = await api.ask(`POST /sessions/${session.id}/pay`, { payment_details: card('4000002760003184') })
    approve(body.payment.id)
    const reply = await fetch(pageOf(body.payment.id), { redirect: 'manual' })
    expect(reply.status).toBe(303)
    expect(reply.headers.get('location')).toMatch(`/pages/sessions/${api.live.id}/${session.id}?locale=`)
    expect((await api.ask(`GET /sessions/${session.id}`)).body.status).toBe('completed')
  })

  test('answers 404 for a payment of the sandbox, of another merchant, and one that never left', async () => {
    const sandbox = await api.request('POST /payments', {
      json: { amount: 1000, currency: 'JPY', payment_details: { type: 'paypay' } },
    })
    const { id } = await startPayment()
    const { id: at_once } = await api.pay(card('4242424242424242'))
    for (const url of [
      pageOf(sandbox.body.id, api.test.id),
      pageOf(id, api.test.id),
      pageOf(at_once),
      pageOf('pay_unknown'),
    ])
      expect((await see(url)).status, url).toBe(404)
  })
})
