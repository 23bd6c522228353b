import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { eventsOf, eventTypesOf, itemsOf } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi, START } from '#test/fixtures/api.ts'

let api: Api
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const open = async (at: number | string = START) => {
  api = await openApi({ frozen_at: typeof at === 'number' ? at : Date.parse(at) })
  closing.push(() => api.close())
}

/** The sandbox charges the first capture of each subscription with this card and declines the following ones. */
const PAYS_ONCE = '4123111111112008'

/** A card that does not expire during these journeys. */
const good = (number?: string) => ({ ...card(number), year: 2045 })

const makeCustomer = async (payment_details: object = good()): Promise<string> =>
  (await api.request('POST /customers', { json: { payment_details, email: 'hanako@example.com' } })).body.id
const update = (customer: string, json: object) => api.request(`PATCH /customers/${customer}`, { json })
const order = { amount: 1000, currency: 'JPY', period: 'monthly' }
const subscribe = async (customer: string, fields: object = {}) =>
  (await api.request('POST /subscriptions', { json: { ...order, customer, ...fields } })).body
const show = async (id: string) => (await api.request(`GET /subscriptions/${id}`)).body
const remove = async (id: string) => (await api.request(`DELETE /subscriptions/${id}`)).body
const until = (moment: string) => api.advance((Date.parse(moment) - api.platform.clock.now()) / 1000)

interface Shown {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly created_at: string
}

/** The payments of a customer, oldest first. */
async function paymentsOf(customer: string): Promise<Shown[]> {
  const { body } = await api.request(`GET /payments?customer=${customer}&per_page=100`)
  if (body.last_page > 1) throw new Error('there are more payments than one page shows')
  return body.data.toReversed()
}
const timesOf = async (customer: string, status = 'captured') =>
  (await paymentsOf(customer)).filter((payment) => payment.status === status).map(({ created_at }) => created_at)

/** The successful charges of a subscription at the acquirer. */
const chargesOf = (subscription: string) =>
  itemsOf(api, 'sandbox').filter(
    ({ pk, outcome }) => pk.includes(subscription) && (outcome as { result: string }).result === 'captured',
  )
const dayInJapan = (at: string) => new Date(Date.parse(at) + 9 * 3_600_000).toISOString().slice(0, 10)
const everyMonth = (from: string, count: number) =>
  Array.from({ length: count }, (_, n) => {
    const at = new Date(from)
    at.setUTCMonth(at.getUTCMonth() + n)
    return `${at.toISOString().slice(0, 19)}Z`
  })

