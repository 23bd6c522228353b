import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Payment } from '#shared/domain/payment.ts'
import { merchantKey } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import { itemsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi, type Reply } from '#test/fixtures/api.ts'
import type { CallName } from '#test/fixtures/stripe/calls.ts'
import { pay, refuse } from '#test/fixtures/stripe/customer-actions.ts'
import { closeDispute, openDispute } from '#test/fixtures/stripe/disputes.ts'
import type { Fault } from '#test/fixtures/stripe/faults.ts'
import { cancelPaymentIntent } from '#test/fixtures/stripe/payment-intents.ts'
import { stripeAt } from '#test/fixtures/stripe/sdk.ts'
import { type RunningStripe, startStripe } from '#test/fixtures/stripe/server.ts'
import { endSetup } from '#test/fixtures/stripe/setup-intents.ts'

let api: Api
let stripe: RunningStripe

beforeAll(async () => {
  const late = () => Promise.reject(new Error('the answer is late'))
  let now = () => Date.now()
  stripe = await startStripe({ clock: { now: () => now(), wait: late } })
  const secret = { api_key: stripe.emulator.key, notification_secrets: [] }
  const secrets = { acquirer: async () => secret, refetch: async () => secret }
  const provider_access = { secrets, stage: 'test', host: stripe.url }
  api = await openApi({ around: (platform) => ({ ...platform, live_acquirer: 'stripe', provider_access }) })
  now = () => api.platform.clock.now()
})
afterAll(async () => {
  await api.close()
  await stripe.stop()
})
beforeEach(() => stripe.emulator.faults.clear())

const ask = (route: string, json?: object, headers: Record<string, string> = {}): Promise<Reply> =>
  api.request(route, { json, key: api.live.secret_key, headers })

const request = (fields: object = {}) => ({
  ...{ amount: 1000, tax: 100, currency: 'JPY', payment_details: card('4242424242424242') },
  ...fields,
})

const charge = (fields: object = {}, headers: Record<string, string> = {}) =>
  ask('POST /payments', request(fields), headers)

const stored = (id: string): Promise<Payment> =>
  api.work({ platform: api.injected, merchant: api.live.id, mode: 'live' }).get(payments, id)

/** What Stripe took of a payment and returned, and how many of its PaymentIntents took money or can still take it. */
function booksOf(id: string) {
  const { payment_intents, refunds } = stripe.emulator.account
  const intents = [...payment_intents.values()].filter(({ metadata }) => metadata.payment === id)
  const returned = [...refunds.values()].filter(
    (it) => it.balance_transaction && intents.some((intent) => intent.id === it.payment_intent),
  )
  return {
    taken: intents.reduce((sum, { amount_received }) => sum + amount_received, 0),
    held: intents.reduce((sum, { amount_capturable }) => sum + amount_capturable, 0),
    returned: returned.reduce((sum, { amount }) => sum + amount, 0),
    intents: intents.filter(({ status }) => status !== 'canceled').length,
  }
}

const errorsOf = ({ logs }: Api) => logs.filter(({ level }) => level === 'error').map(({ event }) => event)

