import { describe, expect, test } from 'vitest'
import { more_mutants } from '#test/support/subscription-mutants.ts'
import { historyOf, simulateSubscriptions } from '#test/support/subscription-simulation.ts'

const FIRST_SEED = Number(process.env.SUBSCRIPTION_FIRST_SEED ?? 1_000_000)
const SEEDS = Number(process.env.SUBSCRIPTION_SEEDS ?? 20_000)

const timeout = SEEDS * 100

test(`in ${SEEDS} histories every interval is captured once and in its time, or its failures tell why not`, {
  timeout,
}, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const wrong = await simulateSubscriptions(seed, new Map())
    if (wrong) expect.fail(`${await historyOf(seed)}\n${wrong}`)
  }
})

describe('such histories catch a protocol', () => {
  test.each(Object.entries(more_mutants))('%s', { timeout }, async (_, mutant) => {
    let wrong: string | undefined
    for (let seed = 1; !wrong && seed <= SEEDS; seed++) wrong = await simulateSubscriptions(seed, new Map(), { mutant })
    expect(wrong).toBeDefined()
  })
})
