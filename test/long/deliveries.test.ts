import { deliveries } from '#test/simulation/simulations.ts'
import { testMutants, testSeeds } from '#test/simulation/suites.ts'

const FIRST_SEED = Number(process.env.DELIVERY_FIRST_SEED ?? 1_000_000)
const SEEDS = Number(process.env.DELIVERY_SEEDS ?? 20_000)

testSeeds(deliveries, { first: FIRST_SEED, seeds: SEEDS })

const TALLIED_SEEDS = 2_000

/** The minimum of each count in the statistics. Without minimums, a simulation with too few faults would pass. */
const at_least: Readonly<Record<string, number>> = {
  events: TALLIED_SEEDS,
  deliveries: TALLIED_SEEDS,
  redeliveries: TALLIED_SEEDS / 10,
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

testSeeds(deliveries, { seeds: TALLIED_SEEDS, at_least })
testMutants(deliveries)
