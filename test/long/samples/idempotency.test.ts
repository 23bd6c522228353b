import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pay_order, pay_with_retries } from '#shared/docs/samples/idempotency.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'
import { runSample } from '#test/fixtures/sample-runner.ts'

describe('the samples of idempotency', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())

  const newEnv = async (ORDER: string) => {
    const { body } = await api.request('POST /tokens', { json: { payment_details: card() } })
    return { SECRET_KEY: api.test.secret_key, TOKEN: body.id, ORDER }
  }

  test.each(['shell', 'typescript'] as const)('pay an order once, in %s', async (language) => {
    const env = await newEnv(`once-${language}`)
    const base_url = `${api.url}/api/v1`
    const first = await runSample(pay_order, language, { base_url, env })
    const second = await runSample(pay_order, language, { base_url, env })
    expect(/pay_\w+/.exec(second)![0]).toBe(/pay_\w+/.exec(first)![0])
    expect(first).toMatch(language === 'shell' ? /^(?!.*Idempotent-Replayed)/s : /null\n$/)
    expect(second).toMatch(language === 'shell' ? /Idempotent-Replayed: true/ : /true\n$/)
    expect((await api.request(`GET /payments?external_order_num=${env.ORDER}`)).body.total).toBe(1)
  })

  test.each(['shell', 'typescript'] as const)(
    'repeat with the same key until the outcome is known, in %s',
    async (language) => {
      const env = await newEnv(`repeated-${language}`)
      const before = (await api.request('GET /payments')).body.total
      const keys: unknown[] = []
      // The gateway loses the first response, after the service has charged, and refuses the second request.
      const gateway = createServer(async (request, response) => {
        keys.push(request.headers['idempotency-key'])
        const {
          authorization,
          'content-type': type,
          'idempotency-key': key,
        } = request.headers as Record<string, string>
        const headers = { authorization, 'content-type': type, 'idempotency-key': key } as Record<string, string>
        const body = await text(request)
        if (keys.length === 2) return response.writeHead(429, { 'Retry-After': '0' }).end('{"error":{}}')
        const answer = await fetch(api.url + request.url, { method: 'POST', headers, body })
        if (keys.length === 1) return response.writeHead(504, { 'Retry-After': '0' }).end('{"error":{}}')
        return response.writeHead(answer.status).end(await answer.text())
      })
      const origin = await startServer(gateway)
      try {
        const printed = await runSample(pay_with_retries, language, { base_url: `${origin}/api/v1`, env })
        expect(printed).toContain('captured')
        expect(keys).toEqual(Array(3).fill(`pay-${env.ORDER}`))
        const { total } = (await api.request('GET /payments')).body
        expect(total - before).toBe(1)
      } finally {
        await stopServer(gateway)
      }
    },
  )

  test('repeat after a lost answer of the acquirer charges once', async () => {
    const headers = { 'Idempotency-Key': 'lost', 'X-Service-Scenario': 'timeout_after_charge' }
    const json = { amount: 1000, currency: 'JPY', payment_details: card(), external_order_num: 'lost' }
    const lost = await api.request('POST /payments', { json, headers })
    expect(lost.body.error).toMatchObject({ code: 'gateway_timeout', details: { payment: expect.any(String) } })
    const again = await api.request('POST /payments', { json, headers: { 'Idempotency-Key': 'lost' } })
    expect(again.body).toMatchObject({ id: lost.body.error.details.payment, status: 'captured' })
  })
})
