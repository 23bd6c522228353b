import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openApi, START } from '#test/fixtures/api.ts'
import { type Disturbance, disturbances, Shop, Traffic, works } from '#test/long/clock-traffic.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const RUNS = 12

/** Clients disturb this number of function calls, from the first one on. Later clock calls must finish their work. */
const DISTURBED = 40

/** Work of a merchant, the clock calls that run it, and what other clients do meanwhile. */
interface Plan {
  readonly made: readonly (keyof typeof works)[]
  /** The length of each clock call in milliseconds. The calls of an inner list are concurrent. */
  readonly calls: readonly (readonly number[])[]
  /** The disturbances of clients before the first calls of functions, in rotation. */
  readonly meanwhile: readonly (readonly Disturbance[])[]
  readonly holds: boolean
}

const far = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 5 * MINUTE }),
  fc.integer({ min: MINUTE, max: 2 * DAY }),
  fc.integer({ min: 2 * DAY, max: 6 * DAY }),
)

const plans: fc.Arbitrary<Plan> = fc.record({
  made: fc.array(fc.constantFrom(...(Object.keys(works) as (keyof typeof works)[])), { minLength: 1, maxLength: 5 }),
  calls: fc.array(fc.array(far, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  meanwhile: fc.array(fc.array(fc.constantFrom(...(Object.keys(disturbances) as Disturbance[])), { maxLength: 2 }), {
    minLength: 1,
    maxLength: 8,
  }),
  holds: fc.boolean(),
})

/** The events of the merchant after each clock call. */
async function storiesOf({ made, calls, meanwhile, holds }: Plan, is_alone: boolean): Promise<readonly object[]> {
  const api = await openApi()
  const [shop, clients] = [await Shop.open(api), await Shop.open(api)]
  await shop.makeWebhook()
  await clients.makeWebhook()
  for (const work of made) await works[work](shop)
  const before = (call: number) => (is_alone || call >= DISTURBED ? [] : meanwhile[call % meanwhile.length]!)
  const stories: object[] = []
  for (const some of calls) {
    const traffic = new Traffic(api, { clients, before, holds })
    const since = api.platform.clock.now()
    const until = since + Math.max(...some)
    await Promise.all(some.map((way) => traffic.workers.advanceTo(since + way)))
    stories.push({ ahead: api.platform.clock.now() - until, undone: shop.leftUndone(), story: shop.story() })
    // The next clock call would otherwise wait for the work in flight.
    await traffic.end()
  }
  await api.close()
  return stories
}

test('clock calls have the same result for a merchant at the same times, whatever other clients do meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const alone = await storiesOf(plan, true)
      for (const story of alone) expect(story).toMatchObject({ ahead: 0, undone: [] })
      expect(await storiesOf(plan, false)).toEqual(alone)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

test('a clock call of a year captures on twelve dates beside endless payments with unknown outcomes', async () => {
  const api = await openApi()
  const shop = await Shop.open(api)
  await works.capture(shop)
  const traffic = new Traffic(api, { clients: await Shop.open(api), before: () => ['unknown_payment'] })
  await traffic.workers.advanceTo(START + 365 * DAY)
  const captures = shop.story().filter((line) => line.includes('subscription.captured'))
  const months = Array.from({ length: 11 }, (_, n) => `2030-${String(n + 2).padStart(2, '0')}-02`)
  expect(captures.map((line) => line.slice(0, 10))).toEqual(['2030-01-02', ...months, '2031-01-02'])
  expect(shop.leftUndone()).toEqual([])
  await traffic.end()
  await api.close()
})
