import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { API_VERSION, stripeClient } from '#shared/acquirer/stripe/client.ts'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'

/** The requests that arrived. Every connection is closed without an answer. */
const requests: IncomingMessage[] = []
const server = createServer((request) => {
  requests.push(request)
  request.socket.destroy()
})

let url: string
beforeAll(async () => {
  url = await startServer(server)
})
afterAll(() => stopServer(server))
beforeEach(() => {
  requests.length = 0
})

describe('stripeClient', () => {
  test('sends a request once, although its connection is closed', async () => {
    const stripe = await stripeClient('sk_test_a', url)
    for (const call of [stripe.paymentIntents.retrieve('pi_1'), stripe.paymentIntents.confirm('pi_1')])
      await expect(call).rejects.toMatchObject({ type: 'StripeConnectionError' })
    await expect(
      stripe.paymentIntents.create({ amount: 1, currency: 'jpy' }, { idempotencyKey: 'a' }),
    ).rejects.toThrow()
    expect(requests.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      'GET /v1/payment_intents/pi_1',
      'POST /v1/payment_intents/pi_1/confirm',
      'POST /v1/payment_intents',
    ])
  })

  test('sends the version of the API, and an idempotency key only if the call has one', async () => {
    const stripe = await stripeClient('sk_test_a', url)
    await stripe.paymentIntents.confirm('pi_1').catch(() => undefined)
    await stripe.paymentIntents.create({ amount: 1, currency: 'jpy' }, { idempotencyKey: 'a' }).catch(() => undefined)
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, 'a'])
    for (const { headers } of requests) {
      expect(headers).toMatchObject({ 'stripe-version': API_VERSION, authorization: 'Bearer sk_test_a' })
      expect(headers).not.toHaveProperty('x-stripe-client-telemetry')
    }
  })

  test('is one client for each key and host', async () => {
    expect(await stripeClient('sk_test_a', url)).toBe(await stripeClient('sk_test_a', url))
    expect(await stripeClient('sk_test_b', url)).not.toBe(await stripeClient('sk_test_a', url))
  })

  test.each(['https://api.stripe.example', 'http://10.0.0.1', 'http://127.0.0.1.example', 'http://[::2]'])(
    'refuses the host %s',
    async (host) => {
      await expect(stripeClient('sk_test_a', host)).rejects.toThrow('must be a loopback address')
    },
  )
})
