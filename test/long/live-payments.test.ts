import { acquirer } from '#test/simulation/simulations.ts'
import { testMutants, testSeeds } from '#test/simulation/suites.ts'

const FIRST_SEED = Number(process.env.ACQUIRER_FIRST_SEED ?? 1_000_000)
const SEEDS = Number(process.env.ACQUIRER_SEEDS ?? 500)

/** The minimum of each count in the statistics. Without minimums, a simulation with too few faults would pass. */
const at_least: Readonly<Record<string, number>> = {
  payments: 4 * SEEDS,
  captured: SEEDS,
  refunded: SEEDS / 20,
  failed: SEEDS / 2,
  cancelled: SEEDS / 10,
  expired: SEEDS / 5,
  'customers paid': SEEDS / 2,
  'paid unreported': SEEDS / 10,
  ...Object.fromEntries(
    [
      ...['crash_before', 'crash_after', 'never_arrives', 'arrives_late', 'answer_lost', 'answer_late', 'cut_mid_body'],
      ...['not_json', 'stored_500', 'unexecuted_500', 'key_in_use', 'rate_limit', 'lock_timeout', 'key_rolled'],
      ...['notified_first', 'paid_first', 'freeze', 'fail_before', 'fail_after', 'sweep missed', 'lost', 'doubled'],
    ].map((fault) => [fault, SEEDS / 5]),
  ),
}

testSeeds(acquirer, { first: FIRST_SEED, seeds: SEEDS, at_least })
testMutants(acquirer)
