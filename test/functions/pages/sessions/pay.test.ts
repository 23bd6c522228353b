import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession, RETURN_URL, see, submit, typed_card } from '#test/browser/browsing.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const shown = async (id: string) => (await api.request(`GET /sessions/${id}`)).body

describe('POST /pages/sessions/:merchant/:id', () => {
  test('charges the card and sends the customer back to the shop through a page of ours', async () => {
    const { id, session_url } = await openSession(api, { payment_data: { external_order_num: 'o-1', tax: 50 } })
    const { status, location } = await submit(`${session_url}?locale=en`, typed_card)
    expect({ status, location }).toEqual({ status: 303, location: `${session_url}?locale=en` })
    expect((await see(location!)).continues_to).toBe(`${RETURN_URL}&session_id=${id}`)
    const { status: now, payment } = await shown(id)
    expect(now).toBe('completed')
    expect(payment).toMatchObject({ status: 'captured', total: 1050, locale: 'en', external_order_num: 'o-1' })
    expect(payment.payment_details).toMatchObject({ last_four_digits: '1111', month: 12, year: 2035 })
  })

  test('shows every error beside its field and repeats the input except the card number', async () => {
    const { id, session_url } = await openSession(api, { default_locale: 'en' })
    const typed = {
      ...typed_card,
      number: '4111111111111112',
      expiry: '13 / 35',
      verification_value: '',
      name: 'Hanako',
    }
    const { status, html } = await submit(session_url, { ...typed, email: 'nobody' })
    expect(status).toBe(422)
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(4)
    expect(html).toContain('value="Hanako"')
    expect(html).toContain('value="13 / 35"')
    expect(html).not.toContain('4111111111111112')
    expect(await shown(id)).toMatchObject({ status: 'pending', payment: null })
  })

  test.each(['12/35', '12 / 2035', '1235', '12-35'])('accepts the expiry date %s', async (expiry) => {
    const { id, session_url } = await openSession(api)
    await submit(session_url, { ...typed_card, expiry })
    expect((await shown(id)).payment.payment_details).toMatchObject({ month: 12, year: 2035 })
  })

  test.each(['12/29', '00/35', '1/2', 'x', '122035x'])('refuses the expiry date %s', async (expiry) => {
    const { id, session_url } = await openSession(api)
    expect((await submit(session_url, { ...typed_card, expiry })).status).toBe(422)
    expect((await shown(id)).payment).toBeNull()
  })

  test('lets the customer try again after a decline, and repeats the input except the card number', async () => {
    const { id, session_url } = await openSession(api, { default_locale: 'en' })
    const declined = await submit(session_url, { ...typed_card, number: '4123111111111000' })
    expect(declined.status).toBe(402)
    expect(declined.html).toContain('value="TARO YAMADA"')
    expect(declined.html).not.toMatch(/4123 ?1111/)
    expect((await shown(id)).payment.status).toBe('failed')
    expect((await submit(session_url, typed_card)).status).toBe(303)
    expect(await shown(id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
  })

  test('sends the customer to 3-D Secure, to a wallet, or to the instructions for cash', async () => {
    const places: readonly [Record<string, string>, string][] = [
      [{ ...typed_card, number: '4100000000000100' }, '/pages/off_site/'],
      [{ type: 'paypay' }, '/pages/off_site/'],
      [{ type: 'konbini', store: 'lawson', email: 'a@example.com' }, '/pages/instructions/'],
    ]
    for (const [form, place] of places) {
      const { session_url } = await openSession(api)
      const { status, location } = await submit(session_url, form)
      expect(status).toBe(303)
      expect(location).toContain(place)
      expect((await see(location!)).status).toBe(200)
    }
  })

  test('stores the card of a customer', async () => {
    const { id, session_url } = await openSession(api, { mode: 'customer', amount: undefined, currency: undefined })
    expect((await submit(session_url, typed_card)).status).toBe(303)
    const { status, customer_id } = await shown(id)
    expect(status).toBe('completed')
    const { body } = await api.request(`GET /customers/${customer_id}`)
    expect(body).toMatchObject({ email: 'taro@example.com', source: { last_four_digits: '1111' } })
  })

  test('charges once, however often the form is sent', async () => {
    const { id, session_url } = await openSession(api)
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(session_url, typed_card)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
    await submit(session_url, { ...typed_card, number: '5555555555554444' })
    const { body } = await api.request('GET /payments?per_page=100')
    expect(body.data.filter((payment: { session: string }) => payment.session === id)).toHaveLength(1)
  })

  test('makes one payment if the response is lost and the form is sent again', async () => {
    const { id, session_url } = await openSession(api)
    const headers = { origin: new URL(session_url).origin, 'content-type': 'application/x-www-form-urlencoded' }
    const lost = request(session_url, { method: 'POST', headers })
    lost.on('error', () => undefined)
    await new Promise<void>((sent) => lost.end(String(new URLSearchParams(typed_card)), sent))
    lost.destroy()
    expect((await submit(session_url, typed_card)).status).toBe(303)
    expect((await submit(session_url, { ...typed_card, number: '5555555555554444' })).status).toBe(303)
    const { body } = await api.request('GET /payments?per_page=100')
    expect(body.data.filter((payment: { session: string }) => payment.session === id)).toHaveLength(1)
    expect((await see(session_url)).continues_to).toBe(`${RETURN_URL}&session_id=${id}`)
  })

  test('answers 403 for forms of other sites and for requests without the headers of a browser', async () => {
    const { id, session_url } = await openSession(api)
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) expect((await submit(session_url, typed_card, headers)).status).toBe(403)
    expect(await shown(id)).toMatchObject({ status: 'pending', payment: null })
    expect((await submit(session_url, typed_card, { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
  })

  test('charges nothing for a payment type that is not offered, empty or malformed', async () => {
    const { id, session_url } = await openSession(api, { payment_types: ['credit_card'] })
    for (const form of [{ type: 'paypay' }, { type: '' }, {}, { 'type[a]': 'x' }] as Record<string, string>[])
      expect((await submit(session_url, form)).status).toBeLessThan(500)
    expect((await shown(id)).payment).toBeNull()
  })

  test('stops accepting cards after twenty tries', async () => {
    const { id, session_url } = await openSession(api, { default_locale: 'en' })
    const bad = { ...typed_card, number: '4123111111111059' }
    for (let tries = 0; tries < 19; tries++) expect((await submit(session_url, bad)).status).toBe(402)
    expect(await submit(session_url, bad)).toMatchObject({ status: 303, location: `${session_url}?locale=en` })
    expect((await submit(session_url, typed_card)).status).toBe(303)
    expect((await see(session_url)).html).not.toContain('name="number"')
    const { body } = await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: { type: 'paypay' } } })
    expect(body.error.code).toBe('unprocessable_entity')
    expect(await shown(id)).toMatchObject({ status: 'pending', payment: { status: 'failed' } })
  })

  test('charges nothing for a cancelled or expired session', async () => {
    const cancelled = await openSession(api)
    await api.request(`POST /sessions/${cancelled.id}/cancel`)
    const expired = await openSession(api, { expires_in_seconds: 1 })
    await api.advance(2)
    for (const { id, session_url } of [cancelled, expired]) {
      expect((await submit(session_url, typed_card)).location).toContain(session_url)
      expect((await shown(id)).payment).toBeNull()
    }
  })
})

describe('POST /pages/sessions/:merchant/:id with the stored card', () => {
  const withCustomer = async (number?: string, fields: object = {}) => {
    const { id: customer } = (await api.request('POST /customers', { json: { payment_details: card(number) } })).body
    return { customer, ...(await openSession(api, { default_locale: 'en', customer, ...fields })) }
  }
  const pay = (session_url: string) => submit(session_url, { type: 'stored_card' })

  test('charges the card that the page offers by brand and last four digits', async () => {
    const { id, customer, session_url } = await withCustomer()
    const { html } = await see(session_url)
    expect(html).toContain('Visa •••• 1111')
    expect(html).toContain('value="stored_card"')
    expect((await pay(session_url)).location).toBe(`${session_url}?locale=en`)
    expect(await shown(id)).toMatchObject({ status: 'completed', payment: { status: 'captured', customer } })
  })

  test('makes one payment of a double click', async () => {
    const { id, session_url, customer } = await withCustomer()
    await Promise.all([pay(session_url), pay(session_url), pay(session_url)])
    expect(await shown(id)).toMatchObject({ status: 'completed' })
    expect((await api.request(`GET /payments?customer=${customer}`)).body.total).toBe(1)
  })

  test('leads to 3-D Secure for a card that needs it, and says so if the card is declined', async () => {
    const secure = await withCustomer('4100000000000100')
    expect((await pay(secure.session_url)).location).toContain('/pages/off_site/')
    const poor = await withCustomer('4123111111111000')
    const { status, html } = await pay(poor.session_url)
    expect([status, html.includes('role="alert"'), html.includes('value="stored_card"')]).toEqual([402, true, true])
    expect((await submit(poor.session_url, typed_card)).status).toBe(303)
  })

  test('offers and charges no card that is not stored, or whose type the session does not take', async () => {
    const gone = await withCustomer()
    await api.request(`DELETE /customers/${gone.customer}`)
    const cash = await withCustomer(undefined, { payment_types: ['konbini'] })
    const none = await openSession(api)
    for (const { id, session_url } of [gone, cash, none]) {
      expect((await see(session_url)).html).not.toContain('stored_card')
      expect((await pay(session_url)).status).toBe(402)
      expect((await shown(id)).payment).toBeNull()
    }
  })
})
