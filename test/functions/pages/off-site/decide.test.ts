import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession, RETURN_URL, see, submit } from '#test/browser/browsing.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const begun = async (payment_details: object, fields: object = {}) => {
  const json = { amount: 1000, currency: 'JPY', payment_details, return_url: RETURN_URL, ...fields }
  const { id, payment_details: shown } = (await api.request('POST /payments', { json })).body
  return { id, url: shown.redirect_url as string }
}
const statusOf = async (id: string) => (await api.request(`GET /payments/${id}`)).body.status

describe('POST /pages/off_site/:merchant/:id', () => {
  test.each([
    ['a wallet', { type: 'paypay' }, 'approve', {}, 'captured'],
    ['a wallet', { type: 'paypay' }, 'decline', {}, 'failed'],
    ['a card', card('4100000000000100'), 'authenticate', {}, 'captured'],
    ['an authorized card', card('4100000000000100'), 'authenticate', { capture: false }, 'authorized'],
    ['a card', card('4100000000000100'), 'fail', {}, 'failed'],
    ['a wallet', { type: 'paypay' }, 'nonsense', {}, 'pending'],
  ])('for %s (%o) applies the decision %s', async (_, details, decision, fields, status) => {
    const { id, url } = await begun(details, fields)
    const { location } = await submit(url, { decision })
    expect(location).toContain(url)
    expect(await statusOf(id)).toBe(status)
    expect((await see(location!)).continues_to).toBe(status === 'pending' ? undefined : RETURN_URL)
  })

  test.each([
    ['fails the 3-D Secure of a card', card('4100000000000100'), 'fail', 'failed_authentication'],
    ['declines at a wallet', { type: 'paypay' }, 'decline', 'refused_by_customer'],
  ])('shows the merchant that the customer %s', async (_, details, decision, failure_code) => {
    const { id, url } = await begun(details)
    await submit(url, { decision })
    const { body } = await api.request(`GET /payments/${id}`)
    expect(body).toMatchObject({
      status: 'failed',
      failure_code,
      failure_message: expect.stringMatching(/^The customer/),
    })
    const { data } = (await api.request('GET /events?type=payment.failed')).body
    expect(data.map((event: { data: object }) => event.data)).toContainEqual(body)
  })

  test('applies only the first decision and emits one event', async () => {
    const { id, url } = await begun({ type: 'paypay' })
    await Promise.all(Array.from({ length: 4 }, () => submit(url, { decision: 'approve' })))
    await submit(url, { decision: 'decline' })
    expect(await statusOf(id)).toBe('captured')
    const { body } = await api.request('GET /events?type=payment.captured&per_page=100')
    expect(body.data.filter((event: { data: { id: string } }) => event.data.id === id)).toHaveLength(1)
  })

  test('sends the customer back on "close" and keeps the payment pending', async () => {
    const { id, url } = await begun(card('4100000000000100'))
    expect((await submit(url, { decision: 'close' })).continues_to).toBe(RETURN_URL)
    expect(await statusOf(id)).toBe('pending')
  })

  test('completes the session of the payment, or keeps the session open after a decline', async () => {
    for (const [decision, status] of [
      ['approve', 'completed'],
      ['decline', 'pending'],
    ] as const) {
      const { id, session_url } = await openSession(api, { default_locale: 'en' })
      const { location } = await submit(session_url, { type: 'paypay' })
      const back = `${session_url}?locale=en`
      expect((await submit(location!, { decision })).location).toBe(back)
      expect((await api.request(`GET /sessions/${id}`)).body.status).toBe(status)
      expect((await see(location!)).location).toBe(back)
    }
  })

  test('cancels the payment of an expired session instead of capturing it', async () => {
    const { id, session_url } = await openSession(api, { expires_in_seconds: 60 })
    const { location } = await submit(session_url, { type: 'paypay' })
    await api.advance(60)
    expect((await api.request(`GET /sessions/${id}`)).body).toMatchObject({ status: 'pending', expired: true })
    await submit(location!, { decision: 'approve' })
    const { body } = await api.request(`GET /sessions/${id}`)
    expect(body).toMatchObject({ status: 'pending', expired: true, payment: { status: 'cancelled' } })
    await api.advance(3_600)
    expect((await api.request(`GET /payments/${body.payment.id}`)).body.status).toBe('cancelled')
  })

  test('sends the customer back to the session on "close"', async () => {
    const { session_url } = await openSession(api, { default_locale: 'en' })
    const { location } = await submit(session_url, { type: 'paypay' })
    expect((await submit(location!, { decision: 'close' })).location).toBe(`${session_url}?locale=en`)
  })

  test('shows a page of ours on "close" if the payment has no return_url', async () => {
    const { url } = await begun({ type: 'paypay' }, { return_url: undefined })
    const { status, html } = await submit(url, { decision: 'close' })
    expect(status).toBe(200)
    expect(html).not.toContain('value="approve"')
  })

  test('does not capture a payment that a second try of the session replaced', async () => {
    const { id, session_url } = await openSession(api)
    const { location } = await submit(session_url, { type: 'paypay' })
    await submit(session_url, { type: 'linepay' })
    await submit(location!, { decision: 'approve' })
    const { body } = await api.request('GET /payments?per_page=100')
    const statuses = body.data
      .filter(({ session }: { session: string }) => session === id)
      .map(({ status }: { status: string }) => status)
    expect(statuses.sort()).toEqual(['cancelled', 'pending'])
  })
})
