import { describe, expect, test } from 'vitest'
import { see, submit } from '#test/browser/browsing.ts'
import { decideAt } from '#test/browser/customer-decision.ts'
import { card, konbini, type Service } from '#test/fixtures/api.ts'

/** Journeys of sessions and of secure tokens. */
export function sessionJourneys(service: () => Service): void {
  describe('sessions', () => {
    const order = { amount: 1000, currency: 'JPY', return_url: 'https://shop.example.com/done' }
    const post = (path: string, json?: unknown) => service().request(`POST ${path}`, json ? { json } : {})
    const make = async (fields: object = {}): Promise<string> =>
      (
        await post('/sessions', {
          ...order,
          line_items: [{ description: 'お茶' }],
          metadata: { a: 1, 鍵: 'x' },
          ...fields,
        })
      ).body.id
    const pay = (id: string, payment_details: unknown) => post(`/sessions/${id}/pay`, { payment_details })
    const show = async (id: string) => (await service().request(`GET /sessions/${id}`)).body
    /** Sends a request as the page of a shop does. */
    const requestAsBrowser: Service['request'] = (route, options) =>
      service().request(route, {
        key: service().test.publishable_key,
        headers: { origin: 'https://shop.example.com' },
        ...options,
      })
    const payment = async (id: string) => (await service().request(`GET /payments/${id}`)).body

    test('the reason of a decline is in the response and in the session', async () => {
      const id = await make()
      const { payment: failed, error } = (await pay(id, card('4123111111111042'))).body
      const failure_message = expect.stringContaining('The card has expired.')
      expect(failed).toMatchObject({ status: 'failed', failure_code: 'card_expired', failure_message })
      expect(error).toMatch(/./)
      expect(await show(id)).toMatchObject({ status: 'pending', payment: failed })
    })

    test('a card is declined, a wallet payment is abandoned, and another card pays', async () => {
      const id = await make()
      const declined = await pay(id, card('4123111111111000'))
      expect(declined.body).toMatchObject({ redirect_url: null, status: 'pending', error: expect.any(String) })
      const left = (await pay(id, { type: 'paypay' })).body
      expect(left).toMatchObject({ status: 'pending', redirect_url: left.payment.payment_details.redirect_url })
      const paid = await pay(id, card())
      expect(paid.body).toMatchObject({ redirect_url: `${order.return_url}?session_id=${id}`, status: 'completed' })
      expect((await payment(left.payment.id)).status).toBe('cancelled')
      expect(await show(id)).toMatchObject({ status: 'completed', payment: paid.body.payment })
      expect((await pay(id, konbini)).text).toBe(paid.text)
      expect((await post(`/sessions/${id}/cancel`)).body.error.code).toBe('not_cancellable')
    })

    test('a wallet payment is approved on its page and completes the session', async () => {
      const id = await make()
      const { redirect_url, payment: waiting } = (await pay(id, { type: 'paypay' })).body
      expect((await decideAt(redirect_url, 'approve')).status).toBe(303)
      expect(await show(id)).toMatchObject({ status: 'completed', payment: { id: waiting.id, status: 'captured' } })
    })

    test('a browser reads what each payment method needs, and loads its icons', async () => {
      const id = await make({ payment_types: ['credit_card', 'konbini', 'mobile', 'paypay'] })
      const { payment_methods } = (await requestAsBrowser(`GET /sessions/${id}`)).body
      const on_site = { offsite: false, additional_fields: [], amount: 1000, currency: 'JPY', exchange_rate: null }
      const off_site = { ...on_site, offsite: true, brands: [], customer_fee: 0 }
      expect(payment_methods).toEqual([
        { ...on_site, type: 'credit_card', brands: expect.arrayContaining(['visa', 'master', 'jcb']), customer_fee: 0 },
        { ...on_site, type: 'konbini', brands: expect.any(Object), customer_fee: 190 },
        { ...off_site, type: 'mobile', additional_fields: ['email'] },
        { ...off_site, type: 'paypay' },
      ])
      const [cards, stores] = payment_methods.map(({ brands }: { brands: object }) => brands)
      const icons = Object.values<{ icon: string }>(stores).map(({ icon }) => new URL(icon, service().url).href)
      expect(icons).toHaveLength(6)
      for (const icon of [...icons, `${service().url}/payment_methods/credit_card.svg?brands=${cards}`]) {
        const { status, headers } = await fetch(icon)
        expect([status, headers.get('content-type')], icon).toEqual([200, 'image/svg+xml; charset=utf-8'])
        expect(headers.get('cache-control')).toMatch(/^public, max-age=[1-9]\d*$/)
      }
    })

    test('the session of a shop plug-in is paid at a convenience store and leads back to the app', async () => {
      const { status, body } = await post('/sessions', {
        ...{ currency: 'jpy', default_locale: 'en_US', return_url: 'shopapp://orders/7', email: 'taro@example.com' },
        payment_types: ['dokan', 'konbini'],
        external_order_num: 'order-7',
        line_items: [
          { description: 'Green tea', amount: 333, quantity: 1.5, image: '/uploads/tea.png' },
          { description: 'Cup', amount: 500, quantity: '1', image: 'data:image/gif;base64,R0lGOD' },
        ],
      })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        ...{ amount: 1000, currency: 'JPY', default_locale: 'en', return_url: 'shopapp://orders/7' },
        payment_methods: [{ type: 'konbini' }],
        line_items: [
          { quantity: 1.5, image: null },
          { quantity: 1, image: null },
        ],
      })
      const json = { payment_details: { type: 'konbini', store: 'lawson' } }
      const payAsBrowser = () => requestAsBrowser(`POST /sessions/${body.id}/pay`, { json })
      const { redirect_url, payment: reserved } = (await payAsBrowser()).body
      expect(reserved).toMatchObject({
        ...{ status: 'authorized', total: 1190, external_order_num: 'order-7', session: body.id },
        payment_details: { store: 'lawson', email: 'taro@example.com', instructions_url: redirect_url },
      })
      expect((await submit(redirect_url, {})).status).toBe(303)
      const back = `shopapp://orders/7?session_id=${body.id}`
      expect((await see(redirect_url)).html).toContain(`href="${back}"`)
      expect((await payAsBrowser()).body).toMatchObject({ status: 'completed', redirect_url: back })
      expect(await show(body.id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
    })

    test('ten concurrent tries create one payment', async () => {
      const id = await make()
      const replies = await Promise.all(Array.from({ length: 10 }, () => pay(id, card())))
      const { payment: paid, status } = await show(id)
      expect(status).toBe('completed')
      for (const { status, body } of replies) if (status === 200) expect(body.payment.id).toBe(paid.id)
      const { body } = await service().request('GET /payments?per_page=100')
      expect(body.data.filter((each: { session: string }) => each.session === id)).toHaveLength(1)
    })

    test('a cancelled session cannot be paid', async () => {
      const id = await make()
      expect((await post(`/sessions/${id}/cancel`)).body).toMatchObject({ id, status: 'cancelled' })
      expect((await pay(id, card())).status).toBe(422)
    })

    test('a customer stores a card, which is charged later', async () => {
      const id = await make({ mode: 'customer', amount: undefined, currency: undefined })
      expect((await pay(id, card())).body.status).toBe('completed')
      const { customer_id: customer } = await show(id)
      expect((await post('/payments', { amount: 500, currency: 'JPY', customer })).body.status).toBe('captured')
    })

    test('a secure token is verified by its customer, seen by the page of the shop, and pays once', async () => {
      const made = await post('/secure_tokens', { ...order, payment_details: card('4100000000000100') })
      const { id, authentication_url } = made.body
      const use = () => post('/payments', { amount: 1000, currency: 'JPY', payment_details: id })
      expect((await use()).body.error.code).toBe('invalid_token')
      await decideAt(authentication_url, 'authenticate')
      const { headers, body } = await requestAsBrowser(`GET /secure_tokens/${id}`)
      expect([body.id, body.verification_status]).toEqual([id, 'OK'])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect((await use()).body.status).toBe('captured')
      expect((await use()).body.error.code).toBe('invalid_token')
    })
  })
}