describe('a subscription over several years', () => {
  test('that is monthly makes 25 payments in two years, each once and on its day', async () => {
    await open()
    const customer = await makeCustomer()
    const { id } = await subscribe(customer)
    await until('2032-01-02T03:00:00Z')
    const body = await show(id)
    expect(body).toMatchObject({
      status: 'active',
      day: 2,
      retry_count: 0,
      next_capture_at: '2032-02-02T03:00:00Z',
      created_at: '2030-01-02T03:00:00Z',
    })
    const payments = await paymentsOf(customer)
    expect(payments.map(({ created_at }) => created_at)).toEqual(everyMonth('2030-01-02T03:00:00Z', 25))
    expect(payments.map((payment) => payment.id)).toEqual(body.payments)
    expect(chargesOf(id)).toHaveLength(25)
    expect(await eventTypesOf(api, id)).toEqual(['subscription.created', ...Array(25).fill('subscription.captured')])
  })

  test('that began on the 31st is captured on the last day of shorter months and on the 31st of longer ones', async () => {
    // In Japan, this is half past eight in the morning of the 31st.
    await open('2031-01-30T23:30:00Z')
    const customer = await makeCustomer()
    expect(await subscribe(customer)).toMatchObject({ day: 31, next_capture_at: '2031-02-27T23:30:00Z' })
    await until('2032-04-30T00:00:00Z')
    const times = await timesOf(customer)
    expect(times.map(dayInJapan)).toEqual([
      ...['2031-01-31', '2031-02-28', '2031-03-31', '2031-04-30', '2031-05-31', '2031-06-30', '2031-07-31'],
      ...['2031-08-31', '2031-09-30', '2031-10-31', '2031-11-30', '2031-12-31'],
      ...['2032-01-31', '2032-02-29', '2032-03-31', '2032-04-30'],
    ])
    expect(new Set(times.map((at) => at.slice(10)))).toEqual(new Set(['T23:30:00Z']))
  })

  test('that is weekly is captured every seven days', async () => {
    await open()
    const customer = await makeCustomer()
    const { id, day } = await subscribe(customer, { period: 'weekly' })
    await api.advance(10 * 7 * 86_400)
    const times = await timesOf(customer)
    expect(times.map((at) => (Date.parse(at) - START) / 86_400_000)).toEqual([0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70])
    expect([day, (await show(id)).next_capture_at]).toEqual([3, '2030-03-20T03:00:00Z'])
  })

  test('that is yearly and began on 29 February is captured on 28 February in years without a 29th', async () => {
    await open('2032-02-29T03:00:00Z')
    const customer = await makeCustomer()
    const { id, day } = await subscribe(customer, { period: 'yearly' })
    await until('2037-01-01T00:00:00Z')
    expect((await timesOf(customer)).map(dayInJapan)).toEqual([
      '2032-02-29',
      '2033-02-28',
      '2034-02-28',
      '2035-02-28',
      '2036-02-29',
    ])
    expect([day, (await show(id)).next_capture_at]).toEqual([60, '2037-02-28T03:00:00Z'])
  })

  test.each([
    ['JPY', '1000.00', 1000, 1000],
    ['USD', '10.50', 10.5, 1050],
    ['JPY', 0, 0, 0],
  ])('with the amount %s %s charges it in every interval', async (currency, amount, shown, charged) => {
    await open()
    const customer = await makeCustomer()
    const { id } = await subscribe(customer, { currency, amount })
    await until('2030-04-02T03:00:00Z')
    const { status, amount: now, payments } = await show(id)
    expect([status, now, payments.length]).toEqual(['active', shown, 4])
    const all = await paymentsOf(customer)
    expect(all.map(({ status: of, amount: each }) => [of, each])).toEqual(Array(4).fill(['captured', charged]))
    expect(chargesOf(id)).toHaveLength(charged === 0 ? 0 : 4)
  })
})

