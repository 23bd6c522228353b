import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type Stripe from 'stripe'
import { strictClient } from './http-client.ts'

/** The version of Stripe's API. The types of the SDK, the servers of the tests and the notifications have the same. */
export const API_VERSION = '2026-08-26.dahlia'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * How long an idle connection is kept. A connection that outlives a pause of the process can be closed at the other end,
 * and its next request would have an unknown outcome.
 */
const IDLE_MILLISECONDS = 10_000

const clients = new Map<string, Promise<Stripe>>()

/**
 * Returns the client of the SDK for an API key. The SDK is loaded with the first client, because most functions and all
 * of test mode never need it. `host` replaces Stripe's own host. It must be a loopback address, such as
 * `http://127.0.0.1:4242`, because card numbers are sent there.
 */
export function stripeClient(api_key: string, host: string | null): Promise<Stripe> {
  const name = `${api_key} ${host ?? ''}`
  const known = clients.get(name)
  if (known) return known
  const client = newClient(api_key, host)
  clients.set(name, client)
  client.catch(() => clients.delete(name))
  return client
}

async function newClient(api_key: string, host: string | null): Promise<Stripe> {
  const address = host === null ? {} : loopback(host)
  const { Stripe } = await import('stripe')
  const options = { keepAlive: true, timeout: IDLE_MILLISECONDS }
  const agent = host?.startsWith('http:') ? new HttpAgent(options) : new HttpsAgent(options)
  return new Stripe(api_key, {
    apiVersion: API_VERSION,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: strictClient(Stripe.createNodeHttpClient(agent)),
    ...address,
  })
}

function loopback(host: string): Stripe.StripeConfig {
  const { protocol, hostname, port } = new URL(host)
  if (!LOOPBACK.has(hostname)) throw new RangeError('the host of the acquirer must be a loopback address')
  return { protocol: protocol === 'http:' ? 'http' : 'https', host: hostname, port }
}
