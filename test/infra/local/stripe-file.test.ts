import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLocalPlatform } from '#infra/local/local-platform.ts'
import { readStripeFile, type StripeSettings, stripeAccess, writeStripeFile } from '#infra/local/stripe-file.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stripe-'))
  file = join(folder, 'stripe.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const none: StripeSettings = { api_key: null, notification_secret: null, host: null }
const write = (settings: Partial<StripeSettings>) => writeStripeFile(file, { ...none, ...settings })

describe('writeStripeFile', () => {
  test('stores the settings in a file that only its user can read', () => {
    const content = write({ api_key: 'sk_test_1', notification_secret: 'whsec_1' })
    expect(content).toMatchObject({ api_key: 'sk_test_1', notification_secrets: ['whsec_1'], host: null })
    expect(content.stage).toMatch(/^local_[0-9a-f]{24}$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readStripeFile(file)).toEqual(content)
  })

  test('makes up a secret of notifications, and keeps it and the stage at the next start', () => {
    const first = write({ api_key: 'sk_test_1' })
    expect(first.notification_secrets).toEqual([expect.stringMatching(/^whsec_[0-9a-f]{24}$/)])
    expect(write({})).toEqual(first)
  })

  test('keeps the former secret of notifications valid beside a new one, and no older one', () => {
    for (const notification_secret of ['whsec_1', 'whsec_2', 'whsec_2', 'whsec_3'])
      write({ api_key: 'sk_test_1', notification_secret })
    expect(readStripeFile(file).notification_secrets).toEqual(['whsec_3', 'whsec_2'])
  })

  test('needs no key for a stand-in, and never sends the key of Stripe there', () => {
    write({ api_key: 'sk_test_1' })
    expect(write({ host: 'http://127.0.0.1:1' })).toMatchObject({
      api_key: 'sk_test_local',
      host: 'http://127.0.0.1:1',
    })
    expect(() => write({})).toThrow(/^ACQUIRER=stripe needs STRIPE_KEY/)
  })

  test('refuses settings without a key', () => {
    expect(() => write({})).toThrow(
      'ACQUIRER=stripe needs STRIPE_KEY, a key of the test mode of Stripe, or STRIPE_HOST, a stand-in on this machine.',
    )
  })
})

describe('readStripeFile', () => {
  test('refuses a file that other users can read', () => {
    write({ api_key: 'sk_test_1' })
    chmodSync(file, 0o640)
    expect(() => readStripeFile(file)).toThrow(`The file ${file} is open to other users: run chmod 600 on it.`)
  })

  test.each(['', '{', 'null', '[]', '{"api_key":"sk_test_1"}', '{"api_key":1,"notification_secrets":[1]}'])(
    'refuses the damaged file %j',
    (text) => {
      writeFileSync(file, text, { mode: 0o600 })
      expect(() => readStripeFile(file)).toThrow(/is damaged: restore it, or remove it and set STRIPE_KEY again\.$/)
    },
  )

  test('refuses a live key, and does not repeat it', () => {
    const content = write({ api_key: 'sk_test_1' })
    writeFileSync(file, JSON.stringify({ ...content, api_key: 'rk_live_1' }))
    expect(() => readStripeFile(file)).toThrow(
      `The file ${file} must hold a key of the test mode of Stripe: a local run moves no real money.`,
    )
  })
})

describe('stripeAccess', () => {
  test('is null without settings and without a file', () => {
    expect(stripeAccess(file, new VirtualClock())).toBeNull()
  })

  test('returns the credentials of the file, and reads them again on request', async () => {
    const access = stripeAccess(file, new VirtualClock(), { ...none, api_key: 'sk_test_1' })!
    expect(await access.secrets.acquirer()).toMatchObject({ api_key: 'sk_test_1' })
    writeFileSync(file, readFileSync(file, 'utf8').replace('sk_test_1', 'sk_test_2'))
    expect(await access.secrets.acquirer()).toMatchObject({ api_key: 'sk_test_1' })
    expect(await access.secrets.refetch()).toMatchObject({ api_key: 'sk_test_2' })
  })
})

describe('openLocalPlatform', () => {
  const open = (stripe?: StripeSettings) => {
    const platform = openLocalPlatform({ data_dir: folder, stripe })
    platform.table.close()
    return platform
  }

  test('takes live payments at the sandbox by default', () => {
    expect(open()).toMatchObject({ live_acquirer: 'sandbox', provider_access: null })
  })

  test('takes live payments at Stripe, and still reaches Stripe after a start without it', () => {
    const host = 'http://127.0.0.1:1'
    const { live_acquirer, provider_access } = open({ ...none, host })
    expect([live_acquirer, provider_access!.host]).toEqual(['stripe', host])
    const later = open()
    expect([later.live_acquirer, later.provider_access!.host]).toEqual(['sandbox', host])
    expect(later.provider_access!.stage).toBe(provider_access!.stage)
  })
})
