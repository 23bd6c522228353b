import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sealText } from '#shared/crypto/sealed-text.ts'
import { type AttemptOutcome, type Delivery, redelivered } from '#shared/domain/delivery.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Webhook } from '#shared/domain/webhook.ts'
import type { Message, Platform } from '#shared/platform/ports.ts'
import { changed, removed } from '#shared/store/change.ts'
import { deliveries, deliveryAttempts } from '#shared/store/deliveries.ts'
import { events } from '#shared/store/events.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWorkOptions } from '#shared/store/unit-of-work.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { deliver, type Post } from '#shared/webhooks/deliver.ts'
import { fanOut } from '#shared/webhooks/fan-out.ts'
import type { PostRequest } from '#shared/webhooks/guarded-post.ts'
import { bodyOf } from '#shared/webhooks/signature.ts'
import { type Call, type Fate, FaultyTable } from '#test/faults/faulty-table.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { attemptOutcome, paymentRecord, webhookRecord } from '#test/fixtures/records.ts'

let service: Api
/** The posted requests, in their order. */
let posts: PostRequest[]
beforeEach(async () => {
  service = await openApi()
  posts = []
})
afterEach(() => service.close())

/** A post to a receiver with this outcome. `meanwhile` runs during the post. */
const posting =
  (outcome: AttemptOutcome, meanwhile: () => unknown = () => {}): Post =>
  async (request) => {
    posts.push(request)
    await meanwhile()
    return outcome
  }
const well = attemptOutcome(204)
const badly = attemptOutcome(500)

/** Creates a webhook with these fields and this secret, and a delivery of a payment's event to it without attempts. */
async function make(
  fields: Partial<Webhook> = {},
  secret?: string,
  options: Partial<UnitOfWorkOptions> = {},
): Promise<Delivery> {
  const work = service.work(options)
  const [webhook, payment] = [work.newId('webhook'), work.newId('payment')]
  const sealed = secret && (await sealText(work, 'webhook_secret', webhook, secret))
  const kept = webhookRecord({ ...fields, id: webhook, version: 0, secret: sealed ? { sealed, previous: null } : null })
  await work.commit([changed(webhooks, kept)])
  await work.commit([
    changed(payments, paymentRecord({ id: payment, version: 0, description: 'さくら' }), ['payment.captured']),
  ])
  const outbox = [...service.platform.table.items()].find(({ sk }) => sk === OUTBOX.sk)!
  await fanOut(service.work(options), outbox)
  return recordOf(deliveries, [...service.platform.table.items()].find(({ sk }) => sk === 'delivery')!)
}
const find = async ({ id }: Delivery) => (await service.work().find(deliveries, id))!
const attemptsOf = ({ id }: Delivery) =>
  [...service.platform.table.items()]
    .filter(({ pk, sk }) => pk.endsWith(id) && sk.startsWith('attempt#'))
    .map((item) => recordOf(deliveryAttempts, item))
/** The message of a delivery that is due now. */
const messageOf = async (delivery: Delivery): Promise<Message> => {
  const [item] = await service.platform.table.get([deliveries.key(service.test.id, delivery)])
  return { kind: 'delivery', pk: item!.pk, sk: item!.sk, due_at: item!.due_at! }
}
const run = async (delivery: Delivery, post: Post, options: Partial<UnitOfWorkOptions> = {}) =>
  deliver(service.work(options), await messageOf(delivery), post)
const later = (seconds: number) => service.platform.clock.turnTo(service.platform.clock.now() + seconds * 1000)
const now = () => timestamp(service.platform.clock.now())
const faulty = (plan: (call: Call) => Fate): Platform => ({
  ...service.platform,
  table: new FaultyTable(service.platform.table, plan),
})

