import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { PaymentReport } from '#shared/acquirer/reports.ts'
import { newNotification } from '#shared/domain/notification.ts'
import { type Effects, processNotification } from '#shared/notifications/process-notification.ts'
import type { Message } from '#shared/platform/ports.ts'
import { workOn } from '#shared/scheduling/worker-batch.ts'
import { attempts, chargeOf } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { notificationKey } from '#shared/store/keys.ts'
import { notifications } from '#shared/store/notifications.ts'
import { payments } from '#shared/store/payments.ts'
import { serviceWork } from '#shared/store/service-work.ts'
import { type Api, card, openApi, START } from '#test/fixtures/api.ts'

let api: Api
let payment: string
beforeAll(async () => {
  api = await openApi()
  payment = await begun()
})
afterAll(() => api.close())

/** Creates a live payment at the sandbox and returns its id. */
async function atSandbox(): Promise<string> {
  const json = { amount: 1000, currency: 'JPY', payment_details: card() }
  return (await api.request('POST /payments', { json, key: api.live.secret_key })).body.id
}

/** Creates a payment at the provider, whose id of the charge is `pi_1`, and returns its id. */
async function begun(): Promise<string> {
  const id = await atSandbox()
  const work = api.work({ merchant: api.live.id, mode: 'live' })
  const made = { ...(await work.get(payments, id)), provider: 'stripe' } as const
  const charge = { ...(await chargeOf(work, made))!, reference: 'pi_1' }
  await work.commit([changed(payments, made), changed(attempts, charge)])
  return id
}

let count = 0

/** Stores a notification and returns its message. */
async function stored(): Promise<Message> {
  const event = `evt_${++count}`
  const found = { type: 'payment_intent.succeeded', object: 'pi_1', account: null, created_at: '2030-01-02T03:00:00Z' }
  const notification = newNotification({ provider: 'stripe', event, ...found }, api.platform.clock.now())
  await serviceWork(api.platform).commit([changed(notifications, notification)])
  return { kind: 'notification', ...notificationKey('stripe', event), due_at: notification.process_at! }
}

const rowOf = async ({ pk, sk }: Message) => (await api.platform.table.get([{ pk, sk }]))[0]

/** Effects that report the payment of the test, and record what is followed. */
function effects(changes: Partial<PaymentReport> = {}) {
  const followed: unknown[] = []
  const reported: PaymentReport = {
    merchant: api.live.id,
    payment,
    reference: 'pi_1',
    state: { state: 'paid' },
    ...changes,
  }
  const looked_up: unknown[] = []
  const found: Effects = {
    reports: {
      async report(...asked) {
        looked_up.push(asked)
        return reported
      },
      since: async () => ({ events: [], next: null }),
    },
    async follow(work, { id }, report) {
      followed.push([work.merchant, work.mode, id, report])
    },
  }
  return { followed, looked_up, reported, effects: found }
}

const process = async (message: Message, found: Effects) =>
  processNotification(await workOn(api.platform, message), message, found)

describe('processNotification', () => {
  test('looks up the object, follows the report once and ends the notification', async () => {
    const message = await stored()
    const { effects: found, followed, looked_up, reported } = effects()
    await process(message, found)
    await process(message, found)
    expect(looked_up).toEqual([['payment_intent.succeeded', 'pi_1', 10_000]])
    expect(followed).toEqual([[api.live.id, 'live', payment, { ...reported.state, reference: 'pi_1' }]])
    const row = await rowOf(message)
    expect(row).toMatchObject({ status: 'followed', process_at: null, tries: 0 })
    expect(row).not.toHaveProperty('due_at')
  })

  test('drops a notification that concerns no payment of this stage', async () => {
    const message = await stored()
    const { effects: found, followed } = effects()
    await process(message, { ...found, reports: { ...found.reports, report: async () => null } })
    expect(followed).toEqual([])
    expect(await rowOf(message)).toMatchObject({ status: 'dropped', process_at: null })
  })

  test.each<[string, Partial<PaymentReport>]>([
    ['payment', { payment: 'pay_unknown' }],
    ['merchant', { merchant: 'mer_unknown' }],
  ])('waits for a %s that is not stored yet', async (_, changes) => {
    const message = await stored()
    const { effects: found, followed } = effects(changes)
    await process(message, found)
    expect(followed).toEqual([])
    expect(await rowOf(message)).toMatchObject({ status: 'waiting', tries: 1, due_at: '2030-01-02T03:01:00Z' })
  })

  test.each<[string, () => Promise<Partial<PaymentReport>>]>([
    ['another charge than that of its payment', async () => ({ reference: 'pi_2' })],
    ['a payment of the sandbox', async () => ({ payment: await atSandbox() })],
  ])('drops a report about %s, and raises an alarm', async (_, changes) => {
    const message = await stored()
    const { effects: found, followed, reported } = effects(await changes())
    await process(message, found)
    expect(followed).toEqual([])
    expect(await rowOf(message)).toMatchObject({ status: 'dropped', process_at: null })
    const { payment: id, reference: record } = reported
    const alarm = { level: 'error', event: 'provider_disagrees', merchant: api.live.id, payment: id, record }
    expect(api.logs.at(-1)).toEqual(alarm)
  })

  test('tries again by the schedule of inquiries while the provider does not respond, then gives up', async () => {
    const message = await stored()
    const report = async () => {
      throw new OutcomeUnknown()
    }
    const before = api.logs.length
    const { effects: found } = effects()
    const due: unknown[] = []
    for (let due_at: unknown = message.due_at; due_at; ) {
      await process({ ...message, due_at: String(due_at) }, { ...found, reports: { ...found.reports, report } })
      due_at = (await rowOf(message))?.due_at
      due.push(due_at && (Date.parse(String(due_at)) - START) / 1000)
    }
    expect(due).toEqual([60, 300, 3_600, 86_400, 86_400, 86_400, 86_400, 86_400, undefined])
    expect(await rowOf(message)).toMatchObject({ status: 'given_up', tries: 9 })
    expect(api.logs.slice(before)).toEqual([
      { level: 'error', event: 'notification_given_up', record: message.pk.split('#')[2] },
    ])
  })

  test('leaves the notification due if following fails in another way', async () => {
    const message = await stored()
    const follow = async () => {
      throw new TypeError('a fault')
    }
    await expect(process(message, { ...effects().effects, follow })).rejects.toThrow('a fault')
    expect(await rowOf(message)).toMatchObject({ status: 'waiting', tries: 0, due_at: message.due_at })
  })
})
