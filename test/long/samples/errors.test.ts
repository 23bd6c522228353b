import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declined_payment, handle_errors, invalid_payment } from '#shared/docs/samples/errors.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { runSample } from '#test/fixtures/sample-runner.ts'

describe('the samples of errors', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())

  const env = () => ({ SECRET_KEY: api.test.secret_key })
  const base_url = () => `${api.url}/api/v1`

  const newToken = async (number?: string): Promise<string> => {
    const { body } = await api.request('POST /tokens', { json: { payment_details: card(number) } })
    return body.id
  }

  test('show all faults of a payment', async () => {
    const { error } = JSON.parse(await runSample(invalid_payment, 'shell', { base_url: base_url(), env: env() }))
    expect(error).toMatchObject({ code: 'invalid_parameter', param: 'amount' })
    expect(error.details.errors).toMatchObject([
      { code: 'invalid_parameter', param: 'amount' },
      { code: 'invalid_currency', param: 'currency' },
      { code: 'missing_parameter', param: 'payment_details' },
    ])
  })

  test('show a decline with its payment', async () => {
    const { error } = JSON.parse(await runSample(declined_payment, 'shell', { base_url: base_url(), env: env() }))
    expect(error).toMatchObject({ code: 'card_declined', param: null, details: { payment: expect.any(String) } })
    const { body } = await api.request(`GET /payments/${error.details.payment}`)
    expect(body).toMatchObject({ status: 'failed', failure_code: 'card_declined' })
  })

  test.each(['typescript', 'python'] as const)('decide by the kind of error, in %s', async (language) => {
    const pay = (TOKEN: string, ORDER: string = randomUUID()) =>
      runSample(handle_errors, language, { base_url: base_url(), env: { ...env(), ORDER, TOKEN } })
    expect(await pay(await newToken())).toMatch(/^paid pay_\w+\n$/)
    expect(await pay(await newToken('4123111111111000'))).toMatch(
      /^ask for another card: insufficient_funds pay_\w+\n$/,
    )
    expect(await pay(await newToken('4123111111111083'))).toMatch(/^ask for another card: fraudulent pay_\w+\n$/)
    expect(await pay('tok_unknown')).toBe('ask the browser for a new token\n')
    const [token, order] = [await newToken(), randomUUID()]
    const lost = await api.request('POST /payments', {
      json: { amount: 1000, currency: 'JPY', payment_details: token },
      headers: { 'Idempotency-Key': `pay-${order}`, 'X-Service-Scenario': 'timeout_before_charge' },
    })
    const { payment } = lost.body.error.details
    await api.advance(120)
    expect(await pay(token, order)).toBe(`read failure_code of ${payment}\n`)
    expect((await api.request(`GET /payments/${payment}`)).body.failure_code).toBe('never_arrived')
  })
})
