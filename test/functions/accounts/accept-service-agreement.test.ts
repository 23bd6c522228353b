import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'

let api: Api
let path: string
beforeAll(async () => {
  api = await openApi()
  const json = { name: 'Agreeing', default_currency: 'JPY', time_zone: 'Asia/Tokyo' }
  const { body } = await api.request('POST /accounts', { json })
  path = `POST /accounts/${body.id}/accept_service_agreement`
})
afterAll(() => api.close())

const at = '2030-01-01T00:00:00Z'
const accept = (accepted_service_agreement_at: unknown, accepted_service_agreement_ip: unknown) =>
  api.request(path, { json: { accepted_service_agreement_at, accepted_service_agreement_ip } })

describe('POST /accounts/:id/accept_service_agreement', () => {
  test.each(['203.0.113.7', '2001:DB8::1', '2001:db8:0:0:0:0:0:1', '::ffff:192.0.2.1'])(
    'stores the IP address %s exactly as it was sent',
    async (ip) => {
      const { status, body } = await accept(at, ip)
      expect(status).toBe(200)
      expect(body).toMatchObject({ resource: 'account', accepted_service_agreement_at: at })
      expect(body.accepted_service_agreement_ip).toBe(ip)
    },
  )

  test.each([
    ['2030-01-01T09:00:00+09:00', '2030-01-01T00:00:00Z'],
    ['2029-12-31T23:59:59.999-01:30', '2030-01-01T01:29:59Z'],
  ])('stores the time %s in UTC as %s, in place of an earlier agreement', async (sent, kept) => {
    expect((await accept(sent, '203.0.113.8')).body.accepted_service_agreement_at).toBe(kept)
  })

  test.each([
    ['at', undefined, '203.0.113.7', 'missing_parameter'],
    ['ip', at, undefined, 'missing_parameter'],
    ['at', '2030-01-01', '203.0.113.7', 'invalid_parameter'],
    ['at', '2030-01-01T00:00:00', '203.0.113.7', 'invalid_parameter'],
    ['at', '2030-02-30T00:00:00Z', '203.0.113.7', 'invalid_parameter'],
    ['at', 1_893_456_000, '203.0.113.7', 'invalid_parameter'],
    ['at', '9999-12-31T23:59:59-12:00', '203.0.113.7', 'invalid_parameter'],
    ['at', '0000-01-01T00:00:00+09:00', '203.0.113.7', 'invalid_parameter'],
    ['ip', at, '203.0.113.256', 'invalid_parameter'],
    ['ip', at, '203.0.113.7:80', 'invalid_parameter'],
    ['ip', at, 'fe80::1%eth0', 'invalid_parameter'],
    ['ip', at, 'localhost', 'invalid_parameter'],
    ['ip', at, null, 'invalid_parameter'],
  ])('refuses an invalid %s (time %s, IP address %s) with %s', async (name, when, ip, code) => {
    const { status, body } = await accept(when, ip)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code, param: `accepted_service_agreement_${name}` })
  })

  test('answers 404 for an account of another merchant', async () => {
    const { test: stranger } = await api.newMerchants()
    const json = { accepted_service_agreement_at: at, accepted_service_agreement_ip: '203.0.113.7' }
    expect((await api.request(path, { key: stranger.secret_key, json })).status).toBe(404)
  })
})
