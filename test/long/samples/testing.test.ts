import { describe, expect, test } from 'vitest'
import { sandbox_cards } from '#shared/acquirer/sandbox/sandbox-cards.ts'
import {
  advance_clock,
  advance_test_clock,
  create_merchant,
  ignored_parameter,
  lost_answer,
  show_test_clock,
  test_cards,
} from '#shared/docs/samples/testing.ts'
import { brandOf } from '#shared/domain/card.ts'
import { konbini } from '#test/fixtures/api.ts'
import { useShops } from './shop.ts'

const openShop = useShops()

describe('test_cards', () => {
  test('lists every number of the sandbox with its result', () => {
    const special = test_cards.filter(({ result }) => result !== 'succeeds')
    expect(new Map(special.map(({ number, result }) => [number, result]))).toEqual(sandbox_cards)
  })

  test.each(test_cards)('$number is a card of the brand $brand', ({ number, brand }) => {
    expect(brandOf(number)).toBe(brand)
  })

  test.each(test_cards.filter(({ result }) => result === 'succeeds'))('$number succeeds', async ({ number }) => {
    const shop = await openShop()
    const order = { amount: 1000, currency: 'JPY', payment_details: await shop.token(number) }
    expect((await shop.request('POST /payments', { json: order })).body).toMatchObject({ status: 'captured' })
  })
})

describe('lost_answer', () => {
  test('shows the unknown outcome and then the payment in the shell', async () => {
    const shop = await openShop()
    const printed = await shop.run(lost_answer, 'shell', { TOKEN: await shop.token() })
    const [lost, repeated] = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lost.error).toMatchObject({ code: 'gateway_timeout', details: { payment: repeated.id } })
    expect(repeated.status).toBe('captured')
  })

  test('shows the unknown outcome and then the payment in TypeScript', async () => {
    const shop = await openShop()
    const printed = await shop.run(lost_answer, 'typescript', { TOKEN: await shop.token() })
    expect(printed).toMatch(/^504 gateway_timeout (pay_\w+)\n200 captured \1\n$/)
  })
})

describe('a charge that never reached the acquirer', () => {
  test('is repeated within a minute, and afterwards needs a new token and a new key, as the guides say', async () => {
    const shop = await openShop()
    const lost = { 'X-Service-Scenario': 'timeout_before_charge' }
    const pay = async (token: string, headers: Readonly<Record<string, string>>) => {
      const json = { amount: 1000, currency: 'JPY', payment_details: token }
      return (await shop.request('POST /payments', { json, headers })).body
    }
    const first = await shop.token()
    await pay(first, { ...lost, 'Idempotency-Key': 'first' })
    expect(await pay(first, { 'Idempotency-Key': 'first' })).toMatchObject({ status: 'captured' })
    const second = await shop.token()
    const { error } = await pay(second, { ...lost, 'Idempotency-Key': 'second' })
    await shop.request('POST /_local/clock', { json: { advance: 90 } })
    expect((await pay(second, { 'Idempotency-Key': 'second' })).error).toMatchObject({ code: 'other_error' })
    expect((await shop.request(`GET /payments/${error.details.payment}`)).body.failure_code).toBe('never_arrived')
    expect(await pay(await shop.token(), { 'Idempotency-Key': 'third' })).toMatchObject({ status: 'captured' })
  })
})

describe('ignored_parameter', () => {
  test('prints the header that names the parameter', async () => {
    const shop = await openShop()
    expect(await shop.run(ignored_parameter, 'shell')).toMatch(/^x-service-ignored-parameters: retrun_url/i)
    expect(await shop.run(ignored_parameter, 'typescript')).toBe('retrun_url\n')
  })
})

describe('advance_clock', () => {
  test.each(['shell', 'typescript'] as const)('lets a payment in cash expire, in %s', async (language) => {
    const shop = await openShop()
    const order = { amount: 1000, currency: 'JPY', payment_details: konbini }
    const { id } = (await shop.request('POST /payments', { json: order })).body
    await shop.run(advance_clock, language)
    expect((await shop.request(`GET /payments/${id}`)).body.status).toBe('expired')
  })
})

describe('advance_test_clock', () => {
  test.each(['shell', 'typescript'] as const)('renews a subscription, in %s', async (language) => {
    const shop = await openShop()
    const json = { payment_details: await shop.token(), email: 'a@b.example' }
    const customer = (await shop.request('POST /customers', { json })).body.id
    const fields = { amount: 1000, currency: 'JPY', period: 'monthly', customer }
    await shop.request('POST /subscriptions', { json: fields })
    const printed = await shop.run(advance_test_clock, language)
    expect((await shop.request('GET /payments')).body.total).toBe(2)
    const [end] = /20[0-9TZ:-]+/.exec(printed)!
    expect(await shop.run(show_test_clock, language)).toContain(end.slice(0, 10))
  })
})

describe('create_merchant', () => {
  test('prints keys that work', async () => {
    const shop = await openShop()
    const created = await shop.json(create_merchant)
    const key = created.test.secret_key
    expect((await shop.request('GET /payments', { key })).body).toMatchObject({ total: 0 })
    expect(await shop.run(create_merchant, 'typescript')).toMatch(/^sk_test_\w+ pk_test_\w+\n$/)
  })
})
