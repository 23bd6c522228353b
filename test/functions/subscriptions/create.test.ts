import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { eventsOf, eventTypesOf, itemsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi, type RequestOptions } from '#test/fixtures/api.ts'
import { withoutAcquirer } from '#test/fixtures/without-acquirer.ts'

const points = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: points.around })
})
afterAll(() => api.close())

const makeCustomer = async (fields: object = {}, key = api.test.secret_key): Promise<string> => {
  const json = { payment_details: card(), email: 'hanako@example.com', ...fields }
  return (await api.request('POST /customers', { key, json })).body.id
}
const order = { amount: 1000, currency: 'JPY', period: 'monthly' }
const create = async (
  fields: { readonly customer?: string; readonly [field: string]: unknown } = {},
  options: RequestOptions = {},
) =>
  api.request('POST /subscriptions', {
    json: { ...order, customer: fields.customer ?? (await makeCustomer()), ...fields },
    ...options,
  })
const show = async (id: string) => (await api.request(`GET /subscriptions/${id}`)).body
const paymentsOf = async (customer: string) => (await api.request(`GET /payments?customer=${customer}`)).body.data
const chargesOf = (subscription: string) => itemsOf(api, 'sandbox').filter(({ pk }) => pk.includes(subscription))

describe('POST /subscriptions', () => {
  test('captures the first interval at once and returns every field', async () => {
    const customer = await makeCustomer({ currency: 'USD', metadata: { vip: true } })
    const { status, text, body } = await create({ customer, metadata: { plan: 'gold', seats: 3, trial: false } })
    expect(status).toBe(200)
    expect(body.id).toMatch(/^sub_/)
    expect(text).toBe(
      JSON.stringify({
        id: body.id,
        resource: 'subscription',
        status: 'active',
        amount: 1000,
        currency: 'JPY',
        customer: {
          id: body.customer.id,
          uuid: customer,
          merchant_id: body.customer.merchant_id,
          created_at: '2030-01-02T12:00:00.000+09:00',
          updated_at: '2030-01-02T12:00:00.000+09:00',
          email: 'hanako@example.com',
          currency: 'USD',
          metadata: { vip: true },
        },
        period: 'monthly',
        day: 2,
        payment_details: { type: 'credit_card', month: '12', year: '2035', email: 'hanako@example.com' },
        retry_count: 0,
        retry_at: null,
        next_capture_at: '2030-02-02T03:00:00Z',
        created_at: '2030-01-02T03:00:00Z',
        ended_at: null,
        metadata: { plan: 'gold', seats: 3, trial: false },
        payments: body.payments,
        last_failure: null,
      }),
    )
    expect(body.payments).toEqual([expect.stringMatching(/^pay_/)])
    expect((await api.request(`GET /subscriptions/${body.id}`)).text).toBe(text)
  })

  test('creates the capture as a payment of the customer with an event of its own', async () => {
    const customer = await makeCustomer()
    const { body } = await create({ customer })
    const { body: payment } = await api.request(`GET /payments/${body.payments[0]}`)
    expect(payment).toMatchObject({
      status: 'captured',
      customer,
      amount: 1000,
      tax: 0,
      payment_method_fee: 0,
      total: 1000,
      currency: 'JPY',
      captured_at: '2030-01-02T03:00:00Z',
      description: null,
      metadata: {},
      payment_details: { type: 'credit_card', email: 'hanako@example.com', last_four_digits: '1111' },
    })
    expect(await paymentsOf(customer)).toEqual([payment])
    expect(await eventTypesOf(api, payment.id)).toEqual(['payment.captured'])
    expect(chargesOf(body.id)).toMatchObject([{ operation: 'charge', amount: 1000 }])
  })

  test('emits subscription.created and subscription.captured, each with the subscription as it was then', async () => {
    const { body } = await create()
    expect(await eventsOf(api, body.id)).toMatchObject([
      { type: 'subscription.created', data: { ...body, status: 'pending', next_capture_at: null, payments: [] } },
      { type: 'subscription.captured', data: body },
    ])
  })

  test('shows integer ids of customer and merchant that are stable and unique', async () => {
    const [one, other] = [await makeCustomer(), await makeCustomer()]
    const live = { key: api.live.secret_key }
    const made = [
      await create({ customer: one }),
      await create({ customer: one }),
      await create({ customer: other }),
      await create({ customer: await makeCustomer({}, live.key) }, live),
    ].map(({ body }) => body.customer)
    for (const { id, merchant_id } of made) {
      expect([Number.isSafeInteger(id), Number.isSafeInteger(merchant_id)]).toEqual([true, true])
      expect([id > 0, merchant_id > 0]).toEqual([true, true])
    }
    expect(made[1]).toEqual(made[0])
    expect(new Set(made.map(({ id }) => id)).size).toBe(3)
    expect(made[2].merchant_id).toBe(made[0].merchant_id)
    expect(made[3].merchant_id).not.toBe(made[0].merchant_id)
  })

  test.each([
    ['weekly', 3, '2030-01-09T03:00:00Z'],
    ['monthly', 2, '2030-02-02T03:00:00Z'],
    ['yearly', 2, '2031-01-02T03:00:00Z'],
  ])('with the period %s sets day to %i and next_capture_at to %s', async (period, day, next_capture_at) => {
    expect((await create({ period })).body).toMatchObject({ status: 'active', period, day, next_capture_at })
  })

  test.each([
    ['USD', '10.50', 10.5, 1050],
    ['USD', 10.5, 10.5, 1050],
    ['JPY', '1000.00', 1000, 1000],
    ['KWD', '1.005', 1.005, 1005],
  ])('with %s %s shows the amount %d and charges %i', async (currency, amount, shown, charged) => {
    const { body } = await create({ currency, amount })
    expect([body.amount, body.currency]).toEqual([shown, currency])
    const { body: payment } = await api.request(`GET /payments/${body.payments[0]}`)
    expect([payment.amount, payment.total, payment.currency]).toEqual([charged, charged, currency])
  })

  test('creates a captured payment of zero for an amount of zero, without a call to the acquirer', async () => {
    const { body } = await create({ amount: '0.00', currency: 'USD' })
    expect(body).toMatchObject({ status: 'active', amount: 0, next_capture_at: '2030-02-02T03:00:00Z' })
    const { body: payment } = await api.request(`GET /payments/${body.payments[0]}`)
    expect(payment).toMatchObject({ status: 'captured', amount: 0, total: 0, captured_at: '2030-01-02T03:00:00Z' })
    expect(chargesOf(body.id)).toEqual([])
    expect(await eventTypesOf(api, body.id)).toEqual(['subscription.created', 'subscription.captured'])
    expect(await eventTypesOf(api, payment.id)).toEqual(['payment.captured'])
  })

  test.each([
    ['a declined card', '4123111111111059', ['payment.failed']],
    ['a card that is suspected of fraud', '4123111111111083', ['payment.failed', 'payment.marked.as.fraud']],
    ['a card that needs 3-D Secure, which an absent customer cannot pass', '4100000000000100', ['payment.failed']],
  ])('answers 200 with a suspended subscription and a failed payment for %s', async (_, number, of_payment) => {
    const customer = await makeCustomer({ payment_details: card(number) })
    const { status, body } = await create({ customer })
    expect([status, body]).toMatchObject([
      200,
      {
        status: 'suspended',
        retry_count: 1,
        retry_at: null,
        next_capture_at: null,
        ended_at: '2030-01-02T03:00:00Z',
        payments: [],
      },
    ])
    expect(await eventTypesOf(api, body.id)).toEqual([
      'subscription.created',
      'subscription.failed',
      'subscription.suspended',
    ])
    const [payment] = await paymentsOf(customer)
    expect(payment).toMatchObject({ status: 'failed', customer, amount: 1000 })
    expect(await eventTypesOf(api, payment.id)).toEqual(of_payment)
    expect(await show(body.id)).toEqual(body)
  })

  test.each(['timeout_before_charge', 'timeout_after_charge'])(
    'answers 200 with a pending subscription after %s, which becomes active with one charge',
    async (scenario) => {
      const customer = await makeCustomer()
      const { status, body } = await create({ customer }, { headers: { 'x-service-scenario': scenario } })
      const open = { status: 'pending', retry_count: 0, retry_at: null, next_capture_at: null, ended_at: null }
      expect([status, body]).toMatchObject([200, { ...open, payments: [] }])
      expect(await show(body.id)).toEqual(body)
      const [payment] = await paymentsOf(customer)
      expect(payment).toMatchObject({ status: 'pending', customer })
      await api.advance(60)
      expect(await show(body.id)).toEqual({
        ...body,
        status: 'active',
        next_capture_at: body.created_at.replace('-01-', '-02-'),
        payments: [payment.id],
      })
      expect(await eventTypesOf(api, body.id)).toEqual(['subscription.created', 'subscription.captured'])
      expect(chargesOf(body.id)).toMatchObject([{ outcome: { result: 'captured' } }])
    },
  )

  test('charges once if the acquirer answers twice', async () => {
    const { body } = await create({}, { headers: { 'x-service-scenario': 'duplicate_answer' } })
    expect([body.status, body.payments.length, chargesOf(body.id).length]).toEqual(['active', 1, 1])
  })

  test('treats a form and JSON with the same fields as the same request', async () => {
    const customer = await makeCustomer()
    const headers = { 'idempotency-key': 'form and JSON' }
    const json = {
      customer,
      amount: '10.50',
      currency: 'USD',
      period: 'weekly',
      metadata: { plan: 'gold', seats: '3' },
    }
    const { metadata, ...fields } = json
    const form = { ...fields, 'metadata[plan]': 'gold', 'metadata[seats]': '3' }
    const first = await api.request('POST /subscriptions', { json, headers })
    const replay = await api.request('POST /subscriptions', { form, headers })
    expect([replay.headers.get('idempotent-replayed'), replay.text]).toEqual(['true', first.text])
    const { body } = await api.request('POST /subscriptions', { form })
    const { id, payments, created_at, next_capture_at } = body
    expect(body).toEqual({ ...first.body, id, payments, created_at, next_capture_at })
  })

  test('creates one subscription for an Idempotency-Key and refuses another request under it', async () => {
    const customer = await makeCustomer()
    const headers = { 'idempotency-key': 'one subscription' }
    const first = await create({ customer }, { headers })
    const again = await create({ customer }, { headers })
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true'])
    const other = await create({ customer, amount: 2000 }, { headers })
    expect(refusalIn(other)).toMatchObject({ status: 422, code: 'idempotency_mismatch' })
    expect((await api.request(`GET /subscriptions?customer=${customer}`)).body.total).toBe(1)
    expect(await paymentsOf(customer)).toHaveLength(1)
  })

  test('creates one subscription for two concurrent requests with the same Idempotency-Key', async () => {
    const customer = await makeCustomer()
    const headers = { 'idempotency-key': 'two at once' }
    const replies = await Promise.all([1, 2].map(() => create({ customer }, { headers })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const again = await create({ customer }, { headers })
    expect(again.text).toBe(replies.find(({ status }) => status === 200)?.text)
    expect(await paymentsOf(customer)).toHaveLength(1)
  })

  test('creates four subscriptions for four concurrent requests of one customer', async () => {
    const customer = await makeCustomer()
    const replies = await Promise.all([1, 2, 3, 4].map(() => create({ customer })))
    expect(replies.map(({ body }) => body.status)).toEqual(['active', 'active', 'active', 'active'])
    expect(await paymentsOf(customer)).toHaveLength(4)
  })

  test.each([
    [{}, 'missing_parameter', 'customer'],
    [{ customer: 'cus_1' }, 'missing_parameter', 'amount'],
    [{ customer: 'cus_1', amount: 1 }, 'missing_parameter', 'currency'],
    [{ customer: 'cus_1', amount: 1, currency: 'JPY' }, 'missing_parameter', 'period'],
    [{ ...order, customer: 'cus_1' }, 'invalid_parameter', 'customer'],
    [{ ...order, customer: 'nobody # at all' }, 'invalid_parameter', 'customer'],
    [{ ...order, customer: 135666650332883 }, 'invalid_parameter', 'customer'],
    [{ ...order, customer: 'cus_1', amount: -1 }, 'invalid_parameter', 'amount'],
    [{ ...order, customer: 'cus_1', amount: null }, 'invalid_parameter', 'amount'],
    [{ ...order, customer: 'cus_1', amount: '1,000' }, 'invalid_parameter', 'amount'],
    [{ ...order, customer: 'cus_1', amount: '0.5' }, 'invalid_parameter', 'amount'],
    [{ ...order, customer: 'cus_1', currency: 'YEN' }, 'invalid_currency', 'currency'],
    [{ ...order, customer: 'cus_1', period: 'daily' }, 'invalid_parameter', 'period'],
    [{ ...order, customer: 'cus_1', metadata: { a: [] } }, 'invalid_parameter', 'metadata[a]'],
  ])('refuses %j with %s of %s', async (json, code, param) => {
    expect(refusalIn(await api.request('POST /subscriptions', { json }))).toEqual({ status: 422, code, param })
  })

  test('refuses a deleted customer and a customer of another merchant or mode', async () => {
    const { test: somebody } = await api.newMerchants()
    const deleted = await makeCustomer()
    await api.request(`DELETE /customers/${deleted}`)
    const foreign = await makeCustomer({}, somebody.secret_key)
    const live = await makeCustomer({}, api.live.secret_key)
    for (const customer of [deleted, foreign, live])
      expect(refusalIn(await create({ customer }))).toEqual({
        status: 422,
        code: 'invalid_parameter',
        param: 'customer',
      })
  })

  test.each([
    ['without payment details', { payment_details: null }],
    ['whose payment details cannot be charged again', { payment_details: konbini }],
  ])('refuses a customer %s and stores nothing', async (_, change) => {
    for (const amount of [1000, 0]) {
      const customer = await makeCustomer()
      await api.request(`PATCH /customers/${customer}`, { json: change })
      const reply = await create({ customer, amount })
      expect(refusalIn(reply)).toEqual({ status: 422, code: 'unprocessable_entity', param: 'customer' })
      expect((await api.request(`GET /subscriptions?customer=${customer}`)).body.total).toBe(0)
      expect(await paymentsOf(customer)).toEqual([])
    }
  })

  test('answers 503 in live mode without an acquirer, and creates nothing', async () => {
    const closed = await openApi({ around: withoutAcquirer })
    const key = closed.live.secret_key
    const customer = (await closed.request('POST /customers', { json: { payment_details: card() }, key })).body.id
    const reply = await closed.request('POST /subscriptions', { json: { ...order, customer }, key })
    const list = await closed.request('GET /subscriptions', { key })
    await closed.close()
    expect(refusalIn(reply)).toEqual({ status: 503, code: 'service_unavailable', param: null })
    expect(list.body.total).toBe(0)
  })

  test('answers 504 if the platform fails after the charge, and the clock completes the subscription', async () => {
    const customer = await makeCustomer()
    let writes = 0
    // The first write begins the charge and the second one is the acquirer's own.
    points.arm((_, operation) => (operation === 'write' && ++writes > 2 ? 'fail_before' : 'ok'))
    const reply = await create({ customer })
    points.disarm()
    expect(refusalIn(reply)).toEqual({ status: 504, code: 'gateway_timeout', param: null })
    const [payment] = await paymentsOf(customer)
    expect(reply.body.error.details).toEqual({ payment: payment.id })
    await api.advance(60)
    const { data } = (await api.request(`GET /subscriptions?customer=${customer}`)).body
    expect(data).toMatchObject([{ status: 'active' }])
    expect(chargesOf(data[0].id)).toHaveLength(1)
  })

  test.each([1000, 0])(
    'ends a subscription with the amount %i that is created while its customer is being deleted',
    async (amount) => {
      const somebody = await makeCustomer()
      points.arm()
      await api.request(`DELETE /customers/${somebody}`)
      const { calls } = points
      points.disarm()
      for (let at = 1; at <= calls; at++) {
        const customer = await makeCustomer()
        let made: Awaited<ReturnType<typeof create>> | undefined
        points.armMeanwhile(at, async () => {
          made = await create({ customer, amount })
        })
        expect((await api.request(`DELETE /customers/${customer}`)).status).toBe(200)
        points.disarm()
        expect(made?.status).toBe(200)
        expect((await show(made!.body.id)).status, `made before call ${at}`).toBe('deleted')
      }
    },
  )
})
