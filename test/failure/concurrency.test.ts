import { afterEach, describe, expect, test } from 'vitest'
import { type Api, card, konbini, openApi, type Reply } from '#test/support/api.ts'
import { inconsistencies } from '#test/support/consistency.ts'
import { CrashPoints, type Plan } from '#test/support/crash-points.ts'
import { randomOf, seeded } from '#test/support/faulty-table.ts'
import { untold } from '#test/support/untold.ts'

/** A hundred requests at once that want the same thing: on a good day, and with the platform failing by chance. */

const REQUESTS = 100
const order = { amount: 10_000, currency: 'JPY' }

const weathers: Readonly<Record<string, Plan | undefined>> = {
  'on a good day': undefined,
  'with conflicts (seed 1)': seeded(1, { conflict: 0.1 }),
  'with failures (seed 2)': seeded(2, { fail_before: 0.04, fail_after: 0.04 }),
  'with all of it (seed 3)': seeded(3, { conflict: 0.05, fail_before: 0.02, fail_after: 0.02 }),
}

let api: Api
let points: CrashPoints
afterEach(() => api.close())

async function open() {
  points = new CrashPoints()
  api = await openApi({ around: points.around })
}

/** Sends them all at once, in this weather. */
async function atOnce(plan: Plan | undefined, send: (index: number) => Promise<Reply>): Promise<Reply[]> {
  points.arm(plan)
  const replies = await Promise.all(Array.from({ length: REQUESTS }, (_, index) => send(index)))
  points.disarm()
  return replies
}

const post = (path: string, json: unknown = {}, headers: Record<string, string> = {}) =>
  api.request(`POST ${path}`, { json, headers })

const paid = async (more = {}): Promise<string> =>
  (await post('/payments', { ...order, payment_details: card(), ...more })).body.id

const show = async (id: string) => (await api.request(`GET /payments/${id}`)).body

const countOf = (replies: readonly Reply[], ...statuses: number[]) =>
  replies.filter(({ status }) => statuses.includes(status)).length

/** The operations of a kind that the acquirer did. */
const ledger = (operation: string) =>
  [...api.platform.table.items()].filter(
    (item) =>
      item.pk.startsWith('sandbox#') &&
      item.operation === operation &&
      (item.outcome as { result: string }).result !== 'declined',
  )

/** An hour later all is known, and everything fits together. */
async function settles() {
  expect(inconsistencies(api.platform.table.items())).toEqual([])
  await api.advance(3_600)
  expect(inconsistencies(api.platform.table.items(), { settled: true })).toEqual([])
  expect(untold(points.journal)).toEqual([])
}