describe('a live payment at Stripe', () => {
  test('is captured, and refunded in parts', async () => {
    const { status, body } = await charge()
    expect([status, body.status, body.total]).toEqual([200, 'captured', 1100])
    expect(booksOf(body.id)).toEqual({ taken: 1100, held: 0, returned: 0, intents: 1 })
    const part = await ask(`POST /payments/${body.id}/refund`, { amount: 300 })
    expect(part.body).toMatchObject({ status: 'captured', amount_refunded: 300 })
    const rest = await ask(`POST /payments/${body.id}/refund`)
    expect(rest.body).toMatchObject({ status: 'refunded', amount_refunded: 1100 })
    expect(booksOf(body.id)).toEqual({ taken: 1100, held: 0, returned: 1100, intents: 1 })
  })

  test('is held until the network ends the hold, and captured in part', async () => {
    const { body } = await charge({ capture: false })
    expect(body.status).toBe('authorized')
    const days = (Date.parse(body.payment_deadline) - api.platform.clock.now()) / 86_400_000
    expect(days).toBeLessThan(30)
    const captured = await ask(`POST /payments/${body.id}/capture`, { amount: 500, tax: 50 })
    expect(captured.body).toMatchObject({ status: 'captured', total: 550 })
    expect(booksOf(body.id)).toEqual({ taken: 550, held: 0, returned: 0, intents: 1 })
  })

  test('is cancelled, which releases its hold', async () => {
    const { body } = await charge({ capture: false })
    expect((await ask(`POST /payments/${body.id}/cancel`)).body.status).toBe('cancelled')
    expect(booksOf(body.id)).toEqual({ taken: 0, held: 0, returned: 0, intents: 0 })
  })

  test('is captured with the part that the dashboard captured, if it is cancelled after that', async () => {
    const { body } = await charge({ capture: false })
    const [intent] = [...stripe.emulator.account.payment_intents.values()].slice(-1)
    await stripeAt(stripe).paymentIntents.capture(intent!.id, { amount_to_capture: 600 })
    expect(refusalIn(await ask(`POST /payments/${body.id}/cancel`))).toMatchObject({
      status: 422,
      code: 'not_cancellable',
    })
    expect(await stored(body.id)).toMatchObject({ status: 'captured', total: 600, amount: 500, tax: 100 })
    expect(booksOf(body.id).taken).toBe(600)
  })

  test('is not refundable while the cardholder disputes it, also for a request that is repeated', async () => {
    const { body } = await charge()
    const { account } = stripe.emulator
    const charged = [...account.charges.values()].find(({ metadata }) => metadata.payment === body.id)!
    const dispute = openDispute(account, charged, 'fraudulent')
    const key = { 'Idempotency-Key': 'disputed-1' }
    const refused = { status: 422, code: 'not_refundable', param: null }
    expect(refusalIn(await ask(`POST /payments/${body.id}/refund`, { amount: 100 }, key))).toEqual(refused)
    expect(refusalIn(await ask(`POST /payments/${body.id}/refund`, { amount: 100 }, key))).toEqual(refused)
    expect(await stored(body.id)).toMatchObject({ status: 'captured', amount_refunded: 0, in_flight: [] })
    closeDispute(account, dispute.id, 'won')
    expect((await ask(`POST /payments/${body.id}/refund`, { amount: 100 })).body.amount_refunded).toBe(100)
  })

  test.each(['before the capture', 'as the capture arrives'])(
    'expires if its hold ended %s, and is then not capturable',
    async (when) => {
      const { body } = await charge({ capture: false })
      const intent = [...stripe.emulator.account.payment_intents.values()].at(-1)!
      if (when === 'before the capture') cancelPaymentIntent(stripe.emulator.account, intent.id, {})
      else stripe.emulator.faults.plan({ fault: 'charge_expired_for_capture', call: 'paymentIntents.capture' })
      const refused = { status: 422, code: 'not_capturable', param: null }
      expect(refusalIn(await ask(`POST /payments/${body.id}/capture`))).toEqual(refused)
      expect(await stored(body.id)).toMatchObject({ status: 'expired', in_flight: [] })
      expect(refusalIn(await ask(`POST /payments/${body.id}/capture`))).toEqual(refused)
    },
  )

  test('of a declined card is refused with the reason', async () => {
    const reply = await charge({ payment_details: card('4000000000009995') })
    expect(refusalIn(reply)).toEqual({ status: 402, code: 'insufficient_funds', param: null })
    expect(await stored(reply.body.error.details.payment)).toMatchObject({
      status: 'failed',
      failure: 'insufficient_funds',
      provider: 'stripe',
    })
  })

  test('that needs 3-D Secure sends the customer to a page of Stripe', async () => {
    const { body } = await charge({ payment_details: card('4000000000003220') })
    expect(body.status).toBe('pending')
    expect(new URL(body.payment_details.redirect_url).origin).toBe(stripe.url)
  })

  test('in a convenience store shows the codes of Stripe', async () => {
    const { body } = await charge({ payment_details: konbini, tax: 0 })
    expect(body.status).toBe('authorized')
    const intent = [...stripe.emulator.account.payment_intents.values()].at(-1)!
    const codes = intent.next_action!.konbini_display_details!.stores.lawson!
    expect(body.payment_details).toMatchObject({
      receipt: codes.payment_code,
      confirmation_code: codes.confirmation_number,
    })
  })

  test.each([
    ['shows the name of the shop', 'A shop of 22 characters'.slice(0, 22), 'A shop of 22 character'],
    ['leaves out a name that is too long', 'A shop of 23 characters', null],
  ])('in a convenience store %s', async (_what, display_name, description) => {
    const [merchant] = await api.platform.table.get([merchantKey(api.live.id)])
    await ask(`PATCH /accounts/${merchant!.account}`, { display_name })
    expect((await charge({ payment_details: konbini, tax: 0 })).status).toBe(200)
    const intent = [...stripe.emulator.account.payment_intents.values()].at(-1)!
    expect(intent.payment_method_options!.konbini!.product_description).toBe(description)
  })

  test('is refused before anything is stored if Stripe cannot take it', async () => {
    const payments_before = itemsOf(api, 'payment').length
    const calls = stripe.emulator.account.payment_intents.size
    const refusals = await Promise.all([
      charge({ payment_details: { type: 'paypay' } }),
      charge({ payment_details: { ...konbini, store: 'seven-eleven' } }),
      charge({ payment_details: konbini, amount: 300_000 }),
      charge({ amount: 10, tax: 0 }),
      charge({ currency: 'KPW' }),
    ])
    expect(refusals.map(refusalIn)).toEqual([
      { status: 422, code: 'invalid_payment_type', param: 'payment_details[type]' },
      { status: 422, code: 'invalid_parameter', param: 'payment_details[store]' },
      { status: 422, code: 'invalid_parameter', param: 'amount' },
      { status: 422, code: 'invalid_parameter', param: 'amount' },
      { status: 422, code: 'invalid_currency', param: 'currency' },
    ])
    expect(itemsOf(api, 'payment')).toHaveLength(payments_before)
    expect(stripe.emulator.account.payment_intents.size).toBe(calls)
  })

  test('is not captured or refunded in an amount that Stripe cannot express', async () => {
    const fields = { amount: 100_000, tax: 0, currency: 'MGA' }
    const [{ body: paid }, { body: held }] = [await charge(fields), await charge({ ...fields, capture: false })]
    for (const [route, rest] of [
      [`POST /payments/${paid.id}/refund`, 'captured'],
      [`POST /payments/${held.id}/capture`, 'authorized'],
    ] as const) {
      const refused = await ask(route, { amount: 150 })
      expect(refusalIn(refused)).toEqual({ status: 422, code: 'invalid_parameter', param: 'amount' })
      const id = route.split('/')[2]!
      expect(await stored(id)).toMatchObject({ status: rest, in_flight: [] })
      expect((await ask(route, { amount: 200 })).status).toBe(200)
    }
  })
})

