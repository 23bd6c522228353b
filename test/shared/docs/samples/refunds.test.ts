import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refund_payment } from '#shared/docs/samples/refunds.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { runSample } from '#test/fixtures/sample-runner.ts'

describe('the samples of refunds', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())

  const run = async (language: 'shell' | 'typescript') => {
    const order = { amount: 1000, currency: 'JPY', payment_details: card() }
    const { body } = await api.request('POST /payments', { json: order })
    const env = { SECRET_KEY: api.test.secret_key, PAYMENT: body.id }
    return runSample(refund_payment, language, { base_url: `${api.url}/api/v1`, env })
  }

  test('refund a part in the shell', async () => {
    expect(JSON.parse(await run('shell'))).toMatchObject({ status: 'captured', amount_refunded: 300 })
  })

  test('refund a part in TypeScript', async () => {
    expect(await run('typescript')).toBe('captured 300\n')
  })
})
