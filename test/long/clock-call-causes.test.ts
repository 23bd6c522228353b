import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { invoker } from '#infra/local/server.ts'
import { Workers } from '#infra/local/workers.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { openReceiver } from '#test/fixtures/receiver.ts'
import { type Disturbance, Shop, Traffic, works } from '#test/long/clock-traffic.ts'

const DAY = 86_400_000

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function open(): Promise<{ api: Api; shop: Shop }> {
  const api = await openApi()
  closing.push(() => api.close())
  return { api, shop: await Shop.open(api) }
}

function trafficOf(...given: ConstructorParameters<typeof Traffic>): Traffic {
  const traffic = new Traffic(...given)
  closing.push(() => traffic.end())
  return traffic
}

/** Work that falls due within a clock call of a minute. */
interface Cause {
  readonly name: string
  /** Creates the work. Returns its due time in epoch milliseconds. */
  readonly make: (shop: Shop) => Promise<number>
  /** The type of the event that the merchant sees at that time. */
  readonly event_type: string
}

/** Work that falls due later. Its webhook is created shortly before. */
const later = (name: keyof typeof works, kind: string, event: string): Cause => ({
  name: `${name.replaceAll('_', ' ')} that falls due`,
  event_type: event,
  async make(shop) {
    await works[name](shop)
    await shop.api.advance(0)
    return shop.dueOf(kind)
  },
})

/** A payment with a webhook, followed by further steps. */
const afterPayment = (name: string, then: (shop: Shop) => Promise<number>): Cause => ({
  name,
  event_type: 'payment.captured',
  async make(shop) {
    await shop.makeWebhook()
    await works.payment(shop)
    return then(shop)
  },
})

const causes: readonly Cause[] = [
  later('expiry', 'payment', 'payment.expired'),
  later('end_of_authorization', 'payment', 'payment.expired'),
  later('inquiry', 'attempt', 'payment.captured'),
  later('capture', 'subscription', 'subscription.captured'),
  later('payment', 'settling', 'settlement.created'),
  afterPayment('a payment that has just been made', async () => START),
  afterPayment('a retry that is queued', async ({ api }) => {
    await api.advance(0)
    return START + 4_000
  }),
  afterPayment('a retry that a sweep finds', async (shop) => {
    await shop.api.advance(60)
    return shop.dueOf('delivery')
  }),
  afterPayment('an event whose record of the stream is lost', async (shop) => {
    while (!shop.api.platform.stream.isEmpty) shop.api.platform.stream.take()
    return shop.dueOf('outbox')
  }),
  afterPayment('a recovery', async (shop) => {
    await shop.api.advance(60)
    await shop.send(`POST /webhooks/${shop.webhook}/recover`, { since: timestamp(START) })
    return START + 60_000
  }),
]

type Clients = 'the same merchant' | 'another merchant'

/** The disturbances that clients cause before each call of a function, endlessly or only at the beginning. */
const traffics: readonly (readonly [string, Clients, boolean, (call: number) => readonly Disturbance[]])[] = [
  [
    'deliveries that hang at the same receiver',
    'the same merchant',
    true,
    (call) => (call === 0 ? Array(8).fill('payment') : []),
  ],
  ['a new payment at each call of a function', 'another merchant', false, () => ['payment']],
  ['endless payments with unknown outcomes', 'another merchant', false, () => ['unknown_payment']],
  ['endless recoveries of webhooks', 'another merchant', false, () => ['recovery', 'payment']],
]

/** The events of a merchant during a clock call of a minute, in the middle of which the work falls due. */
async function minuteOf({ make, event_type }: Cause, traffic?: (typeof traffics)[number]) {
  const { api, shop } = await open()
  const due = await make(shop)
  const { clock } = api.platform
  clock.turnTo(due - 30_000)
  if (!shop.webhook) await shop.makeWebhook()
  const [, clients, holds, before] = traffic ?? ['', 'the same merchant', false, () => []]
  const client = clients === 'the same merchant' ? shop : await Shop.open(api)
  if (client !== shop) await client.makeWebhook()
  const going = trafficOf(api, { clients: client, holds, before })
  const until = clock.now() + 60_000
  await going.workers.advanceTo(until)
  expect([clock.now(), shop.leftUndone()]).toEqual([until, []])
  const story = shop.story().filter((line) => line.includes(event_type) || line.includes('ping'))
  const held = going.held
  return { story, held, due }
}

describe.each(causes)('a clock call handles $name', (cause) => {
  let alone: Awaited<ReturnType<typeof minuteOf>>
  beforeAll(async () => {
    alone = await minuteOf(cause)
  })

  test('at its due time, with its deliveries and their retries', () => {
    const lines = alone.story.filter((line) => line.includes(cause.event_type))
    expect(lines.join()).toMatch(new RegExp(`attempts: .*${timestamp(alone.due)}`))
  })

  test.each(traffics)('and ends in the same way beside %s', async (...traffic) => {
    const beside = await minuteOf(cause, traffic)
    expect(beside.story).toEqual(alone.story)
    if (traffic[2]) expect(beside.held).toBe(4)
  })
})

