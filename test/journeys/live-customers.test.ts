import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { payment_events } from '#shared/domain/payment.ts'
import { card, konbini } from '#test/fixtures/api.ts'
import { receiveCash } from '#test/fixtures/stripe/cash.ts'
import { pay } from '#test/fixtures/stripe/customer-actions.ts'
import { cancelPaymentIntent, capturePaymentIntent } from '#test/fixtures/stripe/payment-intents.ts'
import { createRefund } from '#test/fixtures/stripe/refunds.ts'
import { openStripeApi, type StripeApi } from '#test/fixtures/stripe-api.ts'

let api: StripeApi
beforeAll(async () => {
  api = await openStripeApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.emulator.notifications.mode.is_lost = false
})

/** The customer pays at the store, or passes 3-D Secure, at Stripe. */
const payThere = (id: string) => pay(api.emulator.account, api.intentOf(id))

/** No notification arrives any more. */
async function loseNotifications(): Promise<void> {
  api.emulator.notifications.mode.is_lost = true
  await api.emulator.deliver()
}

/** Creates a payment at a convenience store whose events are all delivered to a webhook of the payment. */
const payWithWebhook = () =>
  api.pay(konbini, {
    webhooks: [{ url: 'https://shop.example/hook', secret_key: 'secret', events: [...payment_events] }],
  })

/** Returns the types of the events of a payment that are delivered, in their order. */
async function deliveredTypes(payment: string): Promise<string[]> {
  const { body } = await api.ask(`GET /deliveries?payment=${payment}&per_page=100`)
  return body.data.map(({ event_type }: { event_type: string }) => event_type).toReversed()
}

