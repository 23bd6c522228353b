import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allKept, itemsOf } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const email = 'taro@example.com'
const names = { family_name: 'Y', family_name_kana: 'ワイ', given_name: 'T', given_name_kana: 'ティー' }

const make = async (payment_details: object = card(), fields: object = {}) =>
  (await api.request('POST /tokens', { json: { payment_details, ...fields } })).body.id as string

const pay = (payment_details: string, fields: object = {}) =>
  api.request('POST /payments', { json: { amount: 100, currency: 'JPY', payment_details, ...fields } })

describe('POST /tokens', () => {
  test('returns a token that expires after sixty minutes, without card number and verification value', async () => {
    const { status, text, body } = await api.request('POST /tokens', {
      json: { payment_details: card(), currency: 'JPY' },
    })
    expect(status).toBe(200)
    expect(body.id).toMatch(/^tok_[0-9a-z]{52}$/)
    expect(text).toBe(
      JSON.stringify({
        id: body.id,
        resource: 'token',
        created_at: '2030-01-02T03:00:00Z',
        expires_at: '2030-01-02T04:00:00Z',
        payment_details: {
          type: 'credit_card',
          email: null,
          brand: 'visa',
          last_four_digits: '1111',
          month: 12,
          year: 2035,
        },
      }),
    )
  })

  test.each([
    [konbini, { type: 'konbini', email, store: 'lawson' }],
    [
      { type: 'pay_easy', email, phone: '1', ...names },
      { type: 'pay_easy', email },
    ],
    [
      { type: 'bank_transfer', email, phone: '1', ...names },
      { type: 'bank_transfer', email },
    ],
    [
      { type: 'bit_cash', email, prepaid_number: '1234567890123456' },
      { type: 'bit_cash', email, last_four_digits: '3456' },
    ],
    [
      { type: 'paysafe_cash', email },
      { type: 'paysafe_cash', email },
    ],
    [
      { type: 'mobile', email },
      { type: 'mobile', email },
    ],
    [
      { type: 'japan_mobile', email, brand: 'docomo' },
      { type: 'japan_mobile', email },
    ],
    [
      { type: 'retailer_account', user_no: '7', user_password: 'open sesame' },
      { type: 'retailer_account', email: null },
    ],
    [{ type: 'paypay' }, { type: 'paypay', email: null }],
  ])('shows of %o only the fields that may be shown', async (payment_details, shown) => {
    const { status, body } = await api.request('POST /tokens', { json: { payment_details, currency: 'JPY' } })
    expect(status).toBe(200)
    expect(JSON.stringify(body.payment_details)).toBe(JSON.stringify(shown))
  })

  test('accepts a publishable key from a browser, and the merchant pays with the token', async () => {
    const made = await api.request('POST /tokens', {
      key: api.test.publishable_key,
      form: { 'payment_details[type]': 'credit_card', 'payment_details[number]': '4111 1111-1111 1111', ...form },
    })
    expect(made.status).toBe(200)
    expect(made.headers.get('access-control-allow-origin')).toBe('*')
    expect((await pay(made.body.id)).body).toMatchObject({
      status: 'captured',
      payment_details: { month: 2, year: 2031 },
    })
  })

  test('emits no event', async () => {
    const { test: merchant } = await api.newMerchants()
    await api.request('POST /tokens', { key: merchant.secret_key, json: { payment_details: card() } })
    expect((await api.request('GET /events', { key: merchant.secret_key })).body.total).toBe(0)
  })

  test('never stores the card data or the secret half of the id in plain text', async () => {
    const id = await make({ ...card('5555555555554444'), name: 'Canary Bird' })
    const kept = allKept(api)
    for (const secret of ['5555555555554444', 'Canary Bird', id, id.slice(30)]) expect(kept).not.toContain(secret)
    expect(kept).toContain(id.slice(4, 30))
  })

  test.each([
    [{}, 'missing_parameter', 'payment_details'],
    [{ payment_details: 'tok_1' }, 'invalid_parameter', 'payment_details'],
    [{ payment_details: { type: 'barter' } }, 'invalid_payment_type', 'payment_details[type]'],
    [{ payment_details: {} }, 'missing_parameter', 'payment_details[type]'],
    [{ payment_details: card('4111111111111112') }, 'invalid_parameter', 'payment_details[number]'],
    [{ payment_details: { ...card(), number: undefined } }, 'missing_parameter', 'payment_details[number]'],
    [{ payment_details: { ...card(), month: 13 } }, 'invalid_parameter', 'payment_details[month]'],
    [{ payment_details: { ...card(), month: 12, year: 2029 } }, 'invalid_parameter', 'payment_details[year]'],
    [{ payment_details: card(), currency: 'YEN' }, 'invalid_currency', 'currency'],
    [{ payment_details: { type: 'mobile', email } }, 'missing_parameter', 'currency'],
  ])('refuses %j with %s of %s', async (json, code, param) => {
    const { status, body } = await api.request('POST /tokens', { json })
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({ status: 422, code, param })
  })
})

