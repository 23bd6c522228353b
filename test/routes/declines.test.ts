import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sentenceOf } from '#shared/domain/errors.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

/** The sandbox cards that decline, and the code that a merchant reads. */
const declines = [
  ['4123111111111000', 'insufficient_funds'],
  ['4123111111111018', 'exceeds_limit'],
  ['4123111111111034', 'bad_verification_value'],
  ['4123111111111042', 'card_expired'],
  ['4123111111111059', 'card_declined'],
  ['4123111111111067', 'invalid_number'],
  ['4123111111111075', 'invalid_number'],
  ['4123111111111083', 'fraudulent'],
] as const

const shownIn = ({ failure_code, failure_message }: Record<string, unknown>) => [failure_code, failure_message]

describe.each(declines)('the reason of the decline of %s, %s,', (number, code) => {
  const payment_details = card(number)
  // The customer must not learn that fraud is suspected.
  const explained = code === 'fraudulent' ? 'card_declined' : code

  test('is the same in the response, the payment, the list and the event', async () => {
    const json = { amount: 100, currency: 'JPY', payment_details }
    const { error } = (await api.request('POST /payments', { json })).body
    expect(error.code).toBe(code)
    const id = error.details.payment
    const reason = [code, error.message]
    expect(shownIn((await api.request(`GET /payments/${id}`)).body)).toEqual(reason)
    const listed = (await api.request('GET /payments?status=failed&per_page=100')).body.data
    expect(shownIn(listed.find((payment: { id: string }) => payment.id === id))).toEqual(reason)
    const events = (await api.request('GET /events?type=payment.failed&per_page=100')).body.data
    expect(shownIn(events.find(({ data }: { data: { id: string } }) => data.id === id).data)).toEqual(reason)
  })

  test('is in the session that was tried', async () => {
    const json = { amount: 100, currency: 'JPY', return_url: 'https://shop.example.com' }
    const { id } = (await api.request('POST /sessions', { json })).body
    const { body } = await api.request(`POST /sessions/${id}/pay`, { json: { payment_details } })
    const reason = [code, sentenceOf(code)]
    expect([body.status, shownIn(body.payment)]).toEqual(['pending', reason])
    expect(body.error).toBe(texts.ja.declined[explained])
    expect(shownIn((await api.request(`GET /sessions/${id}`)).body.payment)).toEqual(reason)
  })

  test('is explained to the customer of a session in the language of the session', async () => {
    const json = { amount: 100, currency: 'JPY', default_locale: 'en' }
    const { id } = (await api.request('POST /sessions', { json })).body
    const { body } = await api.request(`POST /sessions/${id}/pay`, { json: { payment_details } })
    expect(body.error).toBe(texts.en.declined[explained])
    expect(body.error).not.toMatch(/fraud|customer/i)
  })

  test('is the last failure of a subscription', async () => {
    const customer = (await api.request('POST /customers', { json: { payment_details } })).body.id
    const json = { customer, amount: 100, currency: 'JPY', period: 'monthly' }
    const { last_failure } = (await api.request('POST /subscriptions', { json })).body
    const { body } = await api.request(`GET /payments/${last_failure.payment}`)
    expect([last_failure.code, last_failure.message]).toEqual(shownIn(body))
    expect(last_failure.code).toBe(code)
  })
})
