import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { card, konbini, type Reply } from '#test/fixtures/api.ts'
import { pay } from '#test/fixtures/stripe/customer-actions.ts'
import { openStripeApi, type StripeApi } from '#test/fixtures/stripe-api.ts'

let api: StripeApi
beforeAll(async () => {
  api = await openStripeApi()
})
afterAll(() => api.close())

const visa = card('4242424242424242')
const COUNT = 50

/** Sends requests about a payment at once. None may fail with a 5xx. Returns how many are answered with 200. */
async function atOnce(ask: (index: number) => Promise<Reply>): Promise<number> {
  const replies = await Promise.all(Array.from({ length: COUNT }, (_, index) => ask(index)))
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  return replies.filter(({ status }) => status === 200).length
}

/** Does everything that is due within two hours, by two workers at a time. */
async function settle(): Promise<void> {
  await api.notify()
  await api.advance(7_200)
  await Promise.all([api.workers.work(), api.workers.work()])
}

const intentOf = (id: string) => api.emulator.account.payment_intents.get(api.intentOf(id))!

function refundedThere(id: string): number {
  const own = [...api.emulator.account.refunds.values()].filter(
    ({ payment_intent }) => payment_intent === intentOf(id).id,
  )
  return own.reduce((sum, { amount }) => sum + amount, 0)
}

describe(`${COUNT} requests at once about a live payment`, () => {
  test('capture its hold once', async () => {
    const { id } = await api.pay(visa, { capture: false })
    expect(await atOnce(() => api.ask(`POST /payments/${id}/capture`, { amount: 400 }))).toBe(1)
    await settle()
    expect(await api.shown(id)).toMatchObject({ status: 'captured', total: 400 })
    expect(intentOf(id).amount_received).toBe(400)
    expect(api.eventsOf(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('refund what each of them is answered, and never more than was paid', async () => {
    const { id } = await api.pay(visa)
    const refunds = await atOnce(() => api.ask(`POST /payments/${id}/refund`, { amount: 300 }))
    expect(refunds).toBeGreaterThan(0)
    await settle()
    expect((await api.shown(id)).amount_refunded).toBe(refunds * 300)
    expect(refundedThere(id)).toBe(refunds * 300)
  })

  test('either capture or cancel its hold', async () => {
    const { id } = await api.pay(visa, { capture: false })
    const ways = ['capture', 'cancel']
    expect(await atOnce((index) => api.ask(`POST /payments/${id}/${ways[index % 2]}`))).toBe(1)
    await settle()
    const { status } = await api.shown(id)
    expect([status, intentOf(id).status]).toEqual(
      status === 'captured' ? ['captured', 'succeeded'] : ['cancelled', 'canceled'],
    )
  })

  test('cannot cancel a voucher that is paid meanwhile', async () => {
    const { id } = await api.pay(konbini)
    api.emulator.faults.plan({ fault: 'paid_first', call: 'paymentIntents.cancel' })
    expect(await atOnce(() => api.ask(`POST /payments/${id}/cancel`))).toBe(0)
    await settle()
    expect((await api.shown(id)).status).toBe('captured')
    expect(api.eventsOf(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('charge once under one idempotency key', async () => {
    const json = { amount: 777, currency: 'JPY', payment_details: visa }
    const headers = { 'Idempotency-Key': 'at-once' }
    const key = api.live.secret_key
    expect(await atOnce(() => api.request('POST /payments', { json, key, headers }))).toBeGreaterThan(0)
    const made = [...api.emulator.account.payment_intents.values()].filter(({ amount }) => amount === 777)
    expect(made.map(({ status }) => status)).toEqual(['succeeded'])
  })

  test('use a secure token once', async () => {
    const json = { amount: 1234, currency: 'JPY', return_url: 'https://shop.example/done', payment_details: visa }
    const { body } = await api.ask('POST /secure_tokens', json)
    await fetch(`${api.url}/pages/secure_tokens/${api.live.id}/${body.id}`)
    const payment = { amount: 1234, currency: 'JPY', payment_details: body.id }
    expect(await atOnce(() => api.ask('POST /payments', payment))).toBe(1)
    const made = [...api.emulator.account.payment_intents.values()].filter(({ amount }) => amount === 1234)
    expect(made.map(({ amount_received }) => amount_received)).toEqual([1234])
  })

  test('of a customer who comes back record the payment once', async () => {
    const { id } = await api.pay(card('4000002760003184'))
    pay(api.emulator.account, api.intentOf(id))
    const visits = Array.from({ length: COUNT }, () => fetch(`${api.url}/pages/return/${api.live.id}/${id}`))
    const replies = await Promise.all([...visits, api.notify().then(() => undefined)])
    expect(new Set(replies.map((reply) => reply?.status ?? 200))).toEqual(new Set([200]))
    expect(api.eventsOf(id)).toEqual(['payment.captured'])
  })
})
