import { expect, test } from 'vitest'
import { historyOf, simulateSubscriptions } from '#test/simulation/subscription-simulation.ts'

/** The first of the seeds that the long suite simulates. */
const SEEDS = 200

test(`in ${SEEDS} histories every interval is captured once and in its time, or its failures tell why not`, {
  timeout: SEEDS * 300,
}, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const wrong = await simulateSubscriptions(seed, new Map())
    if (wrong) expect.fail(`${await historyOf(seed)}\n${wrong}`)
  }
})

test('a seed is one history, each time the same', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const history = await historyOf(seed)
    expect(history.length).toBeGreaterThan(1)
    expect(await historyOf(seed)).toBe(history)
  }
})