describe('a subscription whose capture fails', () => {
  test('on four days in a row is suspended and never charged again', async () => {
    await open()
    const customer = await makeCustomer(good(PAYS_ONCE))
    const { id, payments, last_failure } = await subscribe(customer)
    expect(last_failure).toBeNull()
    const failures = ['2030-02-02T03:00:00Z', '2030-02-03T03:00:00Z', '2030-02-04T03:00:00Z', '2030-02-05T03:00:00Z']
    for (const [index, moment] of failures.slice(0, 3).entries()) {
      await until(moment)
      expect(await show(id)).toMatchObject({
        status: 'retrying',
        retry_count: index + 1,
        retry_at: failures[index + 1],
        next_capture_at: '2030-03-02T03:00:00Z',
        ended_at: null,
        last_failure: { code: 'card_declined', failed_at: moment },
      })
    }
    await until(failures[3]!)
    const suspended = await show(id)
    expect(suspended).toMatchObject({
      status: 'suspended',
      retry_count: 4,
      retry_at: null,
      next_capture_at: null,
      ended_at: '2030-02-05T03:00:00Z',
      payments,
    })
    const events = await eventsOf(api, id)
    expect(events.map(({ type }) => type)).toEqual([
      'subscription.created',
      'subscription.captured',
      'subscription.failed',
      'subscription.failed',
      'subscription.failed',
      'subscription.failed',
      'subscription.suspended',
    ])
    expect(events.at(-1)?.data).toEqual(suspended)
    expect(await timesOf(customer, 'failed')).toEqual(failures)
    const { body: tries } = await api.request(`GET /payments?subscription=${id}&status=failed`)
    expect(tries.data.map(({ created_at }: Shown) => created_at)).toEqual(failures.toReversed())
    const reason = { failure_code: suspended.last_failure.code, failure_message: suspended.last_failure.message }
    for (const failed of tries.data) expect(failed).toMatchObject({ subscription: id, ...reason })
    expect(suspended.last_failure).toMatchObject({ payment: tries.data[0].id, failed_at: failures[3] })
    expect((await api.request(`GET /payments?subscription=${id}`)).body.total).toBe(5)
    await api.advance(100 * 86_400)
    expect(await show(id)).toEqual(suspended)
    expect(await paymentsOf(customer)).toHaveLength(5)
  })

  test('and whose customer gets a new card on the third day is active again with its original schedule', async () => {
    await open()
    const customer = await makeCustomer(good(PAYS_ONCE))
    const { id } = await subscribe(customer)
    await until('2030-02-03T12:00:00Z')
    expect(await show(id)).toMatchObject({ status: 'retrying', retry_count: 2, retry_at: '2030-02-04T03:00:00Z' })
    await update(customer, { payment_details: { ...good('5555555555554444'), month: 7 } })
    await until('2030-02-04T03:00:00Z')
    expect(await show(id)).toMatchObject({
      status: 'active',
      retry_count: 0,
      retry_at: null,
      next_capture_at: '2030-03-02T03:00:00Z',
      payment_details: { type: 'credit_card', month: '7', year: '2045' },
    })
    await until('2030-04-02T03:00:00Z')
    expect(await timesOf(customer)).toEqual([
      '2030-01-02T03:00:00Z',
      '2030-02-04T03:00:00Z',
      '2030-03-02T03:00:00Z',
      '2030-04-02T03:00:00Z',
    ])
    expect((await show(id)).payments).toHaveLength(4)
  })

  test('counts its retries from one again in the next interval', async () => {
    await open()
    const customer = await makeCustomer(good(PAYS_ONCE))
    const { id } = await subscribe(customer)
    await until('2030-02-04T12:00:00Z')
    expect((await show(id)).retry_count).toBe(3)
    await update(customer, { payment_details: good() })
    await until('2030-02-06T00:00:00Z')
    expect(await show(id)).toMatchObject({ status: 'active', retry_count: 0 })
    await update(customer, { payment_details: good(PAYS_ONCE) })
    await until('2030-03-02T03:00:00Z')
    expect(await show(id)).toMatchObject({ status: 'retrying', retry_count: 1, retry_at: '2030-03-03T03:00:00Z' })
  })

  test('because the card has expired shows the expired card', async () => {
    await open()
    const customer = await makeCustomer({ ...card(), month: 1, year: 2030 })
    const { id, status } = await subscribe(customer)
    expect(status).toBe('active')
    await until('2030-02-02T03:00:00Z')
    const payment_details = { type: 'credit_card', month: '1', year: '2030', email: 'hanako@example.com' }
    expect(await show(id)).toMatchObject({ status: 'retrying', retry_count: 1, payment_details })
    expect((await eventsOf(api, id)).at(-1)).toMatchObject({ type: 'subscription.failed', data: { payment_details } })
    expect((await paymentsOf(customer)).map((payment) => payment.status)).toEqual(['captured', 'failed'])
  })

  test.each([
    ['are removed', null, null],
    ['cannot be charged again', konbini, { type: 'konbini', month: null, year: null, email: konbini.email }],
  ])('because the payment details %s charges nobody, and continues with a new card', async (_, details, shown) => {
    await open()
    const customer = await makeCustomer()
    const { id, payments } = await subscribe(customer, { currency: 'USD' })
    await update(customer, { payment_details: details })
    await until('2030-02-03T12:00:00Z')
    expect(await show(id)).toMatchObject({ status: 'retrying', retry_count: 2, payment_details: shown, payments })
    expect(await paymentsOf(customer)).toHaveLength(1)
    await update(customer, { payment_details: good() })
    await until('2030-02-04T03:00:00Z')
    expect(await show(id)).toMatchObject({ status: 'active', next_capture_at: '2030-03-02T03:00:00Z' })
    expect(await timesOf(customer)).toEqual(['2030-01-02T03:00:00Z', '2030-02-04T03:00:00Z'])
  })
})

