import { modeOfApiKey } from '#shared/acquirer/stripe/api-key.ts'
import type { StripeSettings } from './stripe-file.ts'

/** The environment variables that choose the acquirer of live payments. */
export type AcquirerEnvironment = Readonly<
  Partial<Record<'ACQUIRER' | 'STRIPE_HOST' | 'STRIPE_KEY' | 'STRIPE_NOTIFICATION_SECRET', string>>
>

/** The host names of this machine. Card numbers are sent to the acquirer, so a stand-in must not be elsewhere. */
const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Returns the settings of Stripe, or undefined if the sandbox takes live payments. Throws an error of one sentence for
 * an unknown acquirer, for a stand-in that is not on this machine, and for a key that could move real money.
 */
export function stripeSettings(environment: AcquirerEnvironment): StripeSettings | undefined {
  const { ACQUIRER: acquirer, STRIPE_HOST: host, STRIPE_KEY: key, STRIPE_NOTIFICATION_SECRET: secret } = environment
  if (key && modeOfApiKey(key) === 'live')
    throw new Error(
      'STRIPE_KEY is a live key, and a local run moves no real money: set a key that begins with sk_test_.',
    )
  if (!acquirer || acquirer === 'sandbox') return undefined
  if (acquirer !== 'stripe') throw new Error(`ACQUIRER must be sandbox or stripe, not ${acquirer}.`)
  if (key && modeOfApiKey(key) !== 'test')
    throw new Error('STRIPE_KEY must be a secret or restricted key of the test mode of Stripe, such as sk_test_….')
  if (host && !isOnThisMachine(host))
    throw new Error('STRIPE_HOST must be an address of this machine, such as http://127.0.0.1:4010.')
  if (secret && !secret.startsWith('whsec_'))
    throw new Error('STRIPE_NOTIFICATION_SECRET must be the signing secret of an endpoint, which begins with whsec_.')
  return { api_key: key || null, notification_secret: secret || null, host: host ? new URL(host).origin : null }
}

function isOnThisMachine(host: string): boolean {
  const url = URL.parse(host)
  return url !== null && /^https?:$/.test(url.protocol) && loopback.has(url.hostname) && !url.username && !url.password
}
