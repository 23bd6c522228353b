import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { openSession, RETURN_URL, see } from '#test/browser/browsing.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('GET /pages/sessions/:merchant/:id', () => {
  test('shows the line items, the prices, and a form for each payment type that is offered', async () => {
    const { session_url } = await openSession(api, {
      line_items: [{ description: '青い自転車', amount: 900, quantity: 1 }],
      payment_data: { tax: 90 },
      payment_types: ['credit_card', 'konbini'],
    })
    const { status, html } = await see(session_url)
    expect(status).toBe(200)
    expect(html).toContain('lang="ja"')
    for (const text of ['青い自転車', '1,090', '1,280', 'name="number"', 'value="konbini"'])
      expect(html).toContain(text)
    expect(html).not.toContain('value="paypay"')
  })

  test('uses the language of the session, or the one that the customer chooses', async () => {
    const { session_url } = await openSession(api, { default_locale: 'ko' })
    expect((await see(session_url)).html).toContain('lang="ko"')
    expect((await see(`${session_url}?locale=en`)).html).toContain('lang="en"')
    expect((await see(`${session_url}?locale=xx`)).html).toContain('lang="ko"')
  })

  test('offers to store a card in mode customer', async () => {
    const { session_url } = await openSession(api, { mode: 'customer', amount: undefined, currency: undefined })
    const { status, html } = await see(session_url)
    expect(status).toBe(200)
    expect(html).toContain('name="number"')
  })

  test('sends the customer of a completed or cancelled session back with the id of the session', async () => {
    const paid = await openSession(api)
    await api.request(`POST /sessions/${paid.id}/pay`, { json: { payment_details: card() } })
    expect((await see(paid.session_url)).continues_to).toBe(`${RETURN_URL}&session_id=${paid.id}`)
    const cancelled = await openSession(api)
    await api.request(`POST /sessions/${cancelled.id}/cancel`)
    expect((await see(cancelled.session_url)).continues_to).toBe(`${RETURN_URL}&session_id=${cancelled.id}`)
  })

  test('shows the card that was stored, as long as the customer has it', async () => {
    const { id, session_url } = await openSession(api, { mode: 'customer', amount: undefined, currency: undefined })
    await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: card() } })
    expect((await see(session_url)).html).toContain('Visa •••• 1111')
    const { body } = await api.request(`GET /sessions/${id}`)
    await api.request(`DELETE /customers/${body.customer_id}`)
    const { status, html } = await see(session_url)
    expect([status, html.includes('Visa •••• 1111')]).toEqual([200, false])
  })

  test('keeps a customer who opens the page of an ended session later, and shows what was paid', async () => {
    const { id, session_url } = await openSession(api, { external_order_num: 'A-7', default_locale: 'en' })
    await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: card() } })
    expect((await see(session_url)).html).toContain(texts.en.continuing)
    await api.advance(120)
    const { html, continues_to } = await see(session_url)
    expect(continues_to).toBeUndefined()
    for (const text of ['A-7', 'Visa •••• 1111', '¥1,000', '(Japan time)', `session_id=${id}`])
      expect(html).toContain(text)
  })

  test('says that a session has no tries left, and that nothing was charged', async () => {
    const { id, session_url } = await openSession(api, { default_locale: 'en' })
    for (let tries = 0; tries < 20; tries++)
      await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: card('4123111111111000') } })
    const { html, continues_to } = await see(session_url)
    expect(html).toContain(last_page_texts.en.exhausted.text)
    expect(html).toContain(last_page_texts.en.nothing_charged)
    expect(html).toContain(`session_id=${id}`)
    expect(continues_to).toBeUndefined()
  })

  test('links a session that is paid in cash to its instructions, without a redirect', async () => {
    const { id, session_url } = await openSession(api)
    const konbini = { type: 'konbini', store: 'lawson', email: 'a@example.com' }
    const { body } = await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: konbini } })
    const { html, continues_to } = await see(session_url)
    expect(html).toContain(body.payment.payment_details.instructions_url)
    expect(continues_to).toBeUndefined()
  })

  test.each([
    ['expired', (_id: string) => api.advance(10 * 86_400)],
    ['cancelled', (id: string) => api.request(`POST /payments/${id}/cancel`)],
  ] as const)('does not show success once the payment of the session is %s', async (ending, end) => {
    const { id, session_url } = await openSession(api, { default_locale: 'en', expires_in_seconds: 86_400 })
    const details = { type: 'konbini', store: 'lawson', email: 'a@example.com' }
    const { body } = await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: details } })
    await end(body.payment.id)
    const { html } = await see(session_url)
    expect(html).toContain(texts.en.endings[ending].title)
    expect(html).not.toContain(texts.en.endings.completed.title)
  })

  test('states that a session has expired, and shows no form', async () => {
    const { session_url } = await openSession(api, { expires_in_seconds: 60, default_locale: 'en' })
    await api.advance(60)
    const { html, continues_to } = await see(session_url)
    expect(html).toContain(texts.en.endings.expired.title)
    expect(html).not.toContain('name="number"')
    expect(continues_to).toBeUndefined()
  })

  test('shows an error message and the form after a declined try', async () => {
    const { id, session_url } = await openSession(api, { default_locale: 'en' })
    await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: card('4123111111111000') } })
    const { html } = await see(session_url)
    expect(html).toContain('role="alert"')
    expect(html).toContain('name="number"')
  })

  test('offers the stored card of the customer before another card, and no longer once it has expired', async () => {
    const payment_details = { ...card(), month: 1, year: 2031 }
    const { body } = await api.request('POST /customers', { json: { payment_details } })
    const open = async () => {
      const { session_url } = await openSession(api, { customer: body.id, default_locale: 'en' })
      return (await see(session_url)).html
    }
    const html = await open()
    expect(html).toMatch(/ open><summary><span>Visa •••• 1111 <small>Saved card · Expires 01\/31<\/small>/)
    expect(html.indexOf('value="stored_card"')).toBeLessThan(html.indexOf('Another card'))
    await api.advance(2 * 365 * 86_400)
    const later = await open()
    expect(later).toContain('Your saved card (Visa •••• 1111, expiry 01/31) has expired')
    expect(later).not.toContain('value="stored_card"')
  })

  test('shows the likely payment types in the language of the page first, unless the merchant named the types', async () => {
    const typesOf = (html: string) => Array.from(html.matchAll(/name="type" value="(\w+)"/g), ([, type]) => type)
    const { session_url } = await openSession(api)
    expect(typesOf((await see(session_url)).html).slice(0, 3)).toEqual(['credit_card', 'konbini', 'paypay'])
    const korean = typesOf((await see(`${session_url}?locale=ko`)).html)
    expect(korean.slice(0, 3)).toEqual(['credit_card', 'konbini', 'linepay'])
    expect(korean).toHaveLength(19)
    const named = await openSession(api, { payment_types: ['paypay', 'credit_card', 'konbini'] })
    expect(typesOf((await see(named.session_url)).html)).toEqual(['paypay', 'credit_card', 'konbini'])
  })

  test('answers 404 for an unknown or malformed id', async () => {
    const { id, session_url } = await openSession(api)
    const other = (await api.newMerchants()).test.id
    const wrong = [session_url.replace(id, `${id.slice(0, -1)}!`), session_url.replace(/mer_\w+/, other)]
    for (const url of [...wrong, session_url.replace('/ses_', '/pay_'), `${api.url}/pages/sessions/x/y`]) {
      const { status, headers } = await see(url)
      expect(status).toBe(404)
      expect(headers.get('content-type')).toContain('text/html')
    }
  })
})
