import { describe, expect, test } from 'vitest'
import { CreateSession } from '#shared/resources/create-session.ts'
import { parse } from '#shared/resources/parse.ts'
import { PaySession, paid_session, session } from '#shared/resources/session.ts'
import { paymentRecord, sessionRecord } from '#test/fixtures/records.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const order = { amount: 1000, currency: 'JPY' }
const created = (fields: object = {}) => parse(CreateSession, { ...order, ...fields })
const NOW = Date.parse('2030-01-02T03:00:00Z')

describe('CreateSession', () => {
  test('sets its defaults', () => {
    expect(created()).toEqual({
      mode: 'payment',
      amount: 1000,
      currency: 'JPY',
      return_url: null,
      default_locale: 'ja',
      email: null,
      line_items: [],
      external_order_num: null,
      metadata: {},
      expires_in_seconds: 86_400,
      payment_data: { capture: 'auto', external_order_num: null, tax: 0, webhooks: [] },
      tax: 0,
    })
  })

  test('treats null and empty text of optional parameters as absent', () => {
    for (const nothing of [null, '']) {
      const fields = { mode: nothing, return_url: nothing, default_locale: nothing, email: nothing }
      const more = { payment_data: nothing, expires_in_seconds: nothing, line_items: nothing, payment_types: nothing }
      expect(created({ ...fields, ...more })).toEqual(created())
    }
  })

  test.each([
    [{ tax: 'auto' }, 99],
    [{ tax: 7 }, 7],
    [{}, 0],
  ])('with payment_data %j, computes a tax of %i on 999', (payment_data, tax) => {
    expect(created({ amount: 999, payment_data }).tax).toBe(tax)
  })

  test('accepts amount and currency in both places only if they are equal', () => {
    expect(created({ payment_data: order })).toMatchObject({ ...order, payment_data: order })
    expect(refusalOf(CreateSession, { ...order, payment_data: { amount: 1 } })).toMatchObject({
      message: 'payment_data[amount] must be the same as amount.',
    })
  })

  test.each(['amount', 'currency'])('requires %s in payment mode, and not in customer mode', (name) => {
    const request = { ...order, [name]: undefined }
    expect(refusalOf(CreateSession, request)).toMatchObject({ code: 'missing_parameter', param: name })
    expect(parse(CreateSession, { ...request, mode: 'customer' })).toMatchObject({ mode: 'customer' })
  })

  test.each([
    [{}, null],
    [{ external_order_num: 'a' }, 'a'],
    [{ payment_data: { external_order_num: 'b' } }, 'b'],
    [{ external_order_num: 'a', payment_data: { external_order_num: 'b' } }, 'b'],
    [{ external_order_num: 'a', payment_data: { external_order_num: '' } }, 'a'],
  ])('with %j has the order number %s', (fields, expected) => {
    expect(created(fields).external_order_num).toBe(expected)
  })

  test('ignores blank payment types, and keeps all others as they were sent', () => {
    expect(created({ payment_types: [null, '', 'barter', 'konbini'] }).payment_types).toEqual(['barter', 'konbini'])
  })

  test.each(['en', 'en-US', 'en_US', 'EN-gb'])('reads the locale %s as en', (default_locale) => {
    expect(created({ default_locale }).default_locale).toBe('en')
  })

  test.each([
    ['https://shop.example/tea.png', 'https://shop.example/tea.png'],
    ['/tea.png', null],
    ['data:image/png;base64,AAAA', null],
    ['//shop.example/tea.png', null],
    [false, null],
    [{}, null],
    ['', null],
    [`https://shop.example/${'x'.repeat(2_048)}`, null],
  ])('reads the image %s of a line item as %s', (image, expected) => {
    expect(created({ line_items: [{ image }] }).line_items[0]?.image).toBe(expected)
  })

  test.each([
    [1.5, 1.5],
    ['0.25', 0.25],
    ['2', 2],
    ['3.0', 3],
    [1e-20, 1e-20],
    ['0.00000000000000000001', 1e-20],
    [null, null],
    ['', null],
  ])('reads the quantity %j of a line item as %s', (quantity, expected) => {
    expect(created({ line_items: [{ quantity }] }).line_items[0]?.quantity).toBe(expected)
  })

  test.each([0, -1, 5e-324, 9e-21, '0', '0.0', '-1', 'x', '1e3', 1_000_001, Number.NaN, true, [], {}])(
    'refuses the quantity %s',
    (quantity) => {
      const request = { ...order, line_items: [{}, { quantity }] }
      expect(refusalOf(CreateSession, request)).toMatchObject({
        ...{ code: 'invalid_parameter', param: 'line_items[1][quantity]' },
      })
    },
  )

  describe('without an amount', () => {
    const sum = (line_items: object[], more: object = {}) => ({ currency: 'JPY', line_items, ...more })

    test('adds up the line items, and computes the tax from the sum', () => {
      const line_items = [{ amount: 333, quantity: 1.5 }, { description: 'gift' }, { amount: '100' }]
      expect(parse(CreateSession, sum(line_items, { payment_data: { tax: 'auto' } }))).toMatchObject({
        ...{ amount: 600, tax: 60 },
      })
    })

    test('uses an amount that is sent, also one in payment_data', () => {
      const line_items = [{ amount: 333 }]
      expect(parse(CreateSession, sum(line_items, { amount: 1 })).amount).toBe(1)
      expect(parse(CreateSession, sum(line_items, { payment_data: { amount: 2 } })).amount).toBe(2)
    })

    test.each([
      [[{ description: 'tea', quantity: 2 }], 'missing_parameter'],
      [[], 'missing_parameter'],
      [[{ amount: 0 }], 'invalid_parameter'],
      [[{ amount: 9_999_999_999, quantity: 2 }], 'invalid_parameter'],
    ])('refuses %j with %s of amount', (line_items, code) => {
      expect(refusalOf(CreateSession, sum(line_items))).toMatchObject({ code, param: 'amount' })
    })
  })

  test.each([
    [{ line_items: Array(101).fill({}) }, 'line_items'],
    [{ line_items: ['tea'] }, 'line_items[0]'],
    [{ line_items: [{ description: 'x'.repeat(2_001) }] }, 'line_items[0][description]'],
    [{ line_items: [{ amount: 1.5 }] }, 'line_items[0][amount]'],
    [{ payment_types: 'konbini' }, 'payment_types'],
    [{ payment_data: 'x' }, 'payment_data'],
    [{ payment_data: { external_order_num: 'x'.repeat(256) } }, 'payment_data[external_order_num]'],
    [{ email: 'no-address' }, 'email'],
    [{ expires_in_seconds: 1.5 }, 'expires_in_seconds'],
  ])('refuses %o with the parameter %s', (fields, param) => {
    expect(refusalOf(CreateSession, { ...order, ...fields })).toMatchObject({ code: 'invalid_parameter', param })
  })
})