describe('a live secure token', () => {
  const RETURN_URL = 'https://shop.example/done'
  const made = async (number: string, amount = 1100) => {
    const json = { amount, currency: 'JPY', return_url: RETURN_URL, payment_details: card(number) }
    const { body } = await ask('POST /secure_tokens', json)
    const hold = [...stripe.emulator.account.payment_intents.values()].find(
      ({ metadata }) => metadata.token === body.id,
    )
    return { id: body.id, url: body.authentication_url, hold: hold! }
  }
  const setupOf = (token: string) =>
    [...stripe.emulator.account.setup_intents.values()].find(({ metadata }) => metadata!.token === token)!
  const statusOf = async (id: string) => (await ask(`GET /secure_tokens/${id}`)).body.verification_status
  const visit = (id: string) => fetch(`${api.url}/pages/secure_tokens/${api.live.id}/${id}`)

  test('sends the customer to the bank, and its payment captures the verified hold', async () => {
    const { id, url, hold } = await made('4000000000003220')
    expect(new URL(url).origin).toBe(stripe.url)
    expect((await visit(id)).status).toBe(200)
    expect(await statusOf(id)).toBe('NEEDS_VERIFY')
    pay(stripe.emulator.account, hold.id)
    expect(await (await visit(id)).text()).toContain(`${RETURN_URL}?secure_token=${id}`)
    expect(await statusOf(id)).toBe('OK')
    const { body } = await charge({ payment_details: id })
    expect([body.status, body.total]).toEqual(['captured', 1100])
    expect(hold).toMatchObject({ status: 'succeeded', amount_received: 1100 })
    expect(booksOf(body.id)).toEqual({ taken: 1100, held: 0, returned: 0, intents: 1 })
    expect((await ask(`POST /payments/${body.id}/refund`, { amount: 100 })).body.amount_refunded).toBe(100)
    await api.advance(3_600)
    expect(hold).toMatchObject({ status: 'succeeded', amount_received: 1100 })
  })

  test('of a card without 3-D Secure is skipped, and its payment keeps the hold', async () => {
    const { id, url, hold } = await made('378282246310005')
    expect(url).toContain(`/pages/secure_tokens/${api.live.id}/${id}`)
    await visit(id)
    expect(await statusOf(id)).toBe('SKIPPED')
    const { body } = await charge({ payment_details: id, capture: false })
    expect([body.status, hold.status]).toEqual(['authorized', 'requires_capture'])
    expect((await ask(`POST /payments/${body.id}/cancel`)).body.status).toBe('cancelled')
    expect(hold.status).toBe('canceled')
  })

  test('that failed 3-D Secure cannot pay', async () => {
    const { id, hold } = await made('4000000000003220')
    refuse(stripe.emulator.account, hold.id)
    await visit(id)
    expect(await statusOf(id)).toBe('ERRORED')
    expect(refusalIn(await charge({ payment_details: id }))).toMatchObject({ status: 422, code: 'invalid_token' })
  })

  test('without the tax cannot pay a total above its hold', async () => {
    const { id } = await made('378282246310005', 1000)
    await visit(id)
    const reply = await charge({ payment_details: id })
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param: 'amount' })
  })

  test.each([
    ['passed', pay, 'OK'],
    ['failed', refuse, 'ERRORED'],
  ] as const)('without an amount shows that the customer %s 3-D Secure', async (_what, decide, status) => {
    const { id, url } = await made('4000000000003220', 0)
    const setup = setupOf(id)
    expect(new URL(url).pathname).toContain(setup.id)
    await visit(id)
    expect(await statusOf(id)).toBe('NEEDS_VERIFY')
    endSetup(stripe.emulator.account, setup.id, decide === pay)
    expect(await (await visit(id)).text()).toContain(`${RETURN_URL}?secure_token=${id}`)
    expect(await statusOf(id)).toBe(status)
    expect(errorsOf(api)).toEqual([])
  })

  test('without an amount of a card without 3-D Secure is skipped', async () => {
    const { id } = await made('378282246310005', 0)
    await visit(id)
    expect(await statusOf(id)).toBe('SKIPPED')
  })

  test('without an amount ends its verification after an hour, and keeps one that has succeeded', async () => {
    const [waiting, passed] = [await made('4000000000003220', 0), await made('4000000000003220', 0)]
    endSetup(stripe.emulator.account, setupOf(passed.id).id, true)
    stripe.emulator.faults.plan({ fault: 'never_arrives', call: 'setupIntents.cancel' })
    await api.advance(3_660)
    await api.advance(600)
    expect([waiting, passed].map(({ id }) => setupOf(id).status)).toEqual(['canceled', 'succeeded'])
  })

  test('releases its hold after an hour if no payment used it', async () => {
    const [verified, waiting] = [await made('378282246310005'), await made('4000000000003220')]
    stripe.emulator.faults.plan({ fault: 'never_arrives', call: 'paymentIntents.cancel' })
    await api.advance(3_660)
    await api.advance(600)
    expect([verified.hold.status, waiting.hold.status]).toEqual(['canceled', 'canceled'])
  })

  test('is not created while Stripe does not answer', async () => {
    stripe.emulator.faults.plan({ fault: 'never_arrives', call: 'paymentIntents.create' })
    const json = { amount: 1100, currency: 'JPY', return_url: RETURN_URL, payment_details: card('4242424242424242') }
    expect((await ask('POST /secure_tokens', json)).status).toBe(503)
  })

  test.each([1100, 0])('leaves no hold if the answer to the verification of %i is lost', async (amount) => {
    const call = amount > 0 ? 'paymentIntents.confirm' : 'setupIntents.confirm'
    stripe.emulator.faults.plan({ fault: 'answer_lost', call })
    const payment_details = card(amount > 0 ? '4242424242424242' : '4000002760003184')
    const json = { amount, currency: 'JPY', return_url: RETURN_URL, payment_details }
    expect((await ask('POST /secure_tokens', json)).status).toBe(503)
    const { payment_intents, setup_intents } = stripe.emulator.account
    const intent = [...(amount > 0 ? payment_intents : setup_intents).values()].at(-1)!
    expect(intent.status).toBe('canceled')
  })
})

