import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '#shared/domain/delivery.ts'
import type { EventType } from '#shared/domain/event.ts'
import type { PaymentWebhook } from '#shared/domain/payment.ts'
import type { Webhook } from '#shared/domain/webhook.ts'
import type { Key, Platform } from '#shared/platform/ports.ts'
import { changed, removed } from '#shared/store/change.ts'
import { deliveries } from '#shared/store/deliveries.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import { payments } from '#shared/store/payments.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { fanOut } from '#shared/webhooks/fan-out.ts'
import { FaultyTable } from '#test/faults/faulty-table.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { paymentRecord, webhookRecord } from '#test/fixtures/records.ts'

let service: Api
beforeEach(async () => {
  service = await openApi()
})
afterEach(() => service.close())

const makeWebhook = async (fields: Partial<Webhook> = {}, events: EventType[] = []): Promise<string> => {
  const work = service.work()
  const id = work.newId('webhook')
  await work.commit([changed(webhooks, webhookRecord({ ...fields, id, version: 0 }), events)])
  return id
}
const makePayment = async (own: PaymentWebhook[] = [], events: EventType[] = ['payment.captured']): Promise<string> => {
  const work = service.work()
  const id = work.newId('payment')
  await work.commit([changed(payments, paymentRecord({ id, version: 0, webhooks: own }), events)])
  return id
}
const ownWebhook = (fields: Partial<PaymentWebhook> = {}): PaymentWebhook => ({
  url: 'https://own.example/hook',
  events: ['payment.captured'],
  secret_sealed: null,
  ...fields,
})

const outbox = (): Key[] => [...service.platform.table.items()].filter(({ sk }) => sk === OUTBOX.sk)
const made = (): Delivery[] =>
  [...service.platform.table.items()].filter(({ sk }) => sk === 'delivery').map((item) => recordOf(deliveries, item))
const fanOutAll = async (keys = outbox(), platform: Platform = service.platform) => {
  for (const key of keys) await fanOut(service.work({ platform }), key)
}
const later = (milliseconds: number) => service.platform.clock.turnTo(service.platform.clock.now() + milliseconds)

