import { describe, expect, test } from 'vitest'
import { mutants } from '#test/simulation/delivery-mutants.ts'
import { simulate } from '#test/simulation/delivery-simulation.ts'

const FIRST_SEED = Number(process.env.DELIVERY_FIRST_SEED ?? 1_000_000)
const SEEDS = Number(process.env.DELIVERY_SEEDS ?? 20_000)

test(`in ${SEEDS} histories every event is delivered or fails after 26 attempts`, {
  timeout: SEEDS * 100,
}, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) expect(await simulate(seed, new Map())).toBeUndefined()
})

const TALLIED_SEEDS = 2_000

const timeout = TALLIED_SEEDS * 300

test(`the first ${TALLIED_SEEDS} histories pass and contain every fault often enough`, { timeout }, async () => {
  const tally = new Map<string, number>()
  for (let seed = 1; seed <= TALLIED_SEEDS; seed++) expect(await simulate(seed, tally)).toBeUndefined()
  const idle = Object.entries(at_least).filter(([name, times]) => (tally.get(name) ?? 0) < times)
  expect(idle.map(([name]) => `${name}: ${tally.get(name)}`)).toEqual([])
})

/** The minimum count of each fault and event over the tallied histories. */
const at_least: Readonly<Record<string, number>> = {
  events: TALLIED_SEEDS,
  deliveries: TALLIED_SEEDS,
  'asked for anew': TALLIED_SEEDS / 10,
  recoveries: TALLIED_SEEDS / 20,
  'posts made twice': TALLIED_SEEDS / 10,
  'given up': TALLIED_SEEDS / 100,
  lost: TALLIED_SEEDS / 2,
  doubled: TALLIED_SEEDS / 2,
  'sweep missed': TALLIED_SEEDS / 2,
  crash_before: TALLIED_SEEDS / 2,
  crash_after: TALLIED_SEEDS / 2,
  freeze: TALLIED_SEEDS / 2,
  fail_before: TALLIED_SEEDS / 2,
  fail_after: TALLIED_SEEDS / 2,
  conflict: TALLIED_SEEDS / 10,
  travel: TALLIED_SEEDS / 10,
}

describe('the same histories detect the mutant', () => {
  test.each(Object.entries(mutants))('%s', { timeout }, async (_, mutant) => {
    let wrong: string | undefined
    for (let seed = 1; !wrong && seed <= TALLIED_SEEDS; seed++) wrong = await simulate(seed, new Map(), { mutant })
    expect(wrong).toBeDefined()
  })
})
