import { afterEach, describe, expect, test } from 'vitest'
import { decideAt } from '#test/browser/customer-decision.ts'
import { inconsistencies } from '#test/faults/consistency.ts'
import { CrashPoints, type Plan } from '#test/faults/crash-points.ts'
import { seeded } from '#test/faults/faulty-table.ts'
import { journalViolations } from '#test/faults/journal-violations.ts'
import { randomOf } from '#test/faults/random.ts'
import { type Api, card, konbini, openApi, type Reply } from '#test/fixtures/api.ts'

/** A hundred concurrent requests that compete, without faults and with random faults of the platform. */

const REQUESTS = 100
const order = { amount: 10_000, currency: 'JPY' }

const fault_plans: Readonly<Record<string, Plan | undefined>> = {
  'without faults': undefined,
  'with conflicts (seed 1)': seeded(1, { conflict: 0.1 }),
  'with failures (seed 2)': seeded(2, { fail_before: 0.04, fail_after: 0.04 }),
  'with conflicts and failures (seed 3)': seeded(3, { conflict: 0.05, fail_before: 0.02, fail_after: 0.02 }),
}

let api: Api
let points: CrashPoints
afterEach(() => api.close())

async function open() {
  points = new CrashPoints()
  api = await openApi({ around: points.around })
}