describe('fanOut', () => {
  test('creates a due delivery for each subscribed webhook of the merchant and of the payment', async () => {
    const webhook = await makeWebhook({ url: 'https://merchant.example/hook' })
    const payment = await makePayment([ownWebhook()])
    later(1_500)
    await fanOutAll()
    const of_both = {
      version: 1,
      event_type: 'payment.captured',
      payment,
      status: 'pending',
      next_attempt_at: '2030-01-02T03:00:00Z',
      created_at: '2030-01-02T03:00:00Z',
      attempts_made: 0,
      tries: 0,
      first_attempt_at: null,
      failed_at: null,
      lease: null,
    }
    expect(made()).toHaveLength(2)
    expect(made().find((each) => each.webhook)).toMatchObject({
      ...of_both,
      webhook,
      entry: null,
      url: 'https://merchant.example/hook',
    })
    expect(made().find((each) => !each.webhook)).toMatchObject({
      ...of_both,
      webhook: null,
      entry: 0,
      url: 'https://own.example/hook',
    })
    for (const { id, event } of made()) expect(id.startsWith(`dlv_${event.slice(4)}`)).toBe(true)
    expect(outbox()).toEqual([])
    const sent = service.platform.queues.deliveries.due(service.platform.clock.now())
    expect(sent.map(({ pk, due_at }) => [pk.split('#')[2], due_at]).sort()).toEqual(
      made()
        .map(({ id }) => [id, '2030-01-02T03:00:00Z'])
        .sort(),
    )
  })

  test('creates nothing twice if it is repeated, also concurrently', async () => {
    await makeWebhook()
    await makePayment([ownWebhook()])
    const keys = outbox()
    await Promise.allSettled([fanOutAll(keys), fanOutAll(keys), fanOutAll(keys)])
    await fanOutAll(keys)
    expect(made()).toHaveLength(2)
    expect(made().every(({ version }) => version === 1)).toBe(true)
    const entries = [...service.platform.table.items()].filter(({ pk }) => pk.startsWith('list#delivery#'))
    expect(entries.filter(({ sk }) => sk.startsWith('dlv_'))).toHaveLength(2 + 1 + 2)
  })

  test('creates deliveries only for webhooks that are active, subscribed and older than the event', async () => {
    const wants = await makeWebhook()
    await makeWebhook({ event_list: ['payment.updated', 'customer.created'] })
    await makeWebhook({ active: false })
    const gone = await makeWebhook()
    await makePayment([ownWebhook({ events: ['payment.refunded'] })])
    later(1)
    await makeWebhook()
    const work = service.work()
    await work.commit([removed(webhooks, await work.get(webhooks, gone))])
    await fanOutAll()
    expect(made().map(({ webhook }) => webhook)).toEqual([wants])
  })

  test('creates one delivery of a ping, for its own webhook, even if that is inactive or not subscribed', async () => {
    const others = [await makeWebhook({ event_list: ['ping'] })]
    const own = await makeWebhook({ event_list: ['customer.created'], active: false }, ['ping'])
    await fanOutAll()
    expect(made().map(({ webhook, payment, event_type }) => [webhook, payment, event_type])).toEqual([
      [own, null, 'ping'],
    ])
    expect(others).toHaveLength(1)
  })

  test('removes the outbox row of an event without subscribers', async () => {
    await makePayment()
    expect(outbox()).toHaveLength(1)
    await fanOutAll()
    expect([outbox(), made()]).toEqual([[], []])
  })

  test('creates a delivery for each of several webhooks of a payment with the same URL', async () => {
    await makePayment([ownWebhook(), ownWebhook(), ownWebhook({ url: 'https://own.example/hook?b' })])
    await fanOutAll()
    expect(
      made()
        .map(({ entry }) => entry)
        .sort(),
    ).toEqual([0, 1, 2])
  })

  test('creates no delivery for a webhook of another merchant', async () => {
    const stranger = service.work({ merchant: 'mer_other' })
    await stranger.commit([changed(webhooks, webhookRecord({ id: stranger.newId('webhook'), version: 0 }))])
    await makePayment()
    await fanOutAll()
    expect(made()).toEqual([])
  })

  test('creates deliveries for the maximum number of webhooks, and for several events', async () => {
    for (let count = 0; count < 100; count++) await makeWebhook()
    const own = Array.from({ length: 10 }, () => ownWebhook())
    await makePayment(own, ['payment.captured', 'payment.refund.created'])
    await fanOutAll()
    expect(made().filter(({ event_type }) => event_type === 'payment.captured')).toHaveLength(110)
    expect(outbox()).toEqual([])
  })

  test.each(['fail_before', 'fail_after', 'conflict'] as const)(
    'after a failure (%s) at any of its calls creates the missing deliveries when it is repeated',
    async (fate) => {
      for (let count = 0; count < 30; count++) await makeWebhook()
      for (let at = 1, reached = true; reached; at++) {
        const before = made().length
        later(1)
        await makePayment()
        const keys = outbox()
        const table = new FaultyTable(service.platform.table, ({ n }) => (n === at ? fate : 'ok'))
        await fanOutAll(keys, { ...service.platform, table }).catch(() => undefined)
        reached = Object.values(table.calls).reduce((sum, calls) => sum + calls) >= at
        const rest = outbox()
        await fanOutAll(keys)
        expect([made().length - before, outbox()], `at call ${at}, rest ${rest.length}`).toEqual([30, []])
      }
    },
  )

  test('gives a late delivery the time of its event, and makes it due at once', async () => {
    await makeWebhook()
    await makePayment()
    later(3_600_000)
    await fanOutAll()
    expect(made()).toMatchObject([{ created_at: '2030-01-02T03:00:00Z', next_attempt_at: '2030-01-02T03:00:00Z' }])
    expect(service.platform.queues.deliveries.due(START + 3_600_000)).toHaveLength(1)
  })
})