describe('PaySession', () => {
  test('requires payment details, as an object or as the id of a token', () => {
    expect(refusalOf(PaySession, {})).toMatchObject({ code: 'missing_parameter', param: 'payment_details' })
    expect(parse(PaySession, { payment_details: 'tok_1' })).toEqual({ payment_details: 'tok_1' })
  })
})

describe('session and paid_session', () => {
  test('session returns the whole payment, and nothing of the webhooks', () => {
    const webhooks = [{ url: 'https://shop.example.com', events: [], secret_sealed: 'c2VhbGVk' }]
    const record = sessionRecord({ webhooks, payment: 'pay_1' })
    const context = { session_url: 'https://pay.example.com', icons_path: '/prod/payment_methods', now: NOW }
    const seen = session(record, { ...context, payment: paymentRecord({ id: 'pay_1', session: 'ses_1' }) })
    expect(JSON.stringify(seen)).not.toContain('c2VhbGVk')
    expect(seen).toMatchObject({ session_url: 'https://pay.example.com', payment: { id: 'pay_1', session: 'ses_1' } })
    expect(seen.expired).toBe(false)
    expect(session(record, { ...context, now: NOW + 86_400_000 })).toMatchObject({ expired: true, payment: null })
  })

  test('session shows no merchant name for a session that was stored without one', () => {
    const { merchant_name, ...stored } = sessionRecord({ merchant_name: 'Tea House' })
    const context = { session_url: '', icons_path: '', now: NOW }
    expect(session(stored, context).merchant_name).toBeNull()
    expect(session({ ...stored, merchant_name }, context).merchant_name).toBe('Tea House')
  })

  test('session shows the icon of each convenience store below the prefix of the stage', () => {
    const context = { session_url: '', icons_path: '/prod/payment_methods', now: NOW }
    const [konbini] = session(sessionRecord({ payment_types: ['konbini'] }), context).payment_methods
    expect(konbini?.brands).toMatchObject({
      'seven-eleven': { icon: '/prod/payment_methods/konbini.svg?brands=seven-eleven' },
    })
  })

  test('paid_session returns the sentence for the customer after a decline', () => {
    const answer = {
      redirect_url: null,
      session: sessionRecord(),
      payment: paymentRecord({ status: 'failed' }),
      error: 'Your card was declined.',
    }
    expect(paid_session(answer)).toMatchObject({
      ...{ redirect_url: null, status: 'pending', error: 'Your card was declined.' },
      payment: { status: 'failed' },
    })
    const completed = { ...answer, session: sessionRecord({ status: 'completed' }), error: null }
    expect(paid_session({ ...completed, payment: undefined, redirect_url: 'https://shop.example.com' })).toEqual({
      redirect_url: 'https://shop.example.com',
      status: 'completed',
      payment: null,
      error: null,
    })
  })
})