/** Sends concurrent requests under a plan of faults. */
async function concurrently(
  plan: Plan | undefined,
  send: (index: number) => Promise<Reply>,
  requests = REQUESTS,
): Promise<Reply[]> {
  points.arm(plan)
  const replies = await Promise.all(Array.from({ length: requests }, (_, index) => send(index)))
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

/** The operations of a kind that the acquirer executed. */
const ledger = (operation: string) =>
  [...api.platform.table.items()].filter(
    (item) =>
      item.pk.startsWith('sandbox#') &&
      item.operation === operation &&
      (item.outcome as { result: string }).result !== 'declined',
  )

const sessionOf = async (more = {}): Promise<string> => (await post('/sessions', { ...order, ...more })).body.id

const showSession = async (id: string) => (await api.request(`GET /sessions/${id}`)).body

const payWith = (id: string, payment_details: unknown) => post(`/sessions/${id}/pay`, { payment_details })

/**
 * Sends a customer's decision to one of our pages. The page does not respond like the API, so only its status is
 * returned.
 */
const decides = async (url: string, decision: string): Promise<Reply> => {
  const { status } = await decideAt(url, decision)
  return { status, headers: new Headers(), text: '', body: {} }
}

/**
 * Expects that a session was paid at most once. At most one of its payments is captured or authorized. Net of voids,
 * the acquirer charged only that payment. The session is completed if and only if there is such a payment.
 */
async function expectPaidAtMostOnce(id: string): Promise<{ status: string; payments: number }> {
  const { status, payment } = await showSession(id)
  const { data } = (await api.request('GET /payments?per_page=100')).body
  const all = (data as { id: string; status: string; session: string }[]).filter(({ session }) => session === id)
  const won = all.filter((each) => ['captured', 'authorized'].includes(each.status)).map((each) => each.id)
  expect(won.length).toBeLessThanOrEqual(1)
  expect(status === 'completed').toBe(won.length === 1)
  if (won.length === 1) expect(payment.id).toBe(won[0])
  const took = ledger('charge').map(({ pk }) => paymentIn(pk))
  const gave = new Set(ledger('void').map(({ pk }) => paymentIn(pk)))
  const kept = took.filter((taken) => !gave.has(taken))
  const ended = new Set(all.filter((each) => ['failed', 'expired'].includes(each.status)).map((each) => each.id))
  expect(kept.filter((taken) => !ended.has(taken))).toEqual(won)
  return { status, payments: all.length }
}

const paymentIn = (pk: string): string => /pay_[0-9a-z]+/.exec(pk)![0]

/** Expects that an hour later every outcome is known and all records are consistent. */
async function expectConsistent() {
  expect(inconsistencies(api.platform.table.items())).toEqual([])
  await api.advance(3_600)
  expect(inconsistencies(api.platform.table.items(), { settled: true })).toEqual([])
  expect(journalViolations(points.journal)).toEqual([])
}

describe.each(Object.entries(fault_plans))('a hundred concurrent requests, %s', (_, plan) => {
  test('that refund one payment never exceed its total, and refused refunds are not made', async () => {
    await open()
    const id = await paid()
    const random = randomOf(7)
    const amounts = Array.from({ length: REQUESTS }, () => 1 + Math.floor(random() * 1_000))
    const replies = await concurrently(plan, (index) =>
      post(`/payments/${id}/refund`, { amount: amounts[index], description: `refund ${index}` }),
    )
    await expectConsistent()
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

  test('that use one token create one payment', async () => {
    await open()
    const token = (await post('/tokens', { payment_details: card() })).body.id
    const replies = await concurrently(plan, () => post('/payments', { ...order, payment_details: token }))
    expect(countOf(replies, 200)).toBeLessThanOrEqual(1)
    expect(countOf(replies, 200, 409, 422, 503, 504)).toBe(REQUESTS)
    await expectConsistent()
    expect((await api.request('GET /payments')).body.total).toBeLessThanOrEqual(1)
    expect(ledger('charge').length).toBeLessThanOrEqual(1)
    if (!plan) expect(countOf(replies, 200)).toBe(1)
  })

  test('with one idempotency key create one payment and get one response', async () => {
    await open()
    const send = () => post('/payments', { ...order, payment_details: card() }, { 'idempotency-key': 'one key' })
    const replies = await concurrently(plan, send)
    expect(countOf(replies, 200, 409, 503, 504)).toBe(REQUESTS)
    await api.advance(45)
    const last = await send()
    expect(last.status).toBe(200)
    for (const { status, text } of replies) if (status === 200) expect(text).toBe(last.text)
    expect((await api.request('GET /payments')).body.total).toBe(1)
    expect(ledger('charge')).toHaveLength(1)
    await expectConsistent()
  })

  test('with one idempotency key and without an acquirer create one customer and get one response', async () => {
    await open()
    const send = () => post('/customers', { payment_details: card() }, { 'idempotency-key': 'one key' })
    const replies = await concurrently(plan, send)
    expect(countOf(replies, 200, 503)).toBe(REQUESTS)
    const last = await send()
    for (const { status, text } of replies) if (status === 200) expect(text).toBe(last.text)
    expect((await api.request('GET /customers')).body.total).toBe(1)
    await expectConsistent()
  })

  test('that capture or cancel one authorization have one outcome', async () => {
    await open()
    const id = await paid({ capture: false })
    const replies = await concurrently(plan, (index) => post(`/payments/${id}/${index % 2 ? 'capture' : 'cancel'}`))
    expect(countOf(replies, 200)).toBeLessThanOrEqual(1)
    expect(countOf(replies, 200, 409, 422, 503, 504)).toBe(REQUESTS)
    await expectConsistent()
    const { status } = await show(id)
    const [captured, cancelled] = [ledger('capture').length, ledger('void').length]
    expect([captured, cancelled]).toEqual([Number(status === 'captured'), Number(status === 'cancelled')])
    const winner = replies.findIndex((reply) => reply.status === 200)
    if (winner >= 0) expect(status).toBe(winner % 2 ? 'captured' : 'cancelled')
    if (!plan) expect(countOf(replies, 200)).toBe(1)
  })

  test('that request refunds never exceed what was paid', async () => {
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
    const replies = await concurrently(plan, () =>
      post(`/payments/${id}/refund_request`, { amount: 1_000, ...account }),
    )
    const { refund_requests } = await show(id)
    expect(refund_requests.length).toBeLessThanOrEqual(10)
    expect(refund_requests.length).toBeGreaterThanOrEqual(countOf(replies, 200))
    if (!plan) expect(refund_requests).toHaveLength(countOf(replies, 200))
    await expectConsistent()
  })

  test('that charge a customer during its deletion charge before the deletion or not at all', async () => {
    await open()
    const customer = (await post('/customers', { payment_details: card() })).body.id
    const replies = await concurrently(plan, (index) =>
      index === REQUESTS / 2
        ? api.request(`DELETE /customers/${customer}`)
        : post('/payments', { ...order, customer, description: `payment ${index}` }),
    )
    await expectConsistent()
    const { data } = (await api.request(`GET /payments?per_page=100&customer=${customer}`)).body
    const captured = data.filter(({ status }: { status: string }) => status === 'captured')
    expect(captured.length).toBeGreaterThanOrEqual(countOf(replies, 200) - 1)
    expect(ledger('charge')).toHaveLength(captured.length)
    if (replies[REQUESTS / 2]!.status === 200)
      expect((await post('/payments', { ...order, customer })).body.error.param).toBe('customer')
  })

  test('that pay one session by card create one payment', async () => {
    await open()
    const id = await sessionOf()
    const replies = await concurrently(plan, () => payWith(id, card()))
    expect(countOf(replies, 200, 409, 503, 504)).toBe(REQUESTS)
    await expectConsistent()
    const { status, payments } = await expectPaidAtMostOnce(id)
    const completed = replies.filter((reply) => reply.status === 200 && reply.body.status === 'completed')
    const { payment } = await showSession(id)
    for (const { body } of completed) expect(body.payment.id).toBe(payment.id)
    if (plan) return
    expect([status, payments]).toEqual(['completed', 1])
    expect(countOf(replies, 200)).toBe(REQUESTS)
  })

  test('that pay one session by card, cash and wallet create one payment that counts', async () => {
    await open()
    const id = await sessionOf()
    const ways = [card(), konbini, { type: 'paypay' }, card('4123111111111000')]
    const replies = await concurrently(plan, (index) => payWith(id, ways[index % ways.length]))
    expect(countOf(replies, 200, 409, 503, 504)).toBe(REQUESTS)
    await expectConsistent()
    const { status } = await expectPaidAtMostOnce(id)
    if (replies.some(({ body }) => body.status === 'completed')) expect(status).toBe('completed')
  })

  test('that pay or cancel one session have one outcome', async () => {
    await open()
    const id = await sessionOf()
    const replies = await concurrently(plan, (index) =>
      index % 2 ? payWith(id, card()) : post(`/sessions/${id}/cancel`),
    )
    expect(countOf(replies, 200, 409, 422, 503, 504)).toBe(REQUESTS)
    await expectConsistent()
    const { status } = await expectPaidAtMostOnce(id)
    const statuses = new Set(replies.filter((reply) => reply.status === 200).map(({ body }) => body.status))
    if (statuses.has('cancelled')) expect([status, statuses.has('completed')]).toEqual(['cancelled', false])
    if (statuses.has('completed')) expect([status, statuses.has('cancelled')]).toEqual(['completed', false])
    if (!plan) expect(status).not.toBe('pending')
  })

  test('that pay a session while the merchant cancels its wallet payment charge once or not at all', async () => {
    await open()
    const id = await sessionOf()
    const waiting = (await payWith(id, { type: 'paypay' })).body.payment.id
    const replies = await concurrently(plan, (index) =>
      index % 2 ? payWith(id, card()) : post(`/payments/${waiting}/cancel`),
    )
    expect(countOf(replies, 200, 409, 422, 503, 504)).toBe(REQUESTS)
    await expectConsistent()
    expect((await show(waiting)).status).toBe('cancelled')
    const { status } = await expectPaidAtMostOnce(id)
    if (!plan) expect(status).toBe('completed')
  })

  test.each([
    ['the approval', 0],
    ['another try', 1],
    ['the refusal', 2],
    ['a cancellation of the session', 3],
  ])('that decide on a pending wallet payment have one outcome when %s comes first', async (_, first) => {
    await open()
    const id = await sessionOf()
    const { payment, redirect_url } = (await payWith(id, { type: 'paypay' })).body
    const acts = [
      () => decides(redirect_url, 'approve'),
      () => payWith(id, card()),
      () => decides(redirect_url, 'decline'),
      () => post(`/sessions/${id}/cancel`),
    ]
    await concurrently(plan, (index) => acts[(index + first) % acts.length]!(), 20)
    await expectConsistent()
    const { status } = await expectPaidAtMostOnce(id)
    const { status: wallet } = await show(payment.id)
    if (wallet === 'pending') expect([status, plan === undefined]).toEqual(['pending', false])
    if (wallet === 'captured') expect([status, (await showSession(id)).payment.id]).toEqual(['completed', payment.id])
    if (wallet === 'cancelled') expect(ledger('void').some(({ pk }) => paymentIn(pk) === payment.id)).toBe(true)
  })

  test('in the last second of a session and its payment have one outcome', async () => {
    await open()
    const id = await sessionOf({ expires_in_seconds: 60 })
    const { payment, redirect_url } = (await payWith(id, { type: 'paypay' })).body
    await api.advance((Date.parse(payment.payment_deadline) - api.platform.clock.now()) / 1000 - 1)
    const acts = [
      () => decides(redirect_url, 'approve'),
      () => post(`/sessions/${id}/cancel`),
      () => payWith(id, card()),
    ]
    const replies = concurrently(plan, (index) => acts[index % acts.length]!())
    // The call of the clock can fail as well. The clock continues afterwards.
    await Promise.all([replies, api.advance(1).catch(() => undefined)])
    await expectConsistent()
    const { status } = await expectPaidAtMostOnce(id)
    const { status: wallet } = await show(payment.id)
    expect(['captured', 'expired', 'cancelled']).toContain(wallet)
    expect(status === 'completed').toBe(wallet === 'captured')
  })

  test('that store a card in one session create one customer', async () => {
    await open()
    const id = await sessionOf({ mode: 'customer' })
    const replies = await concurrently(plan, () => payWith(id, card()))
    expect(countOf(replies, 200, 503)).toBe(REQUESTS)
    await expectConsistent()
    const { status, customer_id } = await showSession(id)
    const { total } = (await api.request('GET /customers')).body
    expect([total, customer_id !== null]).toEqual([Number(status === 'completed'), status === 'completed'])
    if (!plan) expect(total).toBe(1)
  })

  test('that create webhooks never exceed the limit, and create all that fit', async () => {
    await open()
    const json = { url: 'https://shop.example.com/hook', event_list: ['payout.created'] }
    const replies = await concurrently(plan, () => post('/webhooks', json), 140)
    expect(countOf(replies, 200, 422, 503)).toBe(140)
    const { total } = (await api.request('GET /webhooks')).body
    expect(total).toBeLessThanOrEqual(100)
    expect(total).toBeGreaterThanOrEqual(countOf(replies, 200))
    if (countOf(replies, 503) === 0) expect([total, countOf(replies, 200)]).toEqual([100, 100])
    if (total === 100) expect((await post('/webhooks', json)).status).toBe(422)
    await expectConsistent()
  })

  test('that create and delete webhooks never exceed the limit', async () => {
    await open()
    const json = { url: 'https://shop.example.com/hook', event_list: ['payout.created'] }
    const before = await Promise.all(Array.from({ length: 60 }, () => post('/webhooks', json)))
    const replies = await concurrently(
      plan,
      (index) =>
        index % 3 === 0 && before[index / 3]
          ? api.request(`DELETE /webhooks/${before[index / 3]!.body.id}`)
          : post('/webhooks', json),
      180,
    )
    expect(countOf(replies, 200, 404, 422, 503)).toBe(180)
    const webhooks = new Set<string>()
    for (const write of points.journal.flat()) {
      if ('put' in write && write.put.sk === 'webhook') webhooks.add(write.put.pk)
      if ('delete' in write && write.delete.sk === 'webhook') webhooks.delete(write.delete.pk)
      expect(webhooks.size).toBeLessThanOrEqual(100)
    }
    await expectConsistent()
  })

  test('that use one secure token in payments and sessions create one payment', async () => {
    await open()
    const json = { ...order, return_url: 'https://shop.example.com', payment_details: card('4100000000000100') }
    const { id: token, authentication_url } = (await post('/secure_tokens', json)).body
    await decideAt(authentication_url, 'authenticate')
    const sessions = await Promise.all(Array.from({ length: 4 }, () => sessionOf()))
    const replies = await concurrently(plan, (index) =>
      index % 2 ? post('/payments', { ...order, payment_details: token }) : payWith(sessions[(index / 2) % 4]!, token),
    )
    expect(countOf(replies, 200, 409, 422, 503, 504)).toBe(REQUESTS)
    await expectConsistent()
    expect((await api.request('GET /payments')).body.total).toBeLessThanOrEqual(1)
    expect(ledger('charge').length).toBeLessThanOrEqual(1)
    if (!plan) expect((await api.request('GET /payments')).body.total).toBe(1)
  })
})