describe('a live payment whose answer is lost', () => {
  test('is resumed by a request with the same key, and charged once', async () => {
    stripe.emulator.faults.plan({ fault: 'answer_lost', call: 'paymentIntents.confirm' })
    const key = { 'Idempotency-Key': 'lost-1' }
    const first = await charge({}, key)
    expect(refusalIn(first)).toEqual({ status: 504, code: 'gateway_timeout', param: null })
    const again = await charge({}, key)
    expect([again.status, again.body.status]).toEqual([200, 'captured'])
    expect(booksOf(again.body.id)).toEqual({ taken: 1100, held: 0, returned: 0, intents: 1 })
  })

  test('that never reached Stripe is confirmed on the same PaymentIntent by a request with the same key', async () => {
    stripe.emulator.faults.plan({ fault: 'never_arrives', call: 'paymentIntents.confirm' })
    const key = { 'Idempotency-Key': 'lost-2' }
    expect((await charge({}, key)).status).toBe(504)
    const again = await charge({}, key)
    expect([again.status, again.body.status]).toEqual([200, 'captured'])
    expect(booksOf(again.body.id)).toEqual({ taken: 1100, held: 0, returned: 0, intents: 1 })
  })

  const faults: Fault[] = ['never_arrives', 'answer_lost', 'answer_late', 'not_json', 'stored_500', 'lock_timeout']
  const calls: CallName[] = ['paymentIntents.create', 'paymentMethods.create', 'paymentIntents.confirm']
  const cases = faults.flatMap((fault) => calls.map((call) => [fault, call] as const))

  test.each(cases)('after %s at %s is resolved by the sweep as Stripe has it', async (fault, call) => {
    stripe.emulator.faults.plan({ fault, call })
    const reply = await charge()
    const id = reply.body.id ?? reply.body.error.details.payment
    await api.advance(3 * 86_400)
    const { status, in_flight } = await stored(id)
    expect(in_flight).toEqual([])
    const books = booksOf(id)
    if (status === 'captured') expect(books).toEqual({ taken: 1100, held: 0, returned: 0, intents: 1 })
    else expect([status, books]).toEqual(['failed', { taken: 0, held: 0, returned: 0, intents: 0 }])
  })

  test.each(['never_arrives', 'answer_lost', 'stored_500', 'lock_timeout'] as const)(
    'after %s at its refund is refunded once',
    async (fault) => {
      const { body } = await charge()
      stripe.emulator.faults.plan({ fault, call: 'refunds.create' })
      expect((await ask(`POST /payments/${body.id}/refund`, { amount: 300 })).status).toBe(504)
      await api.advance(3 * 86_400)
      expect(await stored(body.id)).toMatchObject({ amount_refunded: 300, in_flight: [] })
      expect(booksOf(body.id)).toEqual({ taken: 1100, held: 0, returned: 300, intents: 1 })
    },
  )
})