describe('a live payment whose customer must act', () => {
  test('is captured by its notification once it is paid at the store', async () => {
    const { id } = await api.pay(konbini)
    payThere(id)
    await api.notify()
    expect((await api.shown(id)).status).toBe('captured')
    expect(api.eventsOf(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('is found by its watch if every notification is lost', async () => {
    const { id } = await api.pay(konbini)
    payThere(id)
    await loseNotifications()
    await api.advance(599)
    expect((await api.shown(id)).status).toBe('authorized')
    await api.advance(1)
    expect((await api.shown(id)).status).toBe('captured')
    expect(api.eventsOf(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('is captured, and never reported as expired, if it is paid one second before its deadline', async () => {
    const { id, payment_deadline } = await payWithWebhook()
    await loseNotifications()
    const left = () => (Date.parse(payment_deadline) - api.platform.clock.now()) / 1000
    await api.advance(left() - 1)
    payThere(id)
    await api.advance(3_600)
    expect((await api.shown(id)).status).toBe('captured')
    expect(api.eventsOf(id)).toEqual(['payment.authorized', 'payment.captured'])
    expect(await deliveredTypes(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('expires after its deadline if nobody pays, and Stripe then takes no money for it', async () => {
    const { id, payment_deadline } = await payWithWebhook()
    await api.advance((Date.parse(payment_deadline) - api.platform.clock.now()) / 1000 + 3_600)
    await api.notify()
    expect((await api.shown(id)).status).toBe('expired')
    expect(api.eventsOf(id)).toEqual(['payment.authorized', 'payment.expired'])
    expect(await deliveredTypes(id)).toEqual(['payment.authorized', 'payment.expired'])
    expect(() => payThere(id)).toThrow()
  })

  test.each(['before', 'after'])('is captured once if the customer returns %s the notification', async (order) => {
    const { id, payment_details } = await api.pay(card('4000002760003184'))
    const approve = { method: 'POST', body: new URLSearchParams({ outcome: 'pass' }), redirect: 'manual' } as const
    const back = (await fetch(payment_details.redirect_url, approve)).headers.get('location')!
    await (order === 'before' ? fetch(back) : api.notify())
    // Whichever comes first records the payment, and the other one changes nothing.
    expect((await api.shown(id)).status).toBe('captured')
    expect((await fetch(back)).status).toBe(200)
    await api.notify()
    expect((await api.shown(id)).status).toBe('captured')
    expect(api.eventsOf(id)).toEqual(['payment.captured'])
  })
})

describe('a live payment from a secure token', () => {
  const RETURN_URL = 'https://shop.example/done'

  /** Creates a secure token for a card without 3-D Secure, and returns it with the PaymentIntent of its hold. */
  async function newToken() {
    const json = { amount: 1000, currency: 'JPY', return_url: RETURN_URL, payment_details: card('378282246310005') }
    const { id } = (await api.ask('POST /secure_tokens', json)).body
    await fetch(`${api.url}/pages/secure_tokens/${api.live.id}/${id}`)
    const hold = [...api.emulator.account.payment_intents.values()].find(({ metadata }) => metadata.token === id)!
    return { id, hold }
  }

  test('follows the notification that its kept hold was captured at Stripe', async () => {
    const token = await newToken()
    const { id, status } = await api.pay(token.id, { capture: false })
    expect([status, api.intentOf(id)]).toEqual(['authorized', token.hold.id])
    capturePaymentIntent(api.emulator.account, token.hold.id, {})
    await api.notify()
    expect((await api.shown(id)).status).toBe('captured')
  })

  test('follows the notification that its kept hold has ended', async () => {
    const token = await newToken()
    const { id } = await api.pay(token.id, { capture: false })
    cancelPaymentIntent(api.emulator.account, token.hold.id, {})
    await api.notify()
    expect(api.eventsOf(id)).toEqual(['payment.authorized', 'payment.expired'])
  })

  test('follows the notification of a refund at Stripe after its hold was captured', async () => {
    const token = await newToken()
    const { id } = await api.pay(token.id)
    createRefund(api.emulator.account, { payment_intent: token.hold.id, amount: 300 })
    await api.notify()
    expect((await api.shown(id)).amount_refunded).toBe(300)
  })

  test.each(['never_arrives', 'answer_lost'] as const)(
    'is followed as well if the call that names the payment has the fault %s',
    async (fault) => {
      const token = await newToken()
      api.emulator.faults.plan({ fault, call: 'paymentIntents.update' })
      const json = { amount: 1000, currency: 'JPY', payment_details: token.id, capture: false }
      const { status, body } = await api.ask('POST /payments', json)
      expect(status).toBe(504)
      await api.advance(60)
      const { payment } = body.error.details
      expect([(await api.shown(payment)).status, api.intentOf(payment)]).toEqual(['authorized', token.hold.id])
    },
  )

  test('is authorized if Stripe refuses to name the payment, and an operator is alarmed', async () => {
    const token = await newToken()
    api.emulator.faults.plan({ fault: 'balance_insufficient', call: 'paymentIntents.update' })
    const { id, status } = await api.pay(token.id, { capture: false })
    expect(status).toBe('authorized')
    expect(api.errors()).toContainEqual(expect.objectContaining({ event: 'acquirer_refused', payment: id }))
  })
})

describe('a live bank transfer', () => {
  /** Creates a bank transfer of 1,000 JPY, and returns its id and a function that sends money to its account. */
  async function newTransfer() {
    const names = { family_name: '山田', given_name: '太郎', family_name_kana: 'ヤマダ', given_name_kana: 'タロウ' }
    const { id } = await api.pay({ type: 'bank_transfer', email: 'taro@shop.example', phone: '0312345678', ...names })
    const intent = api.emulator.account.payment_intents.get(api.intentOf(id))!
    return { id, send: (amount: number) => receiveCash(api.emulator.account, intent.customer!, amount) }
  }

  const linesAbout = (payment: string) =>
    api.logs.filter((line) => line.payment === payment && ['underpaid', 'overpaid'].includes(line.event))

  test('stays authorized while too little has arrived, and the log says how much is missing', async () => {
    const { id, send } = await newTransfer()
    send(400)
    await api.notify()
    expect((await api.shown(id)).status).toBe('authorized')
    expect(linesAbout(id)).toMatchObject([{ level: 'info', event: 'underpaid', amount_remaining: 600 }])
    send(600)
    await api.notify()
    expect((await api.shown(id)).status).toBe('captured')
    expect(linesAbout(id)).toHaveLength(1)
  })

  test('is captured, and an operator is alarmed once, if too much has arrived', async () => {
    const { id, send } = await newTransfer()
    send(1_250)
    await api.notify()
    expect((await api.shown(id)).status).toBe('captured')
    expect(linesAbout(id)).toMatchObject([{ level: 'error', event: 'overpaid', amount_excess: 250 }])
  })

  test('is captured as well if Stripe does not show what is left', async () => {
    const { id, send } = await newTransfer()
    send(1_250)
    api.emulator.faults.plan({ fault: 'balance_insufficient', call: 'customers.retrieveCashBalance' })
    await api.notify()
    expect((await api.shown(id)).status).toBe('captured')
    expect(api.errors()).toContainEqual(expect.objectContaining({ event: 'acquirer_refused', payment: id }))
  })
})
