import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Item } from '#shared/platform/ports.ts'
import { inconsistencies } from '#test/faults/consistency.ts'
import { CrashPoints, failingAt } from '#test/faults/crash-points.ts'
import { journalViolations } from '#test/faults/journal-violations.ts'
import { itemsOf } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'

/**
 * The delivery of an event fails at each of its calls of the platform, before and after the call is done. The process
 * continues, or is killed and loses its memory. Each receiver still gets each event, and gets it twice only if the
 * process was killed between its response and the record of the attempt.
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
  // The first sweep covers all shards.
  await api.request('POST /customers', { json: { payment_details: card() } })
  await api.advance(60)
})
afterEach(() => api.close())

type StartFanOut = (merchant: string) => Promise<void>

/** How the fan-out of an event starts: by the table's stream, or by the sweep if the stream record is lost. */
const starts: Readonly<Record<string, StartFanOut>> = {
  'the stream': async () => {},
  'the sweep': async (merchant: string) => {
    const rows = itemsOf(api, 'event').filter(({ pk, sk }) => sk === 'outbox' && pk.includes(merchant))
    const messages = rows.map(({ pk, sk, due_at }) => ({ message: { kind: 'outbox', pk, sk, due_at: due_at! } }))
    forgetStream()
    await api.platform.queues.chores.send(messages)
  },
}

function forgetStream() {
  while (!api.platform.stream.isEmpty) api.platform.stream.take()
}

/** Loses everything that a killed process had in memory. */
async function loseMemory() {
  forgetStream()
  for (const queue of Object.values(api.platform.queues)) queue.due(Number.POSITIVE_INFINITY)
  await api.workers.forgetCursors()
}

/** Delivers one event of a new merchant to a path of its own. The call number `at` fails; with 0, no call fails. */
async function run(startFanOut: StartFanOut, at: number, fate: 'fail_before' | 'fail_after', is_killed: boolean) {
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
  await startFanOut(merchant.id)
  const failing = failingAt(at, fate, { is_killed })
  let posts_before = 0
  points.arm((n, operation) => {
    if (n === at) posts_before = posts() - pinged
    return failing(n, operation)
  })
  await api.advance(0).catch(() => undefined)
  const { calls } = points
  points.disarm()
  if (is_killed) await loseMemory()
  return { path, posts_before, calls }
}

type Run = Awaited<ReturnType<typeof run>>

/** Returns what is wrong with the event of a run, once all work is done. */
function wrongWith({ path, posts_before }: Run, deliveries: readonly Item[]): string[] {
  const delivery = deliveries.find(
    ({ url, event_type }) => url === receiver.origin + path && event_type === 'customer.created',
  )
  if (!delivery) return [`${path}: no delivery`]
  const { id, status, attempts_made } = delivery
  const posts = receiver.received.filter(({ headers }) => headers['x-service-id'] === id)
  const allowed = 1 + posts_before
  const wrong: string[] = []
  if (status !== 'delivered' || attempts_made !== 1) wrong.push(`${path}: ${status} after ${attempts_made} attempts`)
  if (posts.length < 1 || posts.length > allowed) wrong.push(`${path}: ${posts.length} POSTs, ${allowed} explained`)
  if (new Set(posts.map(({ body }) => String(body))).size > 1) wrong.push(`${path}: other bytes the second time`)
  return wrong
}

describe.each(Object.entries(starts))(
  'an event that is fanned out by %s, with a failure at each call',
  (_, startFanOut) => {
    const fates = ['fail_before', 'fail_after'] as const
    test.each(fates.flatMap((fate) => [false, true].map((is_killed) => ({ fate, is_killed }))))(
      '$fate, killed: $is_killed: reaches its receiver once, or twice if the process was killed before it recorded the attempt',
      async ({ fate, is_killed }) => {
        const clean = await run(startFanOut, 0, fate, false)
        const runs = [clean]
        for (let at = 1; at <= clean.calls; at++) runs.push(await run(startFanOut, at, fate, is_killed))
        expect(runs.length).toBeGreaterThan(10)
        await api.advance(3_600)
        const deliveries = itemsOf(api, 'delivery').filter(({ sk }) => sk === 'delivery')
        expect(runs.flatMap((one) => wrongWith(one, deliveries))).toEqual([])
        expect(inconsistencies(api.platform.table.items(), { settled: true })).toEqual([])
        expect(journalViolations(points.journal)).toEqual([])
        const twice = Map.groupBy(receiver.received, ({ headers }) => headers['x-service-id'])
        // A process that continues repeats the record of its attempt. A killed one cannot, so the attempt is made again.
        const sent_twice = [...twice.values()].filter((posts) => posts.length === 2)
        expect(sent_twice).toHaveLength(is_killed && fate === 'fail_before' ? 1 : 0)
      },
    )
  },
)
