import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { invoker } from '#infra/local/server.ts'
import { Workers } from '#infra/local/workers.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { type Disturbance, Shop, Traffic, works } from '#test/fixtures/clock-traffic.ts'
import { openReceiver } from '#test/fixtures/receiver.ts'

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

/** What falls due within a clock call of a minute. */
interface Cause {
  readonly name: string
  /** Makes what falls due; answers when it does, in epoch milliseconds. */
  readonly make: (shop: Shop) => Promise<number>
  /** What the merchant's story then tells, at that moment. */
  readonly tells: string
}

/** Something that falls due later, whose webhook is made shortly before. */
const later = (name: keyof typeof works, kind: string, event: string): Cause => ({
  name: `${name.replaceAll('_', ' ')} that falls due`,
  tells: event,
  async make(shop) {
    await works[name](shop)
    await shop.api.advance(0)
    return shop.dueOf(kind)
  },
})

/** A payment with a webhook, and what is done after that. */
const told = (name: string, then: (shop: Shop) => Promise<number>): Cause => ({
  name,
  tells: 'payment.captured',
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
  told('a payment that was answered just before', async () => START),
  told('a retry that is queued', async ({ api }) => {
    await api.advance(0)
    return START + 4_000
  }),
  told('a retry that a sweep finds', async (shop) => {
    await shop.api.advance(60)
    return shop.dueOf('delivery')
  }),
  told('an event whose record of the stream was lost', async (shop) => {
    while (!shop.api.platform.stream.isEmpty) shop.api.platform.stream.take()
    return shop.dueOf('outbox')
  }),
  told('a recovery', async (shop) => {
    await shop.api.advance(60)
    await shop.send(`POST /webhooks/${shop.webhook}/recover`, { since: timestamp(START) })
    return START + 60_000
  }),
]

type Clients = 'the same merchant' | 'another merchant'

/** What clients do before calls of functions, without end or in the beginning. */
const traffics: readonly (readonly [string, Clients, boolean, (call: number) => readonly Disturbance[]])[] = [
  [
    'deliveries that hang at the same receiver',
    'the same merchant',
    true,
    (call) => (call === 0 ? Array(8).fill('payment') : []),
  ],
  ['a new payment at each call of a function', 'another merchant', false, () => ['payment']],
  ['payments of unknown outcome, without end', 'another merchant', false, () => ['unknown_payment']],
  ['recoveries of webhooks, without end', 'another merchant', false, () => ['recovery', 'payment']],
]

/** What happened to a merchant in a clock call of a minute in whose midst something falls due. */
async function minuteOf({ make, tells }: Cause, traffic?: (typeof traffics)[number]) {
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
  const story = shop.story().filter((line) => line.includes(tells) || line.includes('ping'))
  const held = going.held
  return { story, held, due }
}

describe.each(causes)('a clock call does $name', (cause) => {
  let alone: Awaited<ReturnType<typeof minuteOf>>
  beforeAll(async () => {
    alone = await minuteOf(cause)
  })

  test('at its moment, with its deliveries and their retries', () => {
    const lines = alone.story.filter((line) => line.includes(cause.tells))
    expect(lines.join()).toMatch(new RegExp(`attempts: .*${timestamp(alone.due)}`))
  })

  test.each(traffics)('and answers, beside %s', async (...traffic) => {
    const beside = await minuteOf(cause, traffic)
    expect(beside.story).toEqual(alone.story)
    if (traffic[2]) expect(beside.held).toBe(4)
  })
})

/** Workers whose deliveries are held, each until it is let go for good. */
function holding(api: Api) {
  const invoke = invoker(api.platform)
  /** Whose first message came first stands first. */
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const workers = new Workers(api.platform, async (file, event) => {
    if (file === 'background/deliver') {
      const { pk } = JSON.parse((event as { Records: [{ body: string }] }).Records[0].body)
      if (!gates.has(pk)) gates.set(pk, Promise.withResolvers())
      await gates.get(pk)!.promise
    }
    return invoke(file, event)
  })
  const letGo = (nth: number) => [...gates.values()][nth]!.resolve()
  closing.push(async () => {
    for (const { resolve } of gates.values()) resolve()
    await workers.advanceTo(api.platform.clock.now())
  })
  return { workers, gates, letGo }
}

/** Lets everything go on that waits for nothing but the event loop and the table. */
async function settled(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setImmediate(resolve))
}

describe('a clock call', () => {
  test('of three months captures on three dates, while payments of unknown outcome are made without end', async () => {
    const { api, shop } = await open()
    await works.capture(shop)
    const traffic = trafficOf(api, { clients: await Shop.open(api), before: () => ['unknown_payment'] })
    await traffic.workers.advanceTo(START + 92 * DAY)
    const captures = shop.story().filter((line) => line.includes('subscription.captured'))
    expect(captures.map((line) => line.slice(0, 10))).toEqual(['2030-01-02', '2030-02-02', '2030-03-02', '2030-04-02'])
    expect(shop.leftUndone()).toEqual([])
  })

  test('over HTTP waits for no delivery that a receiver causes by a request of its own', async () => {
    const { api, shop } = await open()
    const receiver = await openReceiver()
    closing.push(() => receiver.close())
    await shop.makeWebhook(receiver.origin)
    await api.advance(0)
    const { promise: is_over, resolve: end } = Promise.withResolvers<void>()
    const { promise: came, resolve: comes } = Promise.withResolvers<void>()
    receiver.says = async (_, nth) => {
      // The first is the ping.
      if (nth === 2) await works.payment(shop)
      if (nth < 3) return 200
      comes()
      await is_over
      return 200
    }
    await works.payment(shop)
    const { body } = await api.request('POST /_local/clock', { key: null, json: { advance: 60 } })
    expect(body).toEqual({ now: timestamp(START + 60_000) })
    api.workers.deliver()
    await came
    expect(shop.story().filter((line) => line.includes('payment.captured'))).toEqual([
      '2030-01-02T03:00:00Z payment.captured; attempts: ',
      '2030-01-02T03:00:00Z payment.captured; attempts: 2030-01-02T03:00:00Z',
    ])
    end()
    await api.advance(0)
  })

  test('lets sweeps and chores go on while it waits for a delivery', async () => {
    const { api, shop } = await open()
    await shop.makeWebhook()
    await works.inquiry(shop)
    const { workers, gates, letGo } = holding(api)
    let is_over = false
    const call = workers.advanceTo(START).then(() => {
      is_over = true
    })
    await settled(() => gates.size === 1)
    api.platform.clock.turnTo(START + 60_000)
    await workers.work()
    expect(shop.story().filter((line) => line.includes('payment.captured'))).toHaveLength(1)
    expect(is_over).toBe(false)
    letGo(0)
    await call
  })

  test('waits for what was caused before it, and an earlier one does not', async () => {
    const { api, shop } = await open()
    await shop.makeWebhook()
    const { workers, gates, letGo } = holding(api)
    const answered: string[] = []
    const call = (name: string) => workers.advanceTo(START).then(() => answered.push(name))
    const first = call('first')
    await settled(() => gates.size === 1)
    await works.payment(shop)
    const second = call('second')
    await workers.fanOut()
    await settled(() => gates.size === 2)
    letGo(0)
    await first
    await workers.work()
    expect(answered).toEqual(['first'])
    letGo(1)
    await second
    expect(answered).toEqual(['first', 'second'])
  })

  test('makes no second attempt of a delivery of others that is still under way when the clock has passed its hold', async () => {
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
