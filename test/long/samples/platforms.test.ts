import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sample } from '#shared/docs/sample.ts'
import * as samples from '#shared/docs/samples/platforms.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { runSample } from '#test/fixtures/sample-runner.ts'

describe('the samples of platforms', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())

  const run = (sample: Sample, language: 'shell' | 'typescript', env: Readonly<Record<string, string>>) =>
    runSample(sample, language, { base_url: `${api.url}/api/v1`, env: { SECRET_KEY: api.test.secret_key, ...env } })

  test.each(['shell', 'typescript'] as const)(
    'open an account, pay for it, and manage its keys, in %s',
    async (language) => {
      const ACCOUNT_NAME = `Blue Shop ${language}`
      const created = await run(samples.create_account, language, { ACCOUNT_NAME })
      const [ACCOUNT] = /acc_\w+/.exec(created)!
      const { body: account } = await api.request(`GET /accounts/${ACCOUNT}`)
      const MERCHANT = account.test_merchant
      expect(created).toContain(MERCHANT)
      expect(await run(samples.accept_agreement, language, { ACCOUNT })).toContain('2026-01-31T03:00:00Z')

      expect(await run(samples.brand_account, language, { ACCOUNT })).toContain('Blue Shop Kyoto')
      expect((await api.request(`GET /accounts/${ACCOUNT}`)).body.accent_color).toBe('#0b5fff')

      const [TOKEN] = /tok_\w+/.exec(await run(samples.token_as_merchant, language, { MERCHANT }))!
      const [payment] = /pay_\w+/.exec(await run(samples.pay_as_merchant, language, { MERCHANT, TOKEN }))!
      expect((await api.request(`GET /payments/${payment}`)).status).toBe(404)

      const made = await run(samples.create_key, language, { ACCOUNT })
      const [KEY] = /key_\w+/.exec(made)!
      const [key] = /sk_test_\w+/.exec(made)!
      expect((await api.request(`GET /payments/${payment}`, { key })).status).toBe(200)

      const rolled = await run(samples.roll_key, language, { ACCOUNT, KEY })
      const [next] = /sk_test_\w+/.exec(rolled)!
      expect((await api.request(`GET /payments/${payment}`, { key })).status).toBe(200)
      await api.advance(3601)
      expect((await api.request(`GET /payments/${payment}`, { key })).status).toBe(401)
      expect((await api.request(`GET /payments/${payment}`, { key: next })).status).toBe(200)
      const [NEXT] = /key_\w+/.exec(rolled)!
      expect(await run(samples.revoke_key, language, { ACCOUNT, KEY: NEXT })).toMatch(/\d{4}-\d\d-\d\dT/)
      expect((await api.request(`GET /payments/${payment}`, { key: next })).status).toBe(401)
    },
  )

  test('reach both merchants of an account, each with a key of its own mode', async () => {
    const json = { name: 'Both modes', default_currency: 'JPY', time_zone: 'Asia/Tokyo' }
    const { body: account } = await api.request('POST /accounts', { json })
    const statusOf = async (route: string, key: string, password = '', json?: object) => {
      const authorization = `Basic ${btoa(`${key}:${password}`)}`
      return (await api.request(route, { headers: { authorization }, ...(json && { json }) })).status
    }
    const { test: own, live } = api
    const { test_merchant, live_merchant } = account
    expect(await statusOf('GET /payments', own.secret_key, test_merchant)).toBe(200)
    expect(await statusOf('GET /live_application', live.secret_key, live_merchant)).toBe(200)
    expect(await statusOf('GET /payment_methods', own.publishable_key, test_merchant)).toBe(200)
    expect(await statusOf('GET /payments', own.secret_key, live_merchant)).toBe(401)
    expect(await statusOf('GET /payments', live.secret_key, test_merchant)).toBe(401)
    const other = (await api.newMerchants()).test
    expect(await statusOf('GET /payments', other.secret_key, test_merchant)).toBe(401)
    expect(await statusOf(`GET /accounts/${account.id}`, own.secret_key)).toBe(200)
    expect(await statusOf(`GET /accounts/${account.id}`, live.secret_key)).toBe(404)
    const accept = `POST /accounts/${account.id}/accept_service_agreement`
    const acceptance = {
      accepted_service_agreement_at: '2030-01-31T12:00:00Z',
      accepted_service_agreement_ip: '203.0.113.7',
    }
    for (const [{ secret_key }, merchant] of [
      [own, test_merchant],
      [live, live_merchant],
    ]) {
      expect(await statusOf(`GET /accounts/${account.id}`, secret_key, merchant)).toBe(200)
      expect(await statusOf(`PATCH /accounts/${account.id}`, secret_key, merchant)).toBe(200)
      expect(await statusOf(`POST /accounts/${account.id}/keys`, secret_key, merchant, { kind: 'secret' })).toBe(404)
      expect(await statusOf(accept, secret_key, merchant, acceptance)).toBe(404)
    }
  })
})
