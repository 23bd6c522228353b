import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { handler } from '#functions/background/deliver.ts'
import { handler as fanOut } from '#functions/background/fan-out.ts'
import type { Message } from '#shared/platform/ports.ts'
import { recordKey } from '#shared/store/keys.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { itemsOf } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'
import { turningUntil } from '#test/fixtures/turning-until.ts'
import { callWorker } from './call-worker.ts'

const crash = new CrashPoints()
let api: Api
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
  receiver.says = ({ path }) => (path === '/broken' ? 500 : 200)
  api = await openApi({ around: crash.around })
})
beforeEach(() => {
  receiver.received.splice(0)
})
afterEach(() => crash.disarm())
afterAll(async () => {
  await api.close()
  await receiver.close()
})

const deliver = (...messages: Message[]) => callWorker(handler, api, messages)

/** Creates a webhook whose ping is to be delivered. Returns the id of the delivery and the message about it. */
async function newDelivery(path = '/') {
  const json = { url: receiver.origin + path, event_list: ['ping'] }
  const { id: webhook } = (await api.request('POST /webhooks', { json })).body
  await fanOut({ Records: api.platform.stream.take() }, { platform: api.injected } as never)
  const id = itemsOf(api, 'delivery').find((item) => item.webhook === webhook)!.id as string
  return { id, message: messageOf(id) }
}
/** The ids of the deliveries that the receiver has received. */
const receivedIds = () => receiver.received.map(({ headers }) => headers['x-service-id'])
function messageOf(delivery: string): Message {
  const { pk, sk, due_at } = itemsOf(api, 'delivery').find(({ id, sk }) => id === delivery && sk === 'delivery')!
  return { kind: 'delivery', pk, sk, due_at: due_at! }
}
const shown = async (id: string) => (await api.request(`GET /deliveries/${id}`)).body

describe('the delivery worker', () => {
  test('makes the attempt of each message and records its result', async () => {
    const [one, other] = [await newDelivery(), await newDelivery('/broken')]
    expect(await deliver(one.message, other.message)).toEqual([])
    expect(receivedIds().toSorted()).toEqual([one.id, other.id].toSorted())
    expect(await shown(one.id)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] })
    expect(await shown(other.id)).toMatchObject({ status: 'pending', attempts: [{ status_code: 500 }] })
  })

  test('makes one attempt, however often the same message arrives, in sequence or concurrently', async () => {
    const { id, message } = await newDelivery()
    expect(await deliver(message, message)).toEqual([])
    await Promise.all([deliver(message), deliver(message)])
    const other = await newDelivery()
    await Promise.all([deliver(other.message), deliver(other.message), deliver(other.message)])
    expect(receivedIds()).toEqual([id, other.id])
  })

  test('drops a message with an outdated due time and a message about an unknown delivery', async () => {
    const { id, message } = await newDelivery()
    const stale = { ...message, due_at: '2030-01-01T00:00:00Z' }
    const gone = { ...message, ...recordKey('delivery', api.test.id, 'dlv_gone') }
    expect(await deliver(stale, gone)).toEqual([])
    expect([receivedIds(), (await shown(id)).attempts]).toEqual([[], []])
  })

  test('does not call the receiver while another worker holds the lease, and calls it after the lease expires', async () => {
    const { id, message } = await newDelivery()
    // The worker takes the lease by its first write. Every later write fails, as if the worker had crashed.
    let writes = 0
    crash.arm((_, operation) => (operation === 'write' && ++writes > 1 ? 'fail_before' : 'ok'))
    // The worker repeats its record for 20 s.
    await turningUntil(api.platform.clock, deliver(message))
    crash.disarm()
    expect((await shown(id)).attempts).toEqual([])
    await deliver(message)
    expect(receivedIds()).toEqual([id])
    await api.advance(61)
    expect(receivedIds().filter((other) => other === id)).toHaveLength(2)
    expect(await shown(id)).toMatchObject({
      status: 'delivered',
      attempts: [{ status_code: 200, after_unrecorded: true }],
    })
  })

  test('logs the result of an attempt, and the latency since the event for the first attempt only', async () => {
    const { id, message } = await newDelivery()
    const since = api.logs.length
    await deliver(message)
    const line = { level: 'info', event: 'delivery_attempted', merchant: api.test.id, record: id, attempt: 1 }
    expect(api.logs.slice(since)).toEqual([
      {
        ...{ ...line, outcome: 'delivered', status: 200 },
        ...{ latency_ms: expect.any(Number), first_latency_ms: expect.any(Number) },
      },
    ])
    const { body } = await api.request(`POST /deliveries/${id}/redeliver`)
    expect(body.status).toBe('pending')
    await api.advance(0)
    const [again] = api.logs.slice(since).filter(({ event, attempt }) => event === line.event && attempt === 2)
    expect([again!.record, again!.first_latency_ms]).toEqual([id, undefined])
  })

  test('reports only the failed messages, and logs the class of the error', async () => {
    const [bad, good] = [await newDelivery(), await newDelivery()]
    const unknown = { ...bad.message, pk: bad.message.pk.replace(api.test.id, 'mer_unknown') }
    const since = api.logs.length
    expect(await deliver(unknown, good.message)).toEqual(['m0'])
    expect(api.logs.slice(since).filter(({ level }) => level === 'error')).toEqual([
      { level: 'error', event: 'work_failed', merchant: 'mer_unknown', record: bad.id, error: 'TypeError' },
    ])
    expect(receivedIds()).toEqual([good.id])
    crash.arm(() => 'fail_before')
    expect(await deliver(bad.message)).toEqual(['m0'])
    crash.disarm()
    expect(await deliver(bad.message)).toEqual([])
    expect((await shown(bad.id)).status).toBe('delivered')
  })
})