describe('a subscription that ends', () => {
  test('by a DELETE between two captures is never captured again, and emits one event for repeated DELETEs', async () => {
    await open()
    const customer = await makeCustomer()
    const { id } = await subscribe(customer)
    await until('2030-03-01T00:00:00Z')
    const deleted = await remove(id)
    expect(deleted).toMatchObject({
      status: 'deleted',
      retry_at: null,
      next_capture_at: null,
      ended_at: '2030-03-01T00:00:00Z',
    })
    expect(deleted.payments).toHaveLength(2)
    await until('2032-01-01T00:00:00Z')
    expect(await remove(id)).toEqual(deleted)
    expect(await show(id)).toEqual(deleted)
    expect(await timesOf(customer)).toEqual(['2030-01-02T03:00:00Z', '2030-02-02T03:00:00Z'])
    expect(chargesOf(id)).toHaveLength(2)
    expect((await eventTypesOf(api, id)).slice(-2)).toEqual(['subscription.captured', 'subscription.deleted'])
  })

  test('because its customer is deleted is never captured again, like all others of the customer', async () => {
    await open()
    const kept = await subscribe(await makeCustomer())
    const customer = await makeCustomer(good('4123111111111059'))
    const before = [await subscribe(customer, { period: 'yearly' }), await subscribe(customer)]
    await remove(before[0].id)
    await update(customer, { payment_details: good(PAYS_ONCE) })
    for (let n = 0; n < 7; n++) before.push(await subscribe(customer))
    await until('2030-02-02T12:00:00Z')
    before.push(await subscribe(customer))
    const unknown = { json: { ...order, customer }, headers: { 'x-service-scenario': 'timeout_after_charge' } }
    before.push((await api.request('POST /subscriptions', unknown)).body)
    const statuses = await Promise.all(before.map(async ({ id }) => (await show(id)).status))
    expect(statuses).toEqual(['deleted', 'suspended', ...Array(7).fill('retrying'), 'active', 'pending'])
    expect((await api.request(`DELETE /customers/${customer}`)).status).toBe(200)
    for (const [index, { id, customer: embedded }] of before.entries()) {
      const now = await show(id)
      expect(now).toMatchObject({
        status: 'deleted',
        customer: { ...embedded, email: null },
        payment_details: null,
        retry_at: null,
        next_capture_at: null,
        ended_at: index === 0 ? '2030-01-02T03:00:00Z' : '2030-02-02T12:00:00Z',
      })
      const events = (await eventsOf(api, id)).filter(({ type }) => type === 'subscription.deleted')
      expect(events).toHaveLength(1)
      if (index > 0) expect(events[0]?.data).toEqual(now)
    }
    const payments = await paymentsOf(customer)
    await until('2031-02-01T00:00:00Z')
    expect(await paymentsOf(customer)).toEqual(payments)
    expect((await show(kept.id)).payments).toHaveLength(13)
  })
})

