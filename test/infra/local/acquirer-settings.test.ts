import { describe, expect, test } from 'vitest'
import { type AcquirerEnvironment, stripeSettings } from '#infra/local/acquirer-settings.ts'

const STRIPE = { ACQUIRER: 'stripe', STRIPE_KEY: 'sk_test_1' }

describe('stripeSettings', () => {
  test.each<AcquirerEnvironment>([
    {},
    { ACQUIRER: '' },
    { ACQUIRER: 'sandbox', STRIPE_KEY: 'sk_test_1', STRIPE_HOST: 'http://127.0.0.1:1' },
  ])('returns undefined for %j, because the sandbox takes live payments', (environment) => {
    expect(stripeSettings(environment)).toBeUndefined()
  })

  test('returns the key, the secret of notifications and the stand-in', () => {
    expect(stripeSettings(STRIPE)).toEqual({ api_key: 'sk_test_1', notification_secret: null, host: null })
    expect(stripeSettings({ ...STRIPE, STRIPE_KEY: 'rk_test_1', STRIPE_NOTIFICATION_SECRET: 'whsec_1' })).toMatchObject(
      { api_key: 'rk_test_1', notification_secret: 'whsec_1' },
    )
  })

  test.each([
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
    ['http://localhost:4010/', 'http://localhost:4010'],
    ['https://[::1]:4010', 'https://[::1]:4010'],
    // Other spellings of the same address.
    ['http://127.1:4010', 'http://127.0.0.1:4010'],
    ['http://2130706433:4010', 'http://127.0.0.1:4010'],
  ])('takes the stand-in %s without a key', (STRIPE_HOST, host) => {
    expect(stripeSettings({ ACQUIRER: 'stripe', STRIPE_HOST })).toEqual({
      api_key: null,
      notification_secret: null,
      host,
    })
  })

  test.each([
    'https://api.stripe.com',
    'http://10.0.0.1:4010',
    'http://0.0.0.0:4010',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1@example.com',
    'http://user:pass@127.0.0.1:4010',
    'http://[::ffff:10.0.0.1]:4010',
    'ftp://127.0.0.1',
    '127.0.0.1:4010',
    'stripe',
  ])('refuses the stand-in %s', (STRIPE_HOST) => {
    expect(() => stripeSettings({ ...STRIPE, STRIPE_HOST })).toThrow(/^STRIPE_HOST must be an address of this machine/)
  })

  test.each(['sk_live_1', 'rk_live_1'])(
    'refuses the live key %s with every acquirer, and does not repeat it',
    (key) => {
      for (const ACQUIRER of [undefined, 'sandbox', 'stripe'])
        expect(() => stripeSettings({ ACQUIRER, STRIPE_KEY: key })).toThrow(
          /^STRIPE_KEY is a live key, and a local run moves no real money: set a key that begins with sk_test_\.$/,
        )
    },
  )

  test.each(['pk_test_1', 'whsec_1', 'sk_test_', 'secret'])('refuses %s, which is no secret key', (STRIPE_KEY) => {
    expect(() => stripeSettings({ ...STRIPE, STRIPE_KEY })).toThrow(/^STRIPE_KEY must be a secret or restricted key/)
  })

  test('refuses other acquirers and other secrets', () => {
    expect(() => stripeSettings({ ACQUIRER: 'strype' })).toThrow('ACQUIRER must be sandbox or stripe, not strype.')
    expect(() => stripeSettings({ ...STRIPE, STRIPE_NOTIFICATION_SECRET: 'x' })).toThrow(/which begins with whsec_\.$/)
  })
})
