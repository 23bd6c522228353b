import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payment_types } from '#shared/domain/payment-details.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const icon = async (path: string, init?: RequestInit) => {
  const reply = await fetch(`${api.url}/payment_methods/${path}`, init)
  return { reply, svg: await reply.text() }
}

describe('GET /payment_methods/:file', () => {
  test.each(payment_types)('shows the icon of %s without a key, for caches and for pages of any site', async (type) => {
    const { reply, svg } = await icon(`${type}.svg`)
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    })
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="48" .*<\/svg>$/)
  })

  test('shows the marks of the brands, each once, and ignores unknown brands', async () => {
    const one = await icon('konbini.svg?brands=seven-eleven')
    expect(one.svg).toContain('>7-Eleven</text>')
    const two = await icon('credit_card.svg?brands=visa,master,visa,barter')
    expect(two.svg.match(/<g /g)).toHaveLength(2)
    expect((await icon('credit_card.svg?brands=visa&brands=master')).svg).toBe(two.svg)
    const plain = await icon('credit_card.svg')
    for (const brands of ['', 'barter', '%3Cscript%3E', '__proto__'])
      expect((await icon(`credit_card.svg?brands=${brands}`)).svg).toBe(plain.svg)
  })

  test('shows every icon that a session names', async () => {
    const json = { amount: 1000, currency: 'JPY', payment_types: ['konbini'] }
    const [konbini] = (await api.request('POST /sessions', { json })).body.payment_methods
    const icons = Object.values(konbini.brands as Record<string, { icon: string }>)
    expect(icons).toHaveLength(6)
    for (const each of icons) expect((await fetch(api.url + each.icon)).status).toBe(200)
  })

  test.each(['barter.svg', 'konbini', 'konbini.png', '__proto__.svg', 'constructor.svg', 'konbini.svg.svg', '%00.svg'])(
    'answers 404 for %s',
    async (path) => {
      const { reply, svg } = await icon(path)
      expectEnvelope(
        { status: reply.status, headers: reply.headers, body: JSON.parse(svg), text: svg } as never,
        'not_found',
      )
    },
  )

  test('answers 405 for other methods', async () => {
    const { reply } = await icon('konbini.svg', { method: 'POST' })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('answers 403 for a request that the firewall marks', async () => {
    const { reply } = await icon('konbini.svg', { headers: { 'x-amzn-waf-request': 'suspicious' } })
    expect(reply.status).toBe(403)
  })
})