/** Workers that hold each delivery until it is released. */
function holding(api: Api) {
  const invoke = invoker(api.platform)
  /** The gate of each delivery, in the order of the first messages. */
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const workers = new Workers(api.platform, async (file, event) => {
    if (file === 'background/deliver') {
      const { pk } = JSON.parse((event as { Records: [{ body: string }] }).Records[0].body)
      if (!gates.has(pk)) gates.set(pk, Promise.withResolvers())
      await gates.get(pk)!.promise
    }
    return invoke(file, event)
  })
  const release = (nth: number) => [...gates.values()][nth]!.resolve()
  closing.push(async () => {
    for (const { resolve } of gates.values()) resolve()
    await workers.advanceTo(api.platform.clock.now())
  })
  return { workers, gates, release }
}

/**
 * Runs the event loop until `is` returns true. Work that waits for neither clock nor network makes progress meanwhile.
 */
async function settled(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setImmediate(resolve))
}

describe('a clock call', () => {
  test('of three months captures on three dates beside endless payments with unknown outcomes', async () => {
    const { api, shop } = await open()
    await works.capture(shop)
    const traffic = trafficOf(api, { clients: await Shop.open(api), before: () => ['unknown_payment'] })
    await traffic.workers.advanceTo(START + 92 * DAY)
    const captures = shop.story().filter((line) => line.includes('subscription.captured'))
    expect(captures.map((line) => line.slice(0, 10))).toEqual(['2030-01-02', '2030-02-02', '2030-03-02', '2030-04-02'])
    expect(shop.leftUndone()).toEqual([])
  })

  test('over HTTP does not wait for a delivery that a receiver causes by a request of its own', async () => {
    const { api, shop } = await open()
    const receiver = await openReceiver()
    closing.push(() => receiver.close())
    await shop.makeWebhook(receiver.origin)
    await api.advance(0)
    const { promise: is_over, resolve: end } = Promise.withResolvers<void>()
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    receiver.says = async (_, nth) => {
      // The first request is the ping.
      if (nth === 2) await works.payment(shop)
      if (nth < 3) return 200
      arrive()
      await is_over
      return 200
    }
    await works.payment(shop)
    const { body } = await api.request('POST /_local/clock', { key: null, json: { advance: 60 } })
    expect(body).toEqual({ now: timestamp(START + 60_000) })
    api.workers.deliver()
    await arrived
    expect(shop.story().filter((line) => line.includes('payment.captured'))).toEqual([
      '2030-01-02T03:00:00Z payment.captured; attempts: ',
      '2030-01-02T03:00:00Z payment.captured; attempts: 2030-01-02T03:00:00Z',
    ])
    end()
    await api.advance(0)
  })

  test('runs sweeps and chores while it waits for a delivery', async () => {
    const { api, shop } = await open()
    await shop.makeWebhook()
    await works.inquiry(shop)
    const { workers, gates, release } = holding(api)
    let is_over = false
    const call = workers.advanceTo(START).then(() => {
      is_over = true
    })
    await settled(() => gates.size === 1)
    api.platform.clock.turnTo(START + 60_000)
    await workers.work()
    expect(shop.story().filter((line) => line.includes('payment.captured'))).toHaveLength(1)
    expect(is_over).toBe(false)
    release(0)
    await call
  })

  test('waits for the work that was caused before it, and does not wait for later work', async () => {
    const { api, shop } = await open()
    await shop.makeWebhook()
    const { workers, gates, release } = holding(api)
    const answered: string[] = []
    const call = (name: string) => workers.advanceTo(START).then(() => answered.push(name))
    const first = call('first')
    await settled(() => gates.size === 1)
    await works.payment(shop)
    const second = call('second')
    await workers.fanOut()
    await settled(() => gates.size === 2)
    release(0)
    await first
    await workers.work()
    expect(answered).toEqual(['first'])
    release(1)
    await second
    expect(answered).toEqual(['first', 'second'])
  })

  test("makes no second attempt of another merchant's delivery that is in flight when its lease expires", async () => {
    const { api, shop } = await open()
    await works.expiry(shop)
    const client = await Shop.open(api)
    await client.makeWebhook()
    await api.advance(300)
    const traffic = trafficOf(api, {
      clients: client,
      before: (call) => (call === 0 ? ['payment'] : []),
      holds: true,
    })
    await traffic.workers.advanceTo(START + 4 * DAY)
    expect(traffic.held).toBe(1)
    const attempts = () => client.attemptsOfTraffic()
    expect(attempts()).toEqual([])
    await traffic.end()
    expect(attempts()).toHaveLength(1)
  })
})