describe('deliver', () => {
  test('posts the signed event, and records the outcome', async () => {
    const made = await make({ url: 'https://shop.example/hook?a=1' }, 's3cret')
    await run(made, posting(well))
    const event = (await service.work().find(events, made.event))!
    const body = bodyOf(event)
    const { isOwnServer } = service.platform
    expect(posts).toMatchObject([
      { url: 'https://shop.example/hook?a=1', body, https_only: false, allow_loopback: true, isOwnServer },
    ])
    expect(posts[0]!.headers).toMatchObject({
      'X-Service-ID': made.id,
      'X-Service-Event': 'payment.captured',
      'X-Service-Sequence': '1',
      'X-Service-Signature': createHmac('sha256', 's3cret').update(body).digest('hex'),
      'webhook-id': made.id,
    })
    expect(await find(made)).toEqual({
      ...made,
      version: 3,
      status: 'delivered',
      url: 'https://shop.example/hook?a=1',
      next_attempt_at: null,
      attempts_made: 1,
      tries: 1,
      first_attempt_at: timestamp(START),
    })
    expect(attemptsOf(made)).toEqual([
      { ...well, version: 1, delivery: made.id, number: 0, attempted_at: timestamp(START) },
    ])
  })

  test('schedules the next attempt after a failure, and sends its message', async () => {
    const made = await make()
    await run(made, posting(badly))
    expect(await find(made)).toMatchObject({
      status: 'pending',
      next_attempt_at: timestamp(START + 4_000),
      failed_at: timestamp(START),
      lease: null,
    })
    const queue = service.platform.queues.deliveries
    queue.due(START)
    expect(queue.due(START + 3_999)).toEqual([])
    expect(queue.due(START + 4_000)).toEqual([await messageOf(made)])
  })

  test('requires https in live mode, and allows loopback only in test mode of a local run', async () => {
    const made = await make({}, undefined, { mode: 'live' })
    await run(made, posting(well), { mode: 'live' })
    expect(posts).toMatchObject([{ https_only: true, allow_loopback: false }])
    const hosted = { ...service.platform, loopback_webhooks: false }
    await service.work().commit([changed(deliveries, redelivered(await find(made), START))])
    await run(made, posting(well), { platform: hosted })
    expect(posts[1]).toMatchObject({ https_only: false, allow_loopback: false })
  })

  test('holds the lease of the delivery for longer than an attempt can take', async () => {
    const made = await make()
    let held: Message | undefined
    await run(
      made,
      posting(well, async () => {
        held = await messageOf(made)
      }),
    )
    expect(held!.due_at).toBe(timestamp(START + 60_000))
  })

  test('delays the next attempt to the end of a slow one, and later attempts keep their times', async () => {
    const made = await make()
    await run(
      made,
      posting(badly, () => later(14)),
    )
    expect(await find(made)).toMatchObject({
      first_attempt_at: timestamp(START),
      next_attempt_at: timestamp(START + 14_000),
    })
    await run(made, posting(badly))
    expect((await find(made)).next_attempt_at).toBe(timestamp(START + 49_000))
    expect(attemptsOf(made).map(({ attempted_at }) => attempted_at)).toEqual([
      timestamp(START),
      timestamp(START + 14_000),
    ])
  })
})

describe('deliver of a message', () => {
  test('drops a message about another time than the due time, or of an unknown delivery', async () => {
    const made = await make()
    const message = await messageOf(made)
    await deliver(service.work(), { ...message, due_at: timestamp(START + 1_000) }, posting(well))
    await deliver(
      service.work(),
      { ...message, pk: `${message.pk.slice(0, -1)}${message.pk.endsWith('0') ? '1' : '0'}` },
      posting(well),
    )
    expect([posts, await find(made)]).toEqual([[], made])
  })

  test('makes one attempt if a message comes several times, also concurrently', async () => {
    const made = await make()
    const message = await messageOf(made)
    await Promise.all([1, 2, 3].map(() => deliver(service.work(), message, posting(badly))))
    await deliver(service.work(), message, posting(badly))
    expect([posts.length, attemptsOf(made).length]).toEqual([1, 1])
  })

  test('makes no attempt while another worker has the lease', async () => {
    const made = await make()
    const message = await messageOf(made)
    await run(
      made,
      posting(badly, () => deliver(service.work(), message, posting(badly))),
    )
    expect([posts.length, attemptsOf(made).length]).toEqual([1, 1])
  })
})

