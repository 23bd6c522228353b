import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { handler } from '#functions/background/chores.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item, Message } from '#shared/platform/ports.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { eventTypesOf, itemsOf } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { documentOf, partsWith } from '#test/fixtures/documents.ts'
import { callWorker } from './call-worker.ts'

const crash = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: crash.around })
})
afterEach(() => crash.disarm())
afterAll(() => api.close())

const failures = (...messages: Message[]) => callWorker(handler, api, messages)

/** The message that a sweep would send for the deadline of a payment or for its open attempt. */
function messageOf(payment: string, kind: 'payment' | 'attempt'): Message {
  const items = itemsOf(api, 'payment').filter(({ pk, due_at }) => pk.endsWith(payment) && due_at)
  const { pk, sk, due_at } = items.find(({ sk }) => sk.startsWith(kind))!
  return { kind, pk, sk, due_at: due_at! }
}

const unknown = async (key = api.test.secret_key) => {
  const json = { amount: 100, currency: 'JPY', payment_details: card() }
  const headers = { 'x-service-scenario': 'timeout_after_charge' }
  const { body } = await api.request('POST /payments', { key, json, headers })
  return (body.id ?? body.error.details.payment) as string
}
const waiting = async () => {
  const json = { amount: 100, currency: 'JPY', payment_details: { ...konbini, expiry_days: 0 } }
  return (await api.request('POST /payments', { json })).body.id as string
}
const newHook = async () => {
  const { id } = (
    await api.request('POST /webhooks', { json: { url: 'https://shop.example/', event_list: ['settlement.created'] } })
  ).body
  const ping = itemsOf(api, 'event').find(({ sk, about }) => sk === 'event' && (about as { id: string }).id === id)!
  return { id: id as string, ping: ping.id as string }
}
const statusOf = async (id: string) => (await api.request(`GET /payments/${id}`)).body.status

