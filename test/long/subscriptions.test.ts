import { describe, expect, test } from 'vitest'
import { more_mutants, mutants } from '#test/simulation/subscription-mutants.ts'
import { historyOf, simulateSubscriptions } from '#test/simulation/subscription-simulation.ts'

const FIRST_SEED = Number(process.env.SUBSCRIPTION_FIRST_SEED ?? 1_000_000)
const SEEDS = Number(process.env.SUBSCRIPTION_SEEDS ?? 20_000)

const timeout = SEEDS * 100

test(`in ${SEEDS} histories every interval is captured once and on time, or its failures are recorded`, {
  timeout,
}, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const wrong = await simulateSubscriptions(seed, new Map())
    if (wrong) expect.fail(`${await historyOf(seed)}\n${wrong}`)
  }
})

describe('such histories detect the mutant', () => {
  test.each(Object.entries({ ...mutants, ...more_mutants }))('%s', { timeout }, async (_, mutant) => {
    let wrong: string | undefined
    for (let seed = 1; !wrong && seed <= SEEDS; seed++) wrong = await simulateSubscriptions(seed, new Map(), { mutant })
    expect(wrong).toBeDefined()
  })
})

const TALLIED_SEEDS = 2_000

test(`the first ${TALLIED_SEEDS} histories pass and contain every fault often enough`, {
  timeout,
}, async () => {
  const tally = new Map<string, number>()
  for (let seed = 1; seed <= TALLIED_SEEDS; seed++) {
    const wrong = await simulateSubscriptions(seed, tally)
    if (wrong) expect.fail(`${await historyOf(seed)}\n${wrong}`)
  }
  const idle = Object.entries(at_least).filter(([name, times]) => (tally.get(name) ?? 0) < times)
  expect(idle.map(([name]) => `${name}: ${tally.get(name)}`)).toEqual([])
})

/** The minimum count of each fault and event over the tallied histories. */
const at_least: Readonly<Record<string, number>> = {
  subscriptions: TALLIED_SEEDS,
  captures: 2 * TALLIED_SEEDS,
  declined: TALLIED_SEEDS / 2,
  suspended: TALLIED_SEEDS / 5,
  deleted: TALLIED_SEEDS / 5,
  'given back': TALLIED_SEEDS / 100,
  'never arrived': TALLIED_SEEDS / 100,
  'missed and made up': TALLIED_SEEDS / 200,
  'fails without a card': TALLIED_SEEDS / 50,
  charge_unresolved: TALLIED_SEEDS / 50,
  'acquirer lost': TALLIED_SEEDS / 10,
  'acquirer late': TALLIED_SEEDS / 10,
  'acquirer done': TALLIED_SEEDS / 10,
  'sweep missed': TALLIED_SEEDS,
  lost: TALLIED_SEEDS / 5,
  doubled: TALLIED_SEEDS / 5,
  crash_before: TALLIED_SEEDS / 5,
  crash_after: TALLIED_SEEDS / 5,
  freeze: TALLIED_SEEDS / 5,
  fail_before: TALLIED_SEEDS / 5,
  fail_after: TALLIED_SEEDS / 5,
  conflict: TALLIED_SEEDS / 20,
  travel: TALLIED_SEEDS / 20,
}
