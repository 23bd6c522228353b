import { describe, expect, test } from 'vitest'
import { card, type RequestOptions, type Service } from '#test/fixtures/api.ts'

/** Journeys of developers who learn from a response what is wrong with their request. */
export function mistakeJourneys(service: () => Service): void {
  describe('mistakes', () => {
    const request: Service['request'] = (route, options) => service().request(route, options)
    const order = { amount: 1050, currency: 'USD', payment_details: card() }
    const ignoredIn = ({ headers }: { headers: Headers }) => headers.get('x-service-ignored-parameters')

    test('all faults of a request are listed at once, and their correction leads to success', async () => {
      const json = { amount: 10.5, currency: 'dollars', payment_details: { ...card(), month: 13 } }
      const { status, body } = await request('POST /payments', { json })
      expect(status).toBe(422)
      const { code, message, param, details } = body.error
      expect(details.errors).toMatchObject([
        { code: 'invalid_parameter', param: 'amount', message: expect.stringContaining('in cents: 1050') },
        { code: 'invalid_currency', param: 'currency' },
        { code: 'invalid_parameter', param: 'payment_details[month]' },
      ])
      expect(details.errors[0]).toEqual({ code, message, param })
      expect((await request('POST /payments', { json: order })).body.status).toBe('captured')
    })

    test('every error leads to the page of its code', async () => {
      const mistakes: readonly (readonly [route: string, options: RequestOptions, code: string])[] = [
        ['GET /payments', { key: null }, 'unauthorized'],
        ['POST /payments', { json: { ...order, payment_details: card('4123111111111018') } }, 'exceeds_limit'],
        ['GET /payments', { key: service().test.publishable_key }, 'forbidden'],
        ['GET /payments/pay_1', {}, 'not_found'],
        ['GET /nothing', {}, 'not_found'],
        ['DELETE /payments', {}, 'method_not_allowed'],
        ['POST /customers', { raw: '<a/>', headers: { 'content-type': 'text/xml' } }, 'unsupported_media_type'],
        ['POST /payments', { json: {} }, 'missing_parameter'],
      ]
      for (const [route, options, code] of mistakes)
        expect((await request(route, options)).body.error, route).toMatchObject({
          code,
          doc_url: `${service().url}/docs/errors#${code}`,
        })
    })

    test('a developer reads about an error in the documentation, at the address that the error names', async () => {
      const first = await fetch(`${service().url}/docs`)
      expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const { error } = (await request('POST /payments/pay_1/refund', { json: { amount: 0 } })).body
      const page_url = error.doc_url.split('#')[0]
      const links = Array.from(
        (await first.text()).matchAll(/href="([^"#]*)/g),
        ([, to]) => new URL(to!, first.url).href,
      )
      expect(links).toContain(page_url)
      const page = await fetch(page_url)
      expect(page.status).toBe(200)
      const [, entry] = (await page.text()).split(`<tr id="${error.code}">`)
      expect(entry?.split('</tr>')[0]).toContain(`<code>${error.code}</code></th><td>422</td>`)
    })

    test('test mode names the parameters and the filters that it ignores, and live mode does not', async () => {
      const json = { discription: 'Tea', ...order, payment_details: { ...card(), cvc: '123' } }
      const paid = await request('POST /payments', { json })
      expect([paid.status, ignoredIn(paid)]).toEqual([200, 'discription, payment_details[cvc]'])
      const path = 'GET /payments?state=captured&per_page=1'
      const listed = await request(path)
      expect([listed.status, ignoredIn(listed)]).toEqual([200, 'state'])
      expect(ignoredIn(await request('GET /payments?per_page=1'))).toBeNull()
      const live = await request(path, { key: service().live.secret_key })
      expect([live.status, ignoredIn(live)]).toEqual([200, null])
    })

    test('an unknown scenario is refused, and the error names the known ones', async () => {
      const headers = { 'x-service-scenario': 'time_out' }
      const { status, body } = await request('POST /payments', { json: order, headers })
      expect(status).toBe(422)
      expect(body.error).toMatchObject({
        param: 'X-Service-Scenario',
        message: expect.stringContaining('timeout_before_charge, timeout_after_charge'),
      })
    })

    test('HEAD is answered with the status and the headers of GET', async () => {
      const { id } = (await request('POST /payments', { json: order })).body
      for (const [path, status] of [
        [`/payments/${id}`, 200],
        ['/payments?per_page=1', 200],
        ['/payments/pay_1', 404],
      ] as const) {
        const [get, head] = [await request(`GET ${path}`), await request(`HEAD ${path}`)]
        expect([get.status, head.status, head.text], path).toEqual([status, status, ''])
        expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
      }
    })

    test('a currency in small letters and a language with its region are read as meant', async () => {
      const yen = { amount: 1000, currency: 'jpy' }
      const paid = await request('POST /payments', { json: { ...yen, locale: 'en_US', payment_details: card() } })
      expect([paid.status, paid.body.currency]).toEqual([200, 'JPY'])
      const session = await request('POST /sessions', { json: { ...yen, default_locale: 'en_US' } })
      expect(session.body).toMatchObject({ currency: 'JPY', default_locale: 'en' })
    })
  })
}