describe('the chores worker', () => {
  test('resolves an operation with an unknown outcome, and expires an overdue payment', async () => {
    const [charge, cash] = [await unknown(), await waiting()]
    const messages = [messageOf(charge, 'attempt'), messageOf(cash, 'payment')]
    api.platform.clock.turnTo(Date.parse('2030-01-02T14:59:59Z'))
    expect(await failures(...messages)).toEqual([])
    expect([await statusOf(charge), await statusOf(cash)]).toEqual(['captured', 'expired'])
  })

  test('resolves an operation once, however often the same message arrives', async () => {
    const id = await unknown()
    const message = messageOf(id, 'attempt')
    await failures(message, message)
    await failures(message)
    expect(await eventTypesOf(api, id)).toEqual(['payment.captured'])
  })

  test('drops a message with an outdated due time and a message about an unknown record', async () => {
    const [charge, cash] = [await unknown(), await waiting()]
    const [attempt, payment] = [messageOf(charge, 'attempt'), messageOf(cash, 'payment')]
    api.platform.clock.turnTo(api.platform.clock.now() + 2 * 86_400_000)
    const stale = { due_at: '2030-01-01T00:00:00Z' }
    const gone = { pk: payment.pk.replace(cash, 'pay_gone') }
    const messages = [
      { ...attempt, ...stale },
      { ...payment, ...stale },
      { ...attempt, ...gone },
      { ...payment, ...gone },
    ]
    expect(await failures(...messages)).toEqual([])
    expect([await statusOf(charge), await statusOf(cash)]).toEqual(['pending', 'authorized'])
    await failures(attempt, payment)
    expect([await statusOf(charge), await statusOf(cash)]).toEqual(['captured', 'expired'])
  })

  test('does not expire a payment before its deadline', async () => {
    api.platform.clock.turnTo(api.platform.clock.now() + 3_600_000)
    const id = await waiting()
    await failures(messageOf(id, 'payment'))
    expect(await statusOf(id)).toBe('authorized')
  })

  test('reports only the failed messages, and logs the class of the error', async () => {
    const [bad, good] = [await unknown(), await unknown()]
    const messages = [messageOf(bad, 'attempt'), messageOf(good, 'attempt')]
    const broken = { ...messages[0]!, pk: `payment#mer_unknown#${bad}` }
    const before = api.logs.length
    expect(await failures(broken, messages[1]!)).toEqual(['m0'])
    const line = { level: 'error', event: 'work_failed', merchant: 'mer_unknown', record: bad, error: 'TypeError' }
    expect(api.logs.slice(before).filter(({ level }) => level === 'error')).toEqual([line])
    expect([await statusOf(bad), await statusOf(good)]).toEqual(['pending', 'captured'])
  })

  test('retries after a conflict, and reports a failure when the platform fails', async () => {
    const id = await unknown()
    const message = messageOf(id, 'attempt')
    crash.arm((_, operation) => (operation === 'write' ? 'fail_before' : 'ok'))
    expect(await failures(message)).toEqual(['m0'])
    let writes = 0
    crash.arm((_, operation) => (operation === 'write' && ++writes < 3 ? 'conflict' : 'ok'))
    expect(await failures(message)).toEqual([])
    crash.disarm()
    expect(await eventTypesOf(api, id)).toEqual(['payment.captured'])
  })

  test('creates the deliveries of an event from its outbox row, and removes the row', async () => {
    const hook = await newHook()
    const row = itemsOf(api, 'event').find(({ sk, pk }) => sk === 'outbox' && pk.includes(hook.ping))!
    const message = { kind: 'outbox', pk: row.pk, sk: row.sk, due_at: row.due_at! }
    expect(await failures(message, message)).toEqual([])
    const { data } = (await api.request(`GET /deliveries?event=${hook.ping}`)).body
    expect(data).toMatchObject([{ webhook: hook.id, status: 'pending', attempts: [] }])
    expect(itemsOf(api, 'event').some(({ pk, sk }) => pk === row.pk && sk === 'outbox')).toBe(false)
  })

  test('continues the recovery of a webhook', async () => {
    const since = api.platform.clock.now()
    const at = (seconds: number) => timestamp(since + seconds * 1000)
    const hook = await newHook()
    await api.advance(10)
    const deliveries = async () => (await api.request(`GET /deliveries?webhook=${hook.id}`)).body.data
    expect(await deliveries()).toMatchObject([{ attempts: [{}, {}], next_attempt_at: at(49) }])
    await api.request(`POST /webhooks/${hook.id}/recover`, { json: { since: '2030-01-01T00:00:00Z' } })
    const [{ pk, sk, due_at }] = itemsOf(api, 'webhook').filter((item) => item.id === hook.id) as [Item]
    expect(await failures({ kind: 'webhook', pk, sk, due_at: due_at! })).toEqual([])
    expect(await deliveries()).toMatchObject([{ attempts: [{}, {}], next_attempt_at: at(10) }])
  })

  describe('with a secure token whose hour has ended', () => {
    const make = async () => {
      const json = { amount: 100, currency: 'JPY', return_url: 'https://shop.example/', payment_details: card() }
      const { id } = (await api.request('POST /secure_tokens', { json })).body
      const item = () => itemsOf(api, 'secure_token').find((one) => one.id === id)!
      const { pk, sk, due_at } = item()
      return { item, message: { kind: 'secure_token', pk, sk, due_at: due_at! } }
    }

    test('erases the payment details once, however often the same message arrives, and keeps the other fields', async () => {
      const { item, message } = await make()
      const { sealed, due_at, due_shard, version, changed_at, ...rest } = item()
      api.platform.clock.turnTo(Date.parse(message.due_at))
      expect(await failures(message, message)).toEqual([])
      expect(await failures(message)).toEqual([])
      expect(item()).toEqual({ ...rest, sealed: null, version: version + 1, changed_at: expect.any(Number) })
    })

    test('keeps the payment details before the hour ends, and drops outdated messages and messages about unknown records', async () => {
      const { item, message } = await make()
      const before = item()
      expect(await failures(message)).toEqual([])
      api.platform.clock.turnTo(Date.parse(message.due_at))
      const gone = { ...message, pk: `${message.pk}0` }
      expect(await failures({ ...message, due_at: '2030-01-01T00:00:00Z' }, gone)).toEqual([])
      expect(item()).toEqual(before)
    })

    test('retries after a conflict, and reports a failure when the platform fails', async () => {
      const { item, message } = await make()
      api.platform.clock.turnTo(Date.parse(message.due_at))
      crash.arm((_, operation) => (operation === 'write' ? 'fail_before' : 'ok'))
      expect([await failures(message), item().sealed]).toEqual([['m0'], expect.any(String)])
      let writes = 0
      crash.arm((_, operation) => (operation === 'write' && ++writes < 3 ? 'conflict' : 'ok'))
      expect([await failures(message), item().sealed]).toEqual([[], null])
    })
  })

  test('removes an upload that never completed, and keeps a completed one', async () => {
    const parts = () => partsWith(['paper', documentOf(100), 'a.pdf'])
    crash.arm((_, operation) => (operation === 'put' ? 'fail_after' : 'ok'))
    expect((await api.request('POST /files', { parts: parts() })).status).toBe(503)
    crash.disarm()
    const [item] = itemsOf(api, 'file').filter(({ due_at }) => due_at)
    const message: Message = { kind: 'file', pk: item!.pk, sk: item!.sk, due_at: item!.due_at! }
    const objects = () => readdirSync(join(api.data_dir, 'files')).length
    const kept = (await api.request('POST /files', { parts: parts() })).body.id
    expect([await failures(message), itemsOf(api, 'file').length, objects()]).toEqual([[], 2, 2])
    api.platform.clock.turnTo(Date.parse(item!.due_at!))
    const of_kept = { ...message, pk: message.pk.replace(item!.id as string, kept) }
    expect(await failures(message, message, of_kept)).toEqual([])
    expect([itemsOf(api, 'file').map(({ id }) => id), objects()]).toEqual([[kept], 1])
  })
})
