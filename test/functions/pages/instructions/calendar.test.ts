import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { see, submit } from '#test/browser/browsing.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'

let api: Api
let key: string
beforeAll(async () => {
  api = await openApi()
  const name = 'A, "B"; C\\D <b>\r\nBEGIN:VALARM'.replaceAll(/\r\n/g, ' ') + '店'.repeat(80)
  const { body } = await api.request('POST /_local/merchants', { json: { name }, key: null })
  key = body.test.secret_key
})
afterAll(() => api.close())

const pay = async (payment_details: object) =>
  (await api.request('POST /payments', { json: { amount: 1000, currency: 'JPY', locale: 'en', payment_details }, key }))
    .body

describe('GET /pages/instructions/:merchant/:id/calendar', () => {
  test('answers a calendar file with the deadline, in the language of the query, also for a hostile name', async () => {
    const { payment_details, payment_deadline } = await pay(konbini)
    const url = `${payment_details.instructions_url}/calendar`
    const { status, headers, html: text } = await see(`${url}?locale=ko`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="payment-deadline.ics"')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const unfolded = text.replaceAll('\r\n ', '')
    expect(unfolded).toContain(`DTEND:${payment_deadline.replaceAll(/[-:]/g, '')}\r\n`)
    expect(unfolded).toContain('SUMMARY:결제 기한: ¥1\\,190 (A\\, "B"\\; C\\\\D <b> BEGIN:VALARM店')
    expect(unfolded.match(/BEGIN:VALARM\r\n/g)).toHaveLength(1)
    expect((await see(`${url}?locale=ko`)).html).toBe(text)
  })

  test('leads to the page of the payment once it is paid', async () => {
    const { instructions_url } = (await pay(konbini)).payment_details
    await submit(instructions_url, {})
    const { status, location } = await see(`${instructions_url}/calendar`)
    expect([status, location]).toEqual([303, `${instructions_url}?locale=en`])
  })

  test('answers 404 as a page for a card payment and for an unknown payment', async () => {
    const { instructions_url } = (await pay(konbini)).payment_details
    const { id } = await pay(card())
    for (const other of [id, 'pay_0']) {
      const { status, headers } = await see(`${instructions_url.replace(/pay_\w+/, other)}/calendar`)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    }
  })
})
