import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '#shared/domain/delivery.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Recovery } from '#shared/domain/webhook.ts'
import type { Message, Platform } from '#shared/platform/ports.ts'
import { changed, removed } from '#shared/store/change.ts'
import { deliveries, deliveryId, deliveryList } from '#shared/store/deliveries.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { recover } from '#shared/webhooks/recover.ts'
import { type Call, type Fate, FaultyTable } from '#test/faults/faulty-table.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { deliveryRecord, webhookRecord } from '#test/fixtures/records.ts'

let service: Api
let webhook: string
beforeEach(async () => {
  service = await openApi()
  await makeWebhook()
})
afterEach(() => service.close())

const now = timestamp(START)
const since = timestamp(START - 3_600_000)
const earlier = timestamp(START - 3_601_000)
const failed = { status: 'failed', failed_at: since, next_attempt_at: null, tries: 26, attempts_made: 26 } as const

/** Creates the webhook of the test, without deliveries. */
async function makeWebhook(): Promise<void> {
  const work = service.work()
  webhook = work.newId('webhook')
  await work.commit([changed(webhooks, webhookRecord({ id: webhook, version: 0 }))])
}

let made = 0
/** Stores a delivery of the webhook that is newer than those before. */
async function keep(fields: Partial<Delivery>): Promise<string> {
  const event = `evt_${String(made++).padStart(26, '0')}`
  const id = deliveryId(event, webhook)
  await service.work().commit([changed(deliveries, deliveryRecord({ webhook, event, ...fields, id, version: 0 }))])
  return id
}
const find = async (id: string) => (await service.work().find(deliveries, id))!

const ask = async (recovery: Partial<Recovery> = {}) => {
  const work = service.work()
  const before = await work.get(webhooks, webhook)
  await work.commit([changed(webhooks, { ...before, recovery: { since, next: null, due_at: now, ...recovery } })])
}
const recovery = async () => (await service.work().get(webhooks, webhook)).recovery
const message = (due_at = now): Message => ({
  ...webhooks.key(service.test.id, { id: webhook } as never),
  kind: 'webhook',
  due_at,
})

/** Works on one message, as the worker does. */
const run = async (platform: Platform = service.platform, due_at = now) => {
  const work = service.work({ platform })
  await retryOnConflict(work, () => recover(work, message(due_at)))
}
const faulty = (plan: (call: Call) => Fate): Platform => ({
  ...service.platform,
  table: new FaultyTable(service.platform.table, plan),
})
/** Whether a call writes a record of that kind. */
const writes = ({ writes = [] }: Call, sk: string) => writes.some((write) => 'put' in write && write.put.sk === sk)

