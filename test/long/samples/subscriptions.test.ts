import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Sample } from '#shared/docs/sample.ts'
import * as samples from '#shared/docs/samples/subscriptions.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { runSample } from '#test/fixtures/sample-runner.ts'

describe('the samples of subscriptions', () => {
  let api: Api
  beforeEach(async () => {
    api = await openApi()
  })
  afterEach(() => api.close())

  const run = (sample: Sample, language: 'shell' | 'typescript', env: Readonly<Record<string, string>> = {}) =>
    runSample(sample, language, {
      base_url: `${api.url}/api/v1`,
      env: { SECRET_KEY: api.test.secret_key, PUBLISHABLE_KEY: api.test.publishable_key, ...env },
    })

  test('subscribe a customer, show a failing renewal, replace the card and end the subscription, in the shell', async () => {
    const json = async (sample: Sample, env = {}) => JSON.parse(await run(sample, 'shell', env))
    const { id: TOKEN } = await json(samples.create_token)
    const { id: CUSTOMER } = await json(samples.create_customer, { TOKEN })
    const { id: SUBSCRIPTION, ...created } = await json(samples.create_subscription, { CUSTOMER })
    expect(created).toMatchObject({ status: 'active', amount: 10.5, next_capture_at: '2030-01-09T03:00:00Z' })
    expect(await json(samples.advance_clock)).toEqual({ now: '2030-01-09T03:00:00Z' })
    const shown = await json(samples.show_subscription, { SUBSCRIPTION })
    expect(shown).toMatchObject({ status: 'retrying', retry_count: 1, retry_at: '2030-01-10T03:00:00Z' })
    expect(shown.last_failure).toMatchObject({
      code: 'card_declined',
      message: expect.stringContaining('The card was declined.'),
    })
    const failed = await json(samples.list_failed_payments, { SUBSCRIPTION })
    expect(failed.data).toMatchObject([{ id: shown.last_failure.payment, amount: 1050 }])
    const { body: other } = await api.request('POST /tokens', { json: { payment_details: card() } })
    const replaced = await json(samples.replace_card, { CUSTOMER, TOKEN: other.id })
    expect(replaced.source).toMatchObject({ last_four_digits: '1111' })
    await api.advance(86_400)
    expect(await json(samples.show_subscription, { SUBSCRIPTION })).toMatchObject({ status: 'active', retry_count: 0 })
    expect(await json(samples.delete_subscription, { SUBSCRIPTION })).toMatchObject({ status: 'deleted' })
  })

  test('subscribe a customer, show a failing renewal, replace the card and end the subscription, in TypeScript', async () => {
    const words = async (sample: Sample, env = {}) => (await run(sample, 'typescript', env)).trim().split(' ')
    const [TOKEN] = (await words(samples.create_token)) as [string]
    const [CUSTOMER, digits] = (await words(samples.create_customer, { TOKEN })) as [string, string]
    expect(digits).toBe('2008')
    const [SUBSCRIPTION, status] = (await words(samples.create_subscription, { CUSTOMER })) as [string, string]
    expect(status).toBe('active')
    expect(await words(samples.advance_clock)).toHaveLength(1)
    expect(await words(samples.show_subscription, { SUBSCRIPTION })).toEqual(['retrying', '1', 'card_declined'])
    expect(await words(samples.list_failed_payments, { SUBSCRIPTION })).toEqual(['1050', 'card_declined'])
    const { body: other } = await api.request('POST /tokens', { json: { payment_details: card() } })
    expect(await words(samples.replace_card, { CUSTOMER, TOKEN: other.id })).toEqual(['1111'])
    expect((await words(samples.delete_subscription, { SUBSCRIPTION }))[0]).toBe('deleted')
  })

  test('suspend a subscription after the fourth failure in a row', async () => {
    const { body: customer } = await api.request('POST /customers', {
      json: { payment_details: card('4123111111112008') },
    })
    const order = { customer: customer.id, amount: '1000', currency: 'JPY', period: 'weekly' }
    const { body: subscription } = await api.request('POST /subscriptions', { json: order })
    await api.advance(7 * 86_400)
    for (const retry_count of [1, 2, 3]) {
      const { body } = await api.request(`GET /subscriptions/${subscription.id}`)
      expect(body).toMatchObject({ status: 'retrying', retry_count })
      await api.advance(86_400)
    }
    const { body } = await api.request(`GET /subscriptions/${subscription.id}`)
    expect(body).toMatchObject({ status: 'suspended', retry_count: 4, next_capture_at: null })
  })
})
