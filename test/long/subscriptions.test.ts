import { subscriptions } from '#test/simulation/simulations.ts'
import { testMutants, testSeeds } from '#test/simulation/suites.ts'

const FIRST_SEED = Number(process.env.SUBSCRIPTION_FIRST_SEED ?? 1_000_000)
const SEEDS = Number(process.env.SUBSCRIPTION_SEEDS ?? 20_000)

testSeeds(subscriptions, { first: FIRST_SEED, seeds: SEEDS })

const TALLIED_SEEDS = 2_000

/** The minimum of each count in the statistics. Without minimums, a simulation with too few faults would pass. */
const at_least: Readonly<Record<string, number>> = {
  subscriptions: TALLIED_SEEDS,
  captures: 2 * TALLIED_SEEDS,
  declined: TALLIED_SEEDS / 2,
  suspended: TALLIED_SEEDS / 5,
  deleted: TALLIED_SEEDS / 5,
  voided: TALLIED_SEEDS / 100,
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

testSeeds(subscriptions, { seeds: TALLIED_SEEDS, at_least })
testMutants(subscriptions)