describe('deliver with a failing worker', () => {
  /** The clock of the service, which a wait advances. */
  const waiting = () => {
    const { clock } = service.platform
    return { now: () => clock.now(), wait: async (milliseconds: number) => clock.turnTo(clock.now() + milliseconds) }
  }
  const isRecord = ({ writes = [] }: Call) =>
    writes.some((write) => 'put' in write && write.put.sk.startsWith('attempt#'))

  test('records the attempt when the table answers again within 20 s, and makes no second POST', async () => {
    const made = await make()
    const until = service.platform.clock.now() + 15_000
    const table = faulty((call) =>
      isRecord(call) && service.platform.clock.now() < until ? 'fail_before' : 'ok',
    ).table
    await run(made, posting(well), { platform: { ...service.platform, table, clock: waiting() } as Platform })
    expect(posts).toHaveLength(1)
    expect(await find(made)).toMatchObject({ status: 'delivered', attempts_made: 1, lease: null })
    expect(attemptsOf(made)[0]!.after_unrecorded).toBeUndefined()
  })

  test('records only one attempt if the answer to the record was lost', async () => {
    const made = await make()
    let sends = 0
    const table = faulty((call) => (isRecord(call) && sends++ === 0 ? 'fail_after' : 'ok')).table
    await run(made, posting(well), { platform: { ...service.platform, table, clock: waiting() } as Platform })
    expect(await find(made)).toMatchObject({ status: 'delivered', attempts_made: 1 })
    expect(attemptsOf(made)).toHaveLength(1)
  })

  test('gives up after 20 s, and the next attempt shows that one before it was not recorded', async () => {
    const made = await make()
    const began_at = service.platform.clock.now()
    const table = faulty((call) => (isRecord(call) ? 'fail_before' : 'ok')).table
    const platform = { ...service.platform, table, clock: waiting() } as Platform
    await expect(run(made, posting(well), { platform })).rejects.toThrow()
    const passed = service.platform.clock.now() - began_at
    expect([passed > 15_000, passed <= 20_000]).toEqual([true, true])
    later(60)
    await run(made, posting(well))
    expect(attemptsOf(made)).toMatchObject([{ number: 0, after_unrecorded: true }])
  })

  test('records nothing after the end of its lease, because another worker has taken the delivery over', async () => {
    const made = await make()
    await run(
      made,
      posting(badly, async () => {
        later(60)
        await run(made, posting(well))
      }),
    )
    expect(posts).toHaveLength(2)
    expect(await find(made)).toMatchObject({ status: 'delivered', attempts_made: 1, tries: 1 })
    expect(attemptsOf(made)).toMatchObject([{ number: 0, status_code: 204, attempted_at: now() }])
  })

  test.each(['fail_before', 'fail_after'] as const)(
    'killed at any of its calls (%s) leaves the attempt to the next worker, numbered without a gap',
    async (fate) => {
      const made = await make()
      for (let at = 1, reached = true; reached; at++) {
        await service.work().commit([changed(deliveries, redelivered(await find(made), service.platform.clock.now()))])
        const table = new FaultyTable(service.platform.table, ({ n }) =>
          n < at ? 'ok' : n === at ? fate : 'fail_before',
        )
        await run(made, posting(well), {
          platform: { ...service.platform, table, clock: waiting() } as Platform,
        }).catch(() => undefined)
        reached = Object.values(table.calls).reduce((sum, calls) => sum + calls) >= at
        later(60)
        if ((await find(made)).status === 'pending') await run(made, posting(well))
        expect(await find(made)).toMatchObject({ status: 'delivered', attempts_made: at })
        expect(attemptsOf(made).map(({ number }) => number)).toEqual(Array.from({ length: at }, (_, number) => number))
      }
    },
  )

  test('repeats its record of the outcome after lost races', async () => {
    const made = await make()
    let conflicts = 0
    const platform = faulty(({ writes = [] }) => {
      const records = writes.some((write) => 'put' in write && write.put.sk.startsWith('attempt#'))
      return records && conflicts++ < 3 ? 'conflict' : 'ok'
    })
    await run(made, posting(well), { platform })
    expect(conflicts).toBe(4)
    expect(await find(made)).toMatchObject({ status: 'delivered', attempts_made: 1 })
  })

  test('records its attempt of a delivery that is redelivered meanwhile, and another attempt is due at once', async () => {
    const made = await make()
    await run(
      made,
      posting(well, async () => {
        await service.work().commit([changed(deliveries, redelivered(await find(made), START))])
      }),
    )
    expect(await find(made)).toMatchObject({
      status: 'pending',
      attempts_made: 1,
      tries: 0,
      next_attempt_at: now(),
      lease: null,
    })
    await run(made, posting(well))
    expect(await find(made)).toMatchObject({ status: 'delivered', attempts_made: 2, tries: 1 })
  })
})

describe('deliver to a webhook', () => {
  test('that is inactive or deleted fails the delivery without a call', async () => {
    const made = await make()
    const work = service.work()
    const webhook = await work.get(webhooks, made.webhook!)
    await work.commit([changed(webhooks, { ...webhook, active: false })])
    await run(made, posting(well))
    expect(posts).toEqual([])
    expect(await find(made)).toMatchObject({ status: 'failed', next_attempt_at: null, attempts_made: 1 })
    await work.commit([removed(webhooks, await work.get(webhooks, made.webhook!))])
    await service.work().commit([changed(deliveries, redelivered(await find(made), START))])
    await run(made, posting(well))
    expect(posts).toEqual([])
    const not_made = { status_code: null, latency_ms: 0, response_body: null }
    expect(attemptsOf(made)).toMatchObject([
      { ...not_made, error: 'webhook_inactive' },
      { ...not_made, error: 'webhook_deleted' },
    ])
  })

  test('that has changed posts to its new URL, and the delivery shows that URL', async () => {
    const made = await make()
    const work = service.work()
    const webhook = await work.get(webhooks, made.webhook!)
    await work.commit([changed(webhooks, { ...webhook, url: 'https://new.example/' })])
    await run(made, posting(badly))
    expect(posts[0]!.url).toBe('https://new.example/')
    expect((await find(made)).url).toBe('https://new.example/')
  })
})
