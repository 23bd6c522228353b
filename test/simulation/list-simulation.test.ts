import { lists } from '#test/simulation/simulations.ts'
import { testEachInvariantHasMutant, testSeeds } from '#test/simulation/suites.ts'

const SEEDS = 300

/** How often each kind of step must occur at least, in all histories together. Each history reads nine pages. */
const often = SEEDS / 10
const at_least = {
  reads: SEEDS * 9,
  crossed: often,
  created: often,
  changed: often,
  deleted: often,
  late: often,
  refused: often,
}

testSeeds(lists, { seeds: SEEDS, at_least })
testEachInvariantHasMutant(lists)
