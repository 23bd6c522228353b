import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isSigned } from '#shared/acquirer/stripe/signature.ts'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'
import { drivers, type MakeDriver, observerAt, sdkDriver } from './driver.ts'
import { runAtEmulator } from './emulator-run.ts'
import { type Customer, common_flows, runFlow, type State } from './flows.ts'
import { type LocalstripeProxy, startLocalstripeProxy } from './localstripe-proxy.ts'

let proxy: LocalstripeProxy
const origin = inject('localstripe_url')

beforeAll(async () => {
  proxy = await startLocalstripeProxy(origin)
})

afterAll(() => proxy.stop())

const customer: Customer = {
  async authenticate({ id, client_secret }, passes) {
    const body = new URLSearchParams({ client_secret: client_secret!, success: String(passes) })
    const headers = { authorization: 'Bearer sk_test_emulator' }
    await fetch(`${origin}/v1/payment_intents/${id}/_authenticate`, { method: 'POST', headers, body })
  },
}

async function runAtLocalstripe(makeDriver: MakeDriver): Promise<Record<string, State[]>> {
  await fetch(`${origin}/_config/data`, { method: 'DELETE' })
  const now = Date.now()
  const stage = { driver: makeDriver(proxy.url, now), sdk: observerAt(proxy.url), customer, now: now / 1000 }
  const states: Record<string, State[]> = {}
  for (const [name, flow] of Object.entries(common_flows)) states[name] = await runFlow(stage, name, flow)
  return states
}

const differing = (theirs: Record<string, State[]>, ours: Readonly<Record<string, readonly State[]>>) =>
  Object.keys(theirs).filter((name) => JSON.stringify(theirs[name]) !== JSON.stringify(ours[name]))

describe('localstripe', () => {
  test.for(Object.entries(drivers))('has the states of the emulator, with %s', async ([name, makeDriver]) => {
    proxy.changes.clear()
    const theirs = await runAtLocalstripe(makeDriver)
    const { states } = await runAtEmulator(makeDriver)
    const different = differing(theirs, states)
    const verdict = different.length === 0 ? 'states equal' : `states differ: ${different.join(', ')}`
    console.log(`localstripe: ${Object.keys(theirs).join(', ')}: ${verdict}, with ${name}`)
    console.log(`localstripe: changed by the proxy: ${[...proxy.changes].sort().join(', ')}`)
    expect(Object.fromEntries(different.map((name) => [name, states[name]]))).toEqual(
      Object.fromEntries(different.map((name) => [name, theirs[name]])),
    )
    expect([...proxy.changes].sort()).toEqual([
      'expand left out',
      'payment_method of a confirm sent as an update',
      'return_url left out',
    ])
  })

  test('shows an emulator that captures another amount, or does not cancel', async () => {
    const theirs = await runAtLocalstripe(sdkDriver)
    const { states } = await runAtEmulator(sdkDriver, (driver) => ({
      ...driver,
      capture: (reference, _, key) => driver.capture(reference, 600, key),
      void: async () => {},
    }))
    expect(differing(theirs, states)).toEqual(expect.arrayContaining(['capture', 'part', 'cancel during 3-D Secure']))
  })

  test('signs its notifications as the official SDK and the service verify them', async () => {
    const received = Promise.withResolvers<{ body: string; signature: string }>()
    const receiver = createServer(async (request, response) => {
      received.resolve({ body: await text(request), signature: String(request.headers['stripe-signature']) })
      response.end()
    })
    const url = await startServer(receiver)
    const body = JSON.stringify({ url, secret: 'whsec_local', events: ['payment_intent.succeeded'] })
    await fetch(`${origin}/_config/webhooks/test`, { method: 'POST', body })
    const { charge } = common_flows
    const stage = { driver: sdkDriver(proxy.url, 0), sdk: observerAt(proxy.url), customer, now: 0 }
    await runFlow(stage, 'charge', charge!)
    const { body: payload, signature } = await received.promise
    await stopServer(receiver)
    expect(Stripe.webhooks.constructEvent(payload, signature, 'whsec_local').type).toBe('payment_intent.succeeded')
    expect(() => Stripe.webhooks.constructEvent(`${payload} `, signature, 'whsec_local')).toThrow()
    const is_signed = (text: string, secret: string) =>
      isSigned({ body: Buffer.from(text), header: signature }, [secret], Date.now())
    expect(is_signed(payload, 'whsec_local')).toBe(true)
    expect([is_signed(`${payload} `, 'whsec_local'), is_signed(payload, 'whsec_other')]).toEqual([false, false])
  })
})