describe('recover', () => {
  test('delivers again what has failed since the given time, and leaves other deliveries unchanged', async () => {
    const again = [
      await keep(failed),
      await keep({ status: 'pending', failed_at: now, tries: 3, first_attempt_at: since, attempts_made: 3 }),
    ]
    const left = [
      await keep({ status: 'delivered', next_attempt_at: null }),
      await keep({ ...failed, failed_at: earlier }),
      await keep({ status: 'pending' }),
    ]
    const before = await Promise.all(left.map(find))
    const before_again = await Promise.all(again.map(find))
    await ask()
    await run()
    expect(await Promise.all(left.map(find))).toEqual(before)
    const fresh = { status: 'pending', tries: 0, first_attempt_at: null, failed_at: null, next_attempt_at: now }
    expect(await Promise.all(again.map(find))).toEqual(
      before_again.map((delivery) => ({ ...delivery, version: 2, ...fresh })),
    )
    expect(await recovery()).toBeNull()
    const sent = service.platform.queues.deliveries.due(START)
    expect(again.every((id) => sent.some(({ pk, due_at }) => pk.endsWith(id) && due_at === now))).toBe(true)
  })

  test('redelivers a hundred for each message, oldest first, up to the last', async () => {
    const ids: string[] = []
    for (let count = 0; count < 205; count++) ids.push(await keep(failed))
    service.platform.queues.deliveries.due(START)
    await ask()
    const stretches: number[][] = []
    for (let messages = service.platform.queues.chores.due(START); messages.length > 0; ) {
      expect(messages.map(({ pk }) => pk)).toEqual([message().pk])
      await run(service.platform, messages[0]!.due_at)
      const sent = service.platform.queues.deliveries.due(START).map(({ pk }) => ids.findIndex((id) => pk.endsWith(id)))
      stretches.push(sent.sort((one, other) => one - other))
      messages = service.platform.queues.chores.due(START)
    }
    expect(stretches.map((stretch) => [stretch.length, stretch.at(0), stretch.at(-1)])).toEqual([
      [100, 0, 99],
      [100, 100, 199],
      [5, 200, 204],
    ])
    expect(await recovery()).toBeNull()
  })

  test('skips delivered entries, a thousand for each message', async () => {
    const { pk } = deliveryList(service.test.id, { by: 'webhook', value: webhook })
    const entries = Array.from({ length: 1_000 }, (_, index) => ({
      put: { pk, sk: `dlv_${String(index).padStart(42, '0')}`, version: 1, facet: `delivered/${webhook}/` },
    }))
    while (entries.length > 0) await service.platform.table.write(entries.splice(0, 100))
    made = 5_000
    const last = await keep(failed)
    await ask()
    await run()
    expect(await recovery()).toMatchObject({ since, next: `dlv_${'999'.padStart(42, '0')}` })
    expect((await find(last)).status).toBe('failed')
    await run()
    expect([(await find(last)).status, await recovery()]).toEqual(['pending', null])
  })

  test('drops a message about another time, or of a deleted webhook', async () => {
    const id = await keep(failed)
    await run()
    await ask()
    await run(service.platform, earlier)
    expect([(await find(id)).status, await recovery()]).toEqual(['failed', { since, next: null, due_at: now }])
    const work = service.work()
    await work.commit([removed(webhooks, await work.get(webhooks, webhook))])
    await run()
    expect((await find(id)).status).toBe('failed')
  })

  test('lets an attempt in flight end, and schedules another one after it', async () => {
    const lease = { token: 'a', until: timestamp(START + 30_000), outdated: false }
    const id = await keep({ status: 'pending', failed_at: since, lease })
    await ask()
    await run()
    expect(await find(id)).toMatchObject({ status: 'pending', tries: 0, lease: { ...lease, outdated: true } })
  })

  test('reads a delivery again after a lost race with an attempt', async () => {
    const id = await keep(failed)
    await ask()
    let conflicts = 0
    await run(faulty((call) => (writes(call, 'delivery') && conflicts++ < 2 ? 'conflict' : 'ok')))
    expect([conflicts, (await find(id)).status]).toEqual([3, 'pending'])
  })

  test('starts over after a lost race with another recovery request', async () => {
    const [old, young] = [await keep({ ...failed, failed_at: earlier }), await keep(failed)]
    await ask()
    let crossed = false
    const platform = faulty((call) => {
      if (crossed || !writes(call, 'webhook')) return 'ok'
      crossed = true
      return 'conflict'
    })
    const work = service.work({ platform })
    await retryOnConflict(work, async () => {
      if (crossed) await ask({ since: earlier })
      await recover(work, message())
    })
    expect([(await find(old)).status, (await find(young)).status]).toEqual(['pending', 'pending'])
    expect(await recovery()).toBeNull()
  })

  test.each(['fail_before', 'fail_after'] as const)(
    'after a failure (%s) at any of its calls is completed by the next message, each delivery once',
    async (fate) => {
      for (let at = 1, reached = true; reached; at++) {
        await makeWebhook()
        const id = await keep(failed)
        await ask()
        service.platform.queues.chores.due(START)
        let calls = 0
        await run(faulty(() => (++calls === at ? fate : 'ok'))).catch(() => undefined)
        reached = calls >= at
        await run()
        const { status, version } = await find(id)
        expect([status, version, await recovery()], `at call ${at}`).toEqual(['pending', 2, null])
      }
    },
  )
})
