import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stripeClient } from '#shared/acquirer/stripe/client.ts'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'

let answer: { readonly status: number; readonly body: string }
const server = createServer((_request, response) => {
  response.writeHead(answer.status, { location: '/v1/payment_intents/pi_2' }).end(answer.body)
})

let url: string
beforeAll(async () => {
  url = await startServer(server)
})
afterAll(() => stopServer(server))

async function answered(status: number, body: string): Promise<unknown> {
  answer = { status, body }
  return (await stripeClient('sk_test_http', url)).paymentIntents.retrieve('pi_1')
}

describe('strictClient', () => {
  test('returns the object of a successful answer', async () => {
    expect(await answered(200, '{"id":"pi_1"}')).toMatchObject({ id: 'pi_1' })
  })

  test.each(['5', 'true', '"text"', 'null', '[]', '', '<html>'])('fails for the body %s', async (body) => {
    await expect(answered(200, body)).rejects.toMatchObject({ type: 'StripeAPIError' })
  })

  test.each([301, 302, 400, 404, 500, 503])('fails for an answer %i without an error', async (status) => {
    await expect(answered(status, '{"id":"pi_1"}')).rejects.toMatchObject({ type: 'StripeAPIError' })
  })

  test('returns the error of Stripe', async () => {
    const error = answered(400, '{"error":{"type":"invalid_request_error","code":"resource_missing"}}')
    await expect(error).rejects.toMatchObject({ statusCode: 400, code: 'resource_missing' })
  })

  test('stops reading a body that is too large', async () => {
    await expect(answered(200, `{"id":"${'x'.repeat(17 * 1024 * 1024)}"}`)).rejects.toThrow()
  })
})