describe('the settlement of a week', () => {
  test('contains each captured payment once, less refunds and fees, and is delivered to the receiver', async () => {
    await open()
    const received: string[] = []
    const receiver = createServer(async (request, response) => {
      received.push(await text(request))
      response.end()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    closing.push(async () => receiver.close())
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    await api.request('POST /webhooks', { json: { url, event_list: ['settlement.created'] } })

    const pay = async (fields: object, key = api.test.secret_key) =>
      (await api.request('POST /payments', { key, json: { currency: 'JPY', payment_details: card(), ...fields } })).body
    const refund = (id: string, amount: number) => api.request(`POST /payments/${id}/refund`, { json: { amount } })
    const { id } = await subscribe(await makeCustomer(), { amount: 1001, period: 'weekly' })
    const first = await pay({ amount: 2000 })
    await refund(first.id, 300)
    await refund(first.id, 1)
    await pay({ amount: 1050, currency: 'USD' })
    const at_the_counter = await pay({ amount: 3000, payment_details: konbini })
    expect(at_the_counter).toMatchObject({ status: 'authorized', total: 3190 })
    expect((await api.request(`POST /_local/payments/${at_the_counter.id}/pay`)).body.status).toBe('captured')
    const never_paid = await pay({ amount: 5000, payment_details: konbini })
    await pay({ amount: 700, capture: false })
    await pay({ amount: 800, payment_details: card('4123111111111059') })
    await pay({ amount: 9000 }, (await api.newMerchants()).test.secret_key)

    await until('2030-01-06T15:09:59Z')
    expect((await api.request(`GET /payments/${never_paid.id}`)).body.status).toBe('expired')
    const settlements = async () => (await api.request('GET /settlements?per_page=100')).body.data.toReversed()
    expect(await settlements()).toEqual([])
    await until('2030-01-06T15:10:00Z')
    const week = { period_start: '2029-12-30T15:00:00Z', period_end: '2030-01-06T15:00:00Z' }
    const of_first = await settlements()
    // Fees, each rounded down: 3.6 % of each card payment, 2.75 % of the amount paid at the counter, and its fee of
    // 190.
    const yen = { ...week, gross: 1001 + 2000 + 3190, fees: 36 + 72 + (82 + 190), refunds: 301, payments: 3 }
    const dollars = { ...week, gross: 1050, fees: 37, refunds: 0, net: 1013, payments: 1 }
    expect(of_first).toHaveLength(2)
    expect(of_first).toContainEqual(expect.objectContaining({ currency: 'JPY', net: 5510, ...yen }))
    expect(of_first).toContainEqual(expect.objectContaining({ currency: 'USD', ...dollars }))

    await refund(first.id, 1699)
    await remove(id)
    await until('2030-01-13T15:10:00Z')
    const all = await settlements()
    expect(all.slice(0, 2)).toEqual(of_first)
    expect(all.slice(2)).toMatchObject([
      {
        currency: 'JPY',
        period_start: week.period_end,
        period_end: '2030-01-13T15:00:00Z',
        gross: 0,
        fees: 0,
        refunds: 1699,
        net: -1699,
        payments: 0,
      },
    ])
    await api.advance(60 * 86_400)
    expect(await settlements()).toEqual(all)
    const events = received.map((body) => JSON.parse(body)).filter(({ type }) => type === 'settlement.created')
    const byId = (one: Shown, other: Shown) => (one.id < other.id ? -1 : 1)
    expect(events.map(({ data }) => data).toSorted(byId)).toEqual(all.toSorted(byId))
  })

  test('sums up over the weeks to all captures and refunds, including those at the last moment of a week', async () => {
    await open()
    const pay = async (amount: number) =>
      (await api.request('POST /payments', { json: { amount, currency: 'JPY', payment_details: card() } })).body
    const customer = await makeCustomer()
    const { id } = await subscribe(customer, { amount: 777 })
    // In the second week, money moves only in the first second, when the first week is not settled yet.
    const around_midnight = ['2030-01-06T14:59:58Z', '2030-01-06T14:59:59Z', '2030-01-06T15:00:00Z']
    for (const [index, moment] of [...around_midnight, '2030-01-20T14:59:59Z', '2030-01-25T00:00:00Z'].entries()) {
      await until(moment)
      const { id: payment } = await pay(1000 + index)
      await api.request(`POST /payments/${payment}/refund`, { json: { amount: 10 + index } })
    }
    await remove(id)
    await until('2030-02-10T00:00:00Z')
    const { data: payments } = (await api.request('GET /payments?per_page=100')).body
    const { data: settled } = (await api.request('GET /settlements?per_page=100')).body
    const sum = (name: string, all: readonly Record<string, number>[]) =>
      all.reduce((total, each) => total + each[name]!, 0)
    expect(payments).toHaveLength(1 + 5)
    expect(sum('gross', settled)).toBe(sum('total', payments))
    expect(sum('refunds', settled)).toBe(sum('amount_refunded', payments))
    expect(sum('payments', settled)).toBe(payments.length)
    expect(sum('net', settled)).toBe(sum('gross', settled) - sum('fees', settled) - sum('refunds', settled))
    expect(settled.map((each: { payments: number }) => each.payments).toReversed()).toEqual([3, 1, 1, 1])
  })
})