const form = {
  'payment_details[month]': '2',
  'payment_details[year]': '31',
  'payment_details[name]': 'Taro',
  'payment_details[verification_value]': '999',
}

describe('a token', () => {
  const refusal = async (answer: ReturnType<typeof pay>) => {
    const { status, body } = await answer
    return { status, code: body.error?.code, param: body.error?.param }
  }
  const unusable = { status: 422, code: 'invalid_token', param: 'payment_details' }

  test('is consumed by a charge, which deletes its record', async () => {
    const id = await make()
    expect(itemsOf(api, 'token').filter(({ pk }) => pk.endsWith(id.slice(4, 30)))).toHaveLength(1)
    expect((await pay(id)).status).toBe(200)
    expect(await refusal(pay(id))).toEqual(unusable)
    expect(itemsOf(api, 'token').filter(({ pk }) => pk.endsWith(id.slice(4, 30)))).toEqual([])
  })

  test('is consumed by a charge that fails', async () => {
    const id = await make(card('4123111111111000'))
    expect(await refusal(pay(id))).toMatchObject({ status: 402, code: 'insufficient_funds' })
    expect(await refusal(pay(id))).toEqual(unusable)
  })

  test('stays usable after a 422 before the charge', async () => {
    const id = await make()
    expect(await refusal(pay(id, { amount: 0 }))).toMatchObject({ status: 422, param: 'amount' })
    expect(await refusal(pay(id, { amount: 9_999_999_999, tax: 1 }))).toMatchObject({ status: 422, param: 'tax' })
    expect((await pay(id)).status).toBe(200)
  })

  test('with a currency pays only in that currency', async () => {
    const id = await make(card(), { currency: 'USD' })
    expect(await refusal(pay(id))).toEqual({ status: 422, code: 'invalid_currency', param: 'currency' })
    expect((await pay(id, { currency: 'USD' })).status).toBe(200)
  })

  test('without a currency pays in any currency', async () => {
    expect((await pay(await make(), { currency: 'KWD' })).status).toBe(200)
  })

  test('pays one of two concurrent payments', async () => {
    const id = await make()
    const statuses = (await Promise.all([pay(id), pay(id)])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 422])
  })

  test('is unknown to other merchants and to the other mode', async () => {
    const { test: other } = await api.newMerchants()
    const id = await make()
    for (const key of [other.secret_key, api.live.secret_key]) {
      const json = { amount: 100, currency: 'JPY', payment_details: id }
      expect(await refusal(api.request('POST /payments', { key, json }))).toEqual(unusable)
    }
  })

  test.each(['tok_1', `tok_${'0'.repeat(52)}`, 'card'])('is refused if its id is %s', async (id) => {
    expect(await refusal(pay(id))).toEqual(unusable)
  })

  test('is refused with a wrong secret half of the id, and is not consumed by that', async () => {
    const id = await make()
    expect(await refusal(pay(`${id.slice(0, 30)}${'z'.repeat(26)}`))).toEqual(unusable)
    expect((await pay(id)).status).toBe(200)
  })

  test('expires after sixty minutes', async () => {
    const [first, second] = [await make(), await make()]
    await api.advance(3599)
    expect((await pay(first)).status).toBe(200)
    await api.advance(1)
    expect(await refusal(pay(second))).toEqual(unusable)
  })
})
