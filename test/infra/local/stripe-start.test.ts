import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { konbini } from '#test/fixtures/api.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'
import { pay } from '#test/fixtures/stripe/customer-actions.ts'
import { postTo } from '#test/fixtures/stripe/notifications.ts'
import { type RunningStripe, startStripe } from '#test/fixtures/stripe/server.ts'

let stripe: RunningStripe
let data_dir: string
beforeAll(async () => {
  stripe = await startStripe()
  data_dir = mkdtempSync(join(tmpdir(), 'stripe-start-'))
})
afterAll(async () => {
  await stripe.stop()
  rmSync(data_dir, { recursive: true })
})

const start = (env: Readonly<Record<string, string>>, onLine?: (line: string) => void): Promise<LocalRun> =>
  startLocally(data_dir, onLine, { LOG_LEVEL: 'info', ...env })

const intentOf = (payment: string) =>
  [...stripe.emulator.account.payment_intents.values()].find(({ metadata }) => metadata.payment === payment)!

describe('a start with ACQUIRER=stripe', () => {
  test('takes live payments at the stand-in, and its notifications', async () => {
    const lines: string[] = []
    const environment = { ACQUIRER: 'stripe', STRIPE_HOST: stripe.url, STRIPE_KEY: stripe.emulator.key }
    const run = await start(environment, (line) => lines.push(line))
    try {
      expect(lines).toContain(`Live payments go to ${stripe.url}, in place of Stripe.`)
      expect(lines).toContain(
        `Its notifications must be sent to ${run.url}/notifications/stripe, signed with a secret of`,
      )
      await expect.poll(() => lines.join('\n')).toContain('A demo merchant was created')
      const { notification_secrets } = JSON.parse(readFileSync(join(data_dir, 'stripe.json'), 'utf8'))
      expect(lines.join()).not.toContain(notification_secrets[0])
      stripe.emulator.notifications.secrets.push(notification_secrets[0])
      stripe.emulator.notifications.receiver = postTo(`${run.url}/notifications/stripe`)

      const merchant = (await run.send('POST /_local/merchants', { json: { name: 'Live shop' } }))!.body
      const key = merchant.live.secret_key
      const json = { amount: 1000, currency: 'JPY', payment_details: konbini }
      const { body } = (await run.send('POST /payments', { key, json }))!
      expect(body.status).toBe('authorized')
      pay(stripe.emulator.account, intentOf(body.id).id)
      await stripe.emulator.deliver()
      await run.advance(1)
      expect((await run.send(`GET /payments/${body.id}`, { key }))!.body.status).toBe('captured')

      const test_payment = await run.send('POST /payments', { key: merchant.test.secret_key, json })
      expect(test_payment!.body.status).toBe('authorized')
      expect(intentOf(test_payment!.body.id)).toBeUndefined()
    } finally {
      await run.kill()
    }
  })

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['a live key', { STRIPE_KEY: 'sk_live_1' }, 'STRIPE_KEY is a live key'],
    ['a host elsewhere', { STRIPE_HOST: 'https://api.stripe.com' }, 'STRIPE_HOST must be an address of this machine'],
    ['an unknown acquirer', { ACQUIRER: 'strype' }, 'ACQUIRER must be sandbox or stripe, not strype.'],
  ])('refuses %s with one sentence', async (_, environment, sentence) => {
    const lines: string[] = []
    await expect(start({ ACQUIRER: 'stripe', ...environment }, (line) => lines.push(line))).rejects.toThrow(sentence)
    expect(lines).toEqual([expect.stringMatching(/\.$/)])
  })
})
