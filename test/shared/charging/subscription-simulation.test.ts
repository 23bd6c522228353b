import { describe, expect, test } from 'vitest'
import { mutants } from '#test/support/subscription-mutants.ts'
import { historyOf, simulateSubscriptions } from '#test/support/subscription-simulation.ts'

const SEEDS = 2_000

const timeout = SEEDS * 300

test(`in ${SEEDS} histories every interval is captured once and in its time, or its failures tell why not`, {
  timeout,
}, async () => {
  const tally = new Map<string, number>()
  for (let seed = 1; seed <= SEEDS; seed++) {
    const wrong = await simulateSubscriptions(seed, tally)
    if (wrong) expect.fail(`${await historyOf(seed)}\n${wrong}`)
  }
  const idle = Object.entries(at_least).filter(([name, times]) => (tally.get(name) ?? 0) < times)
  expect(idle.map(([name]) => `${name}: ${tally.get(name)}`)).toEqual([])
})

/** How often each thing happens at the least, so that no history is spared what subscriptions have to stand. */
const at_least: Readonly<Record<string, number>> = {
  subscriptions: SEEDS,
  captures: 2 * SEEDS,
  declined: SEEDS / 2,
  suspended: SEEDS / 5,
  deleted: SEEDS / 5,
  'given back': SEEDS / 100,
  'never arrived': SEEDS / 100,
  'missed and made up': SEEDS / 200,
  'fails without a card': SEEDS / 50,
  charge_unresolved: SEEDS / 50,
  'acquirer lost': SEEDS / 10,
  'acquirer late': SEEDS / 10,
  'acquirer done': SEEDS / 10,
  'sweep missed': SEEDS,
  lost: SEEDS / 5,
  doubled: SEEDS / 5,
  crash_before: SEEDS / 5,
  crash_after: SEEDS / 5,
  freeze: SEEDS / 5,
  fail_before: SEEDS / 5,
  fail_after: SEEDS / 5,
  conflict: SEEDS / 20,
  travel: SEEDS / 20,
}

test('a seed is one history, each time the same', async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const history = await historyOf(seed)
    expect(history.length).toBeGreaterThan(1)
    expect(await historyOf(seed)).toBe(history)
  }
})

describe('the same histories catch a protocol', () => {
  test.each(Object.entries(mutants))('%s', { timeout }, async (_, mutant) => {
    let wrong: string | undefined
    for (let seed = 1; !wrong && seed <= SEEDS; seed++) wrong = await simulateSubscriptions(seed, new Map(), { mutant })
    expect(wrong).toBeDefined()
  })
})
