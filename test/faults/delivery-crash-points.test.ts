import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Item } from '#shared/platform/ports.ts'
import { inconsistencies } from '#test/faults/consistency.ts'
import { CrashPoints, failingAt } from '#test/faults/crash-points.ts'
import { untold } from '#test/faults/untold.ts'
import { itemsOf } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'

/**
 * The way of an event to its receivers is cut off at every one of its calls of the platform, before and after the call is
 * done; the process lives on, or dies with all that it had in memory. Whatever is cut off, each receiver is told of each
 * event, and twice only where the call that was cut off came between its answer and the record of it.
 */

let points: CrashPoints
let api: Api
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())
beforeEach(async () => {
  points = new CrashPoints()
  api = await openApi({ around: points.around })
  receiver.received.splice(0)
  // The first sweep of all looks at everything.
  await api.request('POST /customers', { json: { payment_details: card() } })
  await api.advance(60)
})
afterEach(() => api.close())

type Tell = (merchant: string) => Promise<void>

/** Who tells of an event: the table's stream, or the clock where the stream's record was lost. */
const tellers: Readonly<Record<string, Tell>> = {
  'the stream tells of': async () => {},
  'the clock tells of': async (merchant: string) => {
    const rows = itemsOf(api, 'event').filter(({ pk, sk }) => sk === 'outbox' && pk.includes(merchant))
    const messages = rows.map(({ pk, sk, due_at }) => ({ message: { kind: 'outbox', pk, sk, due_at: due_at! } }))
    forgetStream()
    await api.platform.queues.chores.send(messages)
  },
}

function forgetStream() {
  while (!api.platform.stream.isEmpty) api.platform.stream.take()
}

/** What a process has in memory alone. */
async function dies() {
  forgetStream()
  for (const queue of Object.values(api.platform.queues)) queue.due(Number.POSITIVE_INFINITY)
  await api.workers.forgetCursors()
}

/** One event of a merchant of its own, on its way to the receiver at `path`; no call is cut off where `at` is 0. */
async function run(tell: Tell, at: number, fate: 'fail_before' | 'fail_after', is_dying: boolean) {
  const { test: merchant } = await api.newMerchants()
  const send = (route: string, json: object) => api.request(route, { key: merchant.secret_key, json })
  const path = `/${fate}/${at}`
  const secret_token = 'a secret'
  const webhook = { url: receiver.origin + path, event_list: ['customer.created'], secret_token }
  await send('POST /webhooks', webhook)
  await api.advance(0)
  const posts = () => receiver.received.filter((one) => one.path === path).length
  const pinged = posts()
  await send('POST /customers', { payment_details: card() })
  await tell(merchant.id)
  const cutOff = failingAt(at, fate, { dies: is_dying })
  let posts_before = 0
  points.arm((n, operation) => {
    if (n === at) posts_before = posts() - pinged
    return cutOff(n, operation)
  })
  await api.advance(0).catch(() => undefined)
  const { calls } = points
  points.disarm()
  if (is_dying) await dies()
  return { path, posts_before, calls }
}

type Run = Awaited<ReturnType<typeof run>>

/** What is wrong with the one event that such a run was about, once all has settled. */
function wrongWith({ path, posts_before }: Run, deliveries: readonly Item[]): string[] {
  const delivery = deliveries.find(
    ({ url, event_type }) => url === receiver.origin + path && event_type === 'customer.created',
  )
  if (!delivery) return [`${path}: nobody was told`]
  const { id, status, attempts_made } = delivery
  const posts = receiver.received.filter(({ headers }) => headers['x-service-id'] === id)
  const allowed = 1 + posts_before
  const wrong: string[] = []
  if (status !== 'delivered' || attempts_made !== 1) wrong.push(`${path}: ${status} after ${attempts_made} attempts`)
  if (posts.length < 1 || posts.length > allowed) wrong.push(`${path}: ${posts.length} POSTs, ${allowed} explained`)
  if (new Set(posts.map(({ body }) => String(body))).size > 1) wrong.push(`${path}: other bytes the second time`)
  return wrong
}

describe.each(Object.entries(tellers))('an event that %s, cut off at each call of its way', (_, tell) => {
  const fates = ['fail_before', 'fail_after'] as const
  test.each(fates.flatMap((fate) => [false, true].map((is_dying) => ({ fate, is_dying }))))(
    '$fate, dies: $is_dying: reaches its receiver once, or twice where that is explained',
    async ({ fate, is_dying }) => {
      const clean = await run(tell, 0, fate, false)
      const runs = [clean]
      for (let at = 1; at <= clean.calls; at++) runs.push(await run(tell, at, fate, is_dying))
      expect(runs.length).toBeGreaterThan(10)
      await api.advance(3_600)
      const deliveries = itemsOf(api, 'delivery').filter(({ sk }) => sk === 'delivery')
      expect(runs.flatMap((one) => wrongWith(one, deliveries))).toEqual([])
      expect(inconsistencies(api.platform.table.items(), { settled: true })).toEqual([])
      expect(untold(points.journal)).toEqual([])
      const twice = Map.groupBy(receiver.received, ({ headers }) => headers['x-service-id'])
      // An attempt whose record was not written is made again: it is one call that can be cut off so.
      expect([...twice.values()].filter((posts) => posts.length === 2)).toHaveLength(fate === 'fail_before' ? 1 : 0)
    },
  )
})
