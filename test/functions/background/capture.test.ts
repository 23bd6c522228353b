import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { handler } from '#functions/background/capture.ts'
import type { Message } from '#shared/platform/ports.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { eventTypesOf, itemsOf } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { callWorker } from './call-worker.ts'

const crash = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: crash.around })
})
afterEach(() => crash.disarm())
afterAll(() => api.close())

const failures = (...messages: Message[]) => callWorker(handler, api, messages)

/** Creates a subscription. With a scenario, the outcome of its first capture is unknown. */
async function subscribe(scenario?: string, period = 'monthly', number?: string): Promise<string> {
  const { body: customer } = await api.request('POST /customers', { json: { payment_details: card(number) } })
  const json = { customer: customer.id, amount: 1000, currency: 'JPY', period }
  const headers: Record<string, string> = scenario ? { 'x-service-scenario': scenario } : {}
  const { status, body } = await api.request('POST /subscriptions', { json, headers })
  expect(status).toBe(200)
  return body.id
}
const show = async (id: string) => (await api.request(`GET /subscriptions/${id}`)).body
const end = (id: string) => api.request(`DELETE /subscriptions/${id}`)

/** The message that a sweep would send for the next capture of a subscription. */
function messageOf(subscription: string): Message {
  const { pk, sk, due_at } = itemsOf(api, 'subscription').find((item) => item.pk.endsWith(subscription))!
  return { kind: 'subscription', pk, sk, due_at: due_at! }
}
/** The message that a sweep would send to inquire about the capture in flight of a subscription. */
function inquiryOf(subscription: string): Message {
  const payment = itemsOf(api, 'subscription').find((item) => item.pk.endsWith(subscription))!.in_flight as string
  const attempt = itemsOf(api, 'payment').find(({ pk, sk }) => pk.endsWith(payment) && sk.startsWith('attempt#'))!
  return { kind: 'occurrence', pk: attempt.pk, sk: attempt.sk, due_at: attempt.due_at! }
}
const turnTo = (at: string) => api.platform.clock.turnTo(Date.parse(at))

describe('the capture worker', () => {
  test('captures a subscription that is due and inquires about an unknown outcome, in one batch', async () => {
    const due = await subscribe(undefined, 'weekly')
    const message = messageOf(due)
    turnTo(message.due_at)
    const unknown = await subscribe('timeout_after_charge')
    expect((await show(unknown)).status).toBe('pending')
    expect(await failures(message, inquiryOf(unknown))).toEqual([])
    expect([(await show(due)).payments.length, (await show(unknown)).status]).toEqual([2, 'active'])
    await end(due)
    await end(unknown)
  })

  test('captures and inquires once, however often the same message arrives', async () => {
    const [due, unknown] = [await subscribe(undefined, 'weekly'), await subscribe('timeout_before_charge')]
    const messages = [messageOf(due), messageOf(due), inquiryOf(unknown), inquiryOf(unknown)]
    turnTo(messages[0]!.due_at)
    expect(await failures(...messages)).toEqual([])
    expect(await failures(...messages)).toEqual([])
    const captured = ['subscription.created', 'subscription.captured']
    expect(await eventTypesOf(api, due)).toEqual([...captured, 'subscription.captured'])
    expect(await eventTypesOf(api, unknown)).toEqual(captured)
    await end(due)
    await end(unknown)
  })

  test('drops a message with an outdated due time and a message about an unknown record', async () => {
    const [due, unknown] = [await subscribe(), await subscribe('timeout_after_charge')]
    const messages = [messageOf(due), inquiryOf(unknown)]
    const nothing = messages.map((message) => ({ ...message, pk: message.pk.replace(/_[^_]*$/, '_none') }))
    const stale = messages.map((message) => ({ ...message, due_at: '2030-01-01T00:00:00Z' }))
    turnTo(messages[0]!.due_at)
    expect(await failures(...nothing, ...stale)).toEqual([])
    expect([(await show(due)).payments.length, (await show(unknown)).status]).toEqual([1, 'pending'])
    await end(due)
    await end(unknown)
  })

  test('reports only the failed messages, and logs the class of the error', async () => {
    const [bad, good] = [await subscribe(), await subscribe()]
    const broken = { ...messageOf(bad), pk: `subscription#mer_unknown#${bad}` }
    turnTo(messageOf(good).due_at)
    const before = api.logs.length
    expect(await failures(broken, messageOf(good))).toEqual(['m0'])
    const line = { level: 'error', event: 'work_failed', merchant: 'mer_unknown', record: bad, error: 'TypeError' }
    expect(api.logs.slice(before).filter(({ level }) => level === 'error')).toEqual([line])
    expect([(await show(bad)).payments.length, (await show(good)).payments.length]).toEqual([1, 2])
    await end(bad)
    await end(good)
  })

  test('retries after a conflict, and reports a failure when the platform fails', async () => {
    const id = await subscribe()
    const message = messageOf(id)
    turnTo(message.due_at)
    crash.arm((_, operation) => (operation === 'write' ? 'fail_before' : 'ok'))
    expect(await failures(message)).toEqual(['m0'])
    let writes = 0
    crash.arm((_, operation) => (operation === 'write' && ++writes < 3 ? 'conflict' : 'ok'))
    expect(await failures(message)).toEqual([])
    crash.disarm()
    expect((await show(id)).payments).toHaveLength(2)
    await end(id)
  })
})

describe('the clock', () => {
  test('starts every capture, retry and inquiry when it falls due', async () => {
    const made = { good: await subscribe(), bad: await subscribe(undefined, 'weekly', '4123111111112008') }
    const unknown = await subscribe('timeout_after_charge')
    const { created_at } = await show(made.good)
    const after = (days: number) =>
      new Date(Date.parse(created_at) + days * 86_400_000).toISOString().replace('.000', '')
    await api.advance(60)
    expect((await show(unknown)).status).toBe('active')
    await api.advance(11 * 86_400 - 60)
    expect(await show(made.bad)).toMatchObject({ status: 'suspended', retry_count: 4, ended_at: after(10) })
    await api.advance(365 * 86_400)
    expect((await show(made.good)).payments).toHaveLength(13)
    const times = itemsOf(api, 'payment')
      .filter(({ occurrence }) => (occurrence as { subscription?: string } | undefined)?.subscription === made.good)
      .map(({ captured_at }) => (captured_at as string).slice(10))
    expect(new Set(times)).toEqual(new Set([created_at.slice(10)]))
    await end(made.good)
    await end(unknown)
  })
})
