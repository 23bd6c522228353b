import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideAt } from '#test/browser/customer-decision.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const address = { zipcode: '1500001', street_address1: '1-2-3', street_address2: '', country: 'JP', state: 'JP13' }
const email = 'taro@example.com'
const tea = { description: 'Green tea', quantity: 2, image: '/wp-content/uploads/tea.png' }

interface Client {
  readonly name: string
  readonly json?: object
  readonly form?: readonly (readonly [string, string])[]
  readonly pays: { readonly type: string }
  /** The result that every client needs. */
  readonly amount: number
  readonly types: readonly string[]
  readonly external_order_num: string | null
  readonly back: string
}

/** Requests in the form in which plug-ins and apps for shops send them. */
const clients: readonly Client[] = [
  {
    name: 'a WordPress plug-in, with the amount as text, a chosen type, and images without a host',
    json: {
      return_url: 'https://shop.example/?wc-api=Gateway&order_id=7',
      default_locale: 'ja',
      email,
      payment_types: ['konbini'],
      payment_data: {
        ...{ amount: '1000.00', currency: 'JPY', external_order_num: 'WC-7-A1B2C3', name: 'Taro Yamada' },
        ...{ billing_address: address, shipping_address: null },
      },
      line_items: [tea, { ...tea, quantity: 0.5, image: 'data:image/gif;base64,R0lGOD' }],
    },
    pays: konbini,
    ...{ amount: 1000, types: ['konbini'], external_order_num: 'WC-7-A1B2C3' },
    back: 'https://shop.example/?wc-api=Gateway&order_id=7&session_id=',
  },
  {
    name: 'a WordPress plug-in that lets the hosted page offer the types',
    json: {
      ...{ return_url: 'https://shop.example/?wc-api=Gateway', default_locale: 'en', email: null },
      payment_types: [''],
      payment_data: { amount: 1000, currency: 'JPY', external_order_num: '7', billing_address: null, name: '' },
      line_items: [{ ...tea, image: null }],
    },
    pays: { type: 'credit_card' },
    ...{ amount: 1000, types: ['credit_card', 'konbini', 'paypay'], external_order_num: '7' },
    back: 'https://shop.example/?wc-api=Gateway&session_id=',
  },
  {
    name: 'a Magento module, with four decimals, addresses, and a type that is switched off',
    json: {
      return_url: 'https://shop.example/payment/hostedpage/postsessionredirect/?order_id=12&hmac=ab12',
      default_locale: 'ja_JP',
      payment_types: ['dokan', 'paypay'],
      email,
      payment_data: {
        ...{ name: 'Taro Yamada', amount: '1980.0000', currency: 'JPY', external_order_num: '000000012-x1' },
        ...{ billing_address: address, shipping_address: address },
      },
    },
    pays: { type: 'paypay' },
    ...{ amount: 1980, types: ['paypay'], external_order_num: '000000012-x1' },
    back: 'https://shop.example/payment/hostedpage/postsessionredirect/?order_id=12&hmac=ab12&session_id=',
  },
  {
    name: 'a Salesforce cartridge, as a form with a cancel_url',
    form: [
      ['payment_types[]', 'konbini'],
      ['return_url', 'https://shop.example/on/demandware.store/Sites-X-Site/ja_JP/Controller-Order'],
      ['cancel_url', 'https://shop.example/on/demandware.store/Sites-X-Site/ja_JP/Checkout-Begin'],
      ['amount', '1000'],
      ['currency', 'JPY'],
      ['email', email],
      ['payment_data[shipping_address][zipcode]', '1500001'],
      ['payment_data[shipping_address][street_address2]', ''],
      ['payment_data[name]', 'Taro Yamada'],
      ['payment_data[external_order_num]', '00001234'],
      ['default_locale', 'en'],
    ],
    pays: { ...konbini, email: '' } as never,
    ...{ amount: 1000, types: ['konbini'], external_order_num: '00001234' },
    back: 'https://shop.example/on/demandware.store/Sites-X-Site/ja_JP/Controller-Order?session_id=',
  },
  {
    name: 'a CakePHP application, as a form whose brackets are counted',
    form: [
      ['amount', '1000'],
      ['currency', 'JPY'],
      ['external_order_num', '1c7c1b5e-52bc-4a0e-9d0a-3f4f6f4b2b3e'],
      ['metadata[foobar]', 'hoge'],
      ['payment_types[0]', 'credit_card'],
      ['payment_types[1]', 'nanaco'],
      ['line_items[0][description]', 'Green tea'],
      ['line_items[0][amount]', '500'],
      ['line_items[0][quantity]', '2'],
      ['line_items[0][image]', ''],
      ['return_url', 'https://shop.example/orders/done'],
    ],
    pays: { type: 'credit_card' },
    ...{ amount: 1000, types: ['credit_card'], external_order_num: '1c7c1b5e-52bc-4a0e-9d0a-3f4f6f4b2b3e' },
    back: 'https://shop.example/orders/done?session_id=',
  },
  {
    name: 'a mobile app, with the amount as text and the bare link of the app',
    json: { default_locale: 'en', amount: '1000', currency: 'JPY', return_url: 'shopapp://' },
    pays: { type: 'credit_card' },
    ...{ amount: 1000, types: ['credit_card', 'konbini', 'paypay'], external_order_num: null },
    back: 'shopapp://?session_id=',
  },
  {
    name: 'a web shop that sends line items without an amount',
    form: [
      ['default_locale', 'en_US'],
      ['cancel_url', 'https://shop.example/'],
      ['return_url', 'https://shop.example/done?session_id={CHECKOUT_SESSION_ID}'],
      ['currency', 'JPY'],
      ['line_items[][quantity]', '1'],
      ['line_items[][amount]', '980'],
      ['line_items[][currency]', 'JPY'],
      ['line_items[][description]', 'Monthly plan'],
    ],
    pays: { type: 'credit_card' },
    ...{ amount: 980, types: ['credit_card', 'konbini', 'paypay'], external_order_num: null },
    back: 'https://shop.example/done?session_id={CHECKOUT_SESSION_ID}&session_id=',
  },
]

describe('POST /sessions, as plug-ins for shops send it', () => {
  test.each(clients)('is paid to the end for $name', async ({ json, form, pays, back, ...expected }) => {
    const made = await api.request('POST /sessions', json ? { json } : { form: form! })
    expect(made.status, made.text).toBe(200)
    const { id, session_url, payment_methods, amount } = made.body
    expect(amount).toBe(expected.amount)
    const types = payment_methods.map(({ type }: { type: string }) => type)
    expect(types).toEqual(expect.arrayContaining([...expected.types]))
    expect((await fetch(session_url)).status).toBe(200)

    const payment_details = pays.type === 'credit_card' ? card() : pays
    const key = api.test.publishable_key
    const { status, body } = await api.request(`POST /sessions/${id}/pay`, { json: { payment_details }, key })
    expect([status, body.error]).toEqual([200, null])
    if (pays.type === 'paypay') await decideAt(body.redirect_url, 'approve')
    if (pays.type === 'konbini') await api.request(`POST /_local/payments/${body.payment.id}/pay`)
    const { payment, ...session } = (await api.request(`GET /sessions/${id}`, { key })).body
    expect(session.status).toBe('completed')
    expect(payment).toMatchObject({ status: 'captured', external_order_num: expected.external_order_num })
    const again = await api.request(`POST /sessions/${id}/pay`, { json: { payment_details }, key })
    expect(again.body.redirect_url).toBe(`${back}${id}`)
  })
})