describe.each(Object.entries(weathers))('a hundred at once, %s', (_, plan) => {
  test('refunds of one payment never give back more than it took, and a refund that was refused was not made', async () => {
    await open()
    const id = await paid()
    const random = randomOf(7)
    const amounts = Array.from({ length: REQUESTS }, () => 1 + Math.floor(random() * 1_000))
    const replies = await atOnce(plan, (index) =>
      post(`/payments/${id}/refund`, { amount: amounts[index], description: `refund ${index}` }),
    )
    await settles()
    const { refunds, amount_refunded, total } = await show(id)
    const made = new Set(refunds.map(({ description }: { description: string }) => description))
    for (const [index, { status, body }] of replies.entries()) {
      const which = `refund ${index} was answered with ${status} ${body.error?.code}`
      if (status === 200) expect(made, which).toContain(`refund ${index}`)
      if (status >= 400 && status < 500) expect(made, which).not.toContain(`refund ${index}`)
    }
    expect(amount_refunded).toBeLessThanOrEqual(total)
    expect(ledger('refund').reduce((sum, { amount }) => sum + (amount as number), 0)).toBe(amount_refunded)
    expect(countOf(replies, 200)).toBeGreaterThan(0)
  })

  test('uses of one token give one payment', async () => {
    await open()
    const token = (await post('/tokens', { payment_details: card() })).body.id
    const replies = await atOnce(plan, () => post('/payments', { ...order, payment_details: token }))
    expect(countOf(replies, 200)).toBeLessThanOrEqual(1)
    expect(countOf(replies, 200, 409, 422, 503, 504)).toBe(REQUESTS)
    await settles()
    expect((await api.request('GET /payments')).body.total).toBeLessThanOrEqual(1)
    expect(ledger('charge').length).toBeLessThanOrEqual(1)
    if (!plan) expect(countOf(replies, 200)).toBe(1)
  })

  test('requests with one idempotency key give one payment, and one answer', async () => {
    await open()
    const send = () => post('/payments', { ...order, payment_details: card() }, { 'idempotency-key': 'one key' })
    const replies = await atOnce(plan, send)
    expect(countOf(replies, 200, 409, 503, 504)).toBe(REQUESTS)
    await api.advance(45)
    const last = await send()
    expect(last.status).toBe(200)
    for (const { status, text } of replies) if (status === 200) expect(text).toBe(last.text)
    expect((await api.request('GET /payments')).body.total).toBe(1)
    expect(ledger('charge')).toHaveLength(1)
    await settles()
  })

  test('requests with one idempotency key that ask no acquirer give one customer, and one answer', async () => {
    await open()
    const send = () => post('/customers', { payment_details: card() }, { 'idempotency-key': 'one key' })
    const replies = await atOnce(plan, send)
    expect(countOf(replies, 200, 503)).toBe(REQUESTS)
    const last = await send()
    for (const { status, text } of replies) if (status === 200) expect(text).toBe(last.text)
    expect((await api.request('GET /customers')).body.total).toBe(1)
    await settles()
  })

  test('captures and cancels of one held card have one outcome', async () => {
    await open()
    const id = await paid({ capture: false })
    const replies = await atOnce(plan, (index) => post(`/payments/${id}/${index % 2 ? 'capture' : 'cancel'}`))
    expect(countOf(replies, 200)).toBeLessThanOrEqual(1)
    expect(countOf(replies, 200, 409, 422, 503, 504)).toBe(REQUESTS)
    await settles()
    const { status } = await show(id)
    const [captured, cancelled] = [ledger('capture').length, ledger('void').length]
    expect([captured, cancelled]).toEqual([Number(status === 'captured'), Number(status === 'cancelled')])
    const winner = replies.findIndex((reply) => reply.status === 200)
    if (winner >= 0) expect(status).toBe(winner % 2 ? 'captured' : 'cancelled')
    if (!plan) expect(countOf(replies, 200)).toBe(1)
  })

  test('refund requests never ask back more than was paid', async () => {
    await open()
    const id = await paid({ payment_details: konbini })
    await api.request(`POST /_local/payments/${id}/pay`)
    const account = {
      customer_name: 'T',
      bank_name: 'B',
      branch_number: '1',
      account_type: 'normal',
      account_number: '1234567',
    }
    const replies = await atOnce(plan, () => post(`/payments/${id}/refund_request`, { amount: 1_000, ...account }))
    const { refund_requests } = await show(id)
    expect(refund_requests.length).toBeLessThanOrEqual(10)
    expect(refund_requests.length).toBeGreaterThanOrEqual(countOf(replies, 200))
    if (!plan) expect(refund_requests).toHaveLength(countOf(replies, 200))
    await settles()
  })

  test('a customer that is deleted while it is charged was charged before, or not at all', async () => {
    await open()
    const customer = (await post('/customers', { payment_details: card() })).body.id
    const replies = await atOnce(plan, (index) =>
      index === REQUESTS / 2
        ? api.request(`DELETE /customers/${customer}`)
        : post('/payments', { ...order, customer, description: `payment ${index}` }),
    )
    await settles()
    const { data } = (await api.request(`GET /payments?per_page=100&customer=${customer}`)).body
    const captured = data.filter(({ status }: { status: string }) => status === 'captured')
    expect(captured.length).toBeGreaterThanOrEqual(countOf(replies, 200) - 1)
    expect(ledger('charge')).toHaveLength(captured.length)
    if (replies[REQUESTS / 2]!.status === 200)
      expect((await post('/payments', { ...order, customer })).body.error.param).toBe('customer')
  })
})
