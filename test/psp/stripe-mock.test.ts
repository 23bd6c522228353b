import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type CallName, calls } from '#test/fixtures/stripe/calls.ts'
import type { ApiRequest, Exchange } from '#test/fixtures/stripe/emulator.ts'
import { drivers, isObserved } from './driver.ts'
import { runAtEmulator } from './emulator-run.ts'

/** Sends a request of the emulator's traffic to stripe-mock, and returns why it was refused, or null. */
async function refusal({ request }: Exchange): Promise<string | null> {
  const { method, path, body, headers } = request
  const sent = ['authorization', 'content-type', 'stripe-version', 'idempotency-key'].flatMap((name) => {
    return headers[name] === undefined ? [] : [[name, String(headers[name])] as [string, string]]
  })
  const init = { method, headers: sent, ...(method === 'POST' && { body }) }
  const response = await fetch(inject('stripe_mock_url') + path, init)
  const answer = await response.text()
  return response.ok ? null : `${method} ${path}: ${response.status} ${answer}`
}

/** The path of a request with the names of its parameters. */
function shapeOf({ method, path, request }: Exchange): string {
  const form = method === 'POST' ? request.body : (request.path.split('?')[1] ?? '')
  return `${method} ${path} ${[...new URLSearchParams(form).keys()].sort().join(' ')}`
}

async function refusalsOf(exchanges: readonly Exchange[]): Promise<string[]> {
  const refusals: string[] = []
  for (const exchange of exchanges) {
    const reason = await refusal(exchange)
    if (reason !== null) refusals.push(reason)
  }
  return refusals
}

/** Returns the traffic with its first creation of a payment intent changed. */
function withChanged(exchanges: readonly Exchange[], change: (request: ApiRequest) => ApiRequest): Exchange[] {
  const index = exchanges.findIndex(({ call }) => call === 'paymentIntents.create')
  return exchanges.map((exchange, at) => (at === index ? { ...exchange, request: change(exchange.request) } : exchange))
}

describe.for(Object.entries(drivers))('stripe-mock, with the requests of %s', ([name, makeDriver]) => {
  let exchanges: readonly Exchange[]

  beforeAll(async () => {
    exchanges = (await runAtEmulator(makeDriver)).exchanges
  })

  test('accepts every request of every flow', async () => {
    const refusals = await refusalsOf(exchanges)
    const shapes = new Set(exchanges.map(shapeOf))
    const own = new Set(exchanges.filter(({ request }) => !isObserved(request.headers)).map(shapeOf))
    const counts = `${exchanges.length} requests (${shapes.size} distinct, ${own.size} of them by ${name})`
    console.log(`stripe-mock: ${counts}, ${refusals.length} refused`)
    expect(refusals).toEqual([])
    expect(shapes.size).toBeGreaterThanOrEqual(40)
    const unused = (Object.keys(calls) as CallName[]).filter((name) => !exchanges.some(({ call }) => call === name))
    expect(unused).toEqual([])
  })

  test.for<[string, (request: ApiRequest) => ApiRequest]>([
    ['an unknown parameter', (request) => ({ ...request, body: `${request.body}&mystery=1` })],
    ['a value of the wrong type', (request) => ({ ...request, body: request.body.replace('amount=', 'amount=x') })],
    [
      'another version of the API',
      ({ headers, ...request }) => ({ ...request, headers: { ...headers, 'stripe-version': '2026-10-28.endive' } }),
    ],
  ])('refuses %s among them', async ([, change]) => {
    const refusals = await refusalsOf(withChanged(exchanges, change))
    expect(refusals).toEqual([expect.stringContaining('POST /v1/payment_intents: 400')])
  })
})
