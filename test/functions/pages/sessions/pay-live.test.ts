import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession, RETURN_URL, see, submit, typed_card } from '#test/browser/browsing.ts'
import { card } from '#test/fixtures/api.ts'
import { pay, refuse } from '#test/fixtures/stripe/customer-actions.ts'
import { openStripeApi, type StripeApi } from '#test/fixtures/stripe-api.ts'

let api: StripeApi
beforeAll(async () => {
  api = await openStripeApi()
})
afterAll(() => api.close())

const NEEDS_3D_SECURE = '4000002760003184'

/** Creates a live session. */
const openLive = (fields: object = {}) =>
  openSession(
    { request: (route, options) => api.request(route, { ...options, key: api.live.secret_key }) },
    { default_locale: 'en', ...fields },
  )

const shown = async (id: string) => (await api.ask(`GET /sessions/${id}`)).body

/** Pays a new session with a card that needs 3-D Secure, and opens the page that follows. */
async function payWith3dSecure() {
  const session = await openLive()
  const { status, location } = await submit(session.session_url, { ...typed_card, number: NEEDS_3D_SECURE })
  const { payment } = await shown(session.id)
  return { session, status, location: location!, payment }
}

describe('POST /pages/sessions/:merchant/:id in live mode', () => {
  test('sends the customer to a page of ours, which sends the customer on to the provider', async () => {
    const { status, location, payment } = await payWith3dSecure()
    expect([status, location]).toEqual([303, `${api.url}/pages/off_site/${api.live.id}/${payment.id}?locale=en`])
    const { html, continues_to } = await see(location)
    expect(continues_to).toBe(payment.payment_details.redirect_url)
    expect(continues_to).toMatch(api.stripe.url)
    expect(html).toContain(`href="${continues_to}"`)
  })

  test('leads a customer who comes back from the provider to the shop', async () => {
    const { session, location, payment } = await payWith3dSecure()
    pay(api.emulator.account, api.intentOf(payment.id))
    const back = await see(`${api.url}/pages/return/${api.live.id}/${payment.id}`)
    expect(back.location).toMatch(session.session_url)
    expect((await see(back.location!)).continues_to).toBe(`${RETURN_URL}&session_id=${session.id}`)
    expect((await see(location)).location).toMatch(session.session_url)
  })

  test('offers the form again to a customer who failed 3-D Secure', async () => {
    const { session, payment } = await payWith3dSecure()
    refuse(api.emulator.account, api.intentOf(payment.id))
    const back = await see(`${api.url}/pages/return/${api.live.id}/${payment.id}`)
    expect((await see(back.location!)).html).toContain('name="number"')
    const { location } = await submit(session.session_url, { ...typed_card, number: '4242424242424242' })
    expect((await see(location!)).continues_to).toBe(`${RETURN_URL}&session_id=${session.id}`)
    expect(await shown(session.id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
  })
})

describe('GET /pages/off_site/:merchant/:id in live mode', () => {
  test('shows the result of a payment without a session, and leads back to the shop', async () => {
    const { id } = await api.pay(card(NEEDS_3D_SECURE), { return_url: RETURN_URL })
    const url = `${api.url}/pages/off_site/${api.live.id}/${id}`
    expect((await see(url)).continues_to).toMatch(api.stripe.url)
    pay(api.emulator.account, api.intentOf(id))
    await api.notify()
    expect((await see(url)).continues_to).toBe(RETURN_URL)
  })

  test('takes no decision, which only the sandbox does', async () => {
    const { id } = await api.pay(card(NEEDS_3D_SECURE))
    const url = `${api.url}/pages/off_site/${api.live.id}/${id}`
    expect((await submit(url, { decision: 'authenticate' })).status).toBe(404)
  })
})
