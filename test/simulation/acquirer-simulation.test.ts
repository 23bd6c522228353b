import { acquirer } from '#test/simulation/simulations.ts'
import { testEachInvariantHasMutant, testRepeatability, testSeeds } from '#test/simulation/suites.ts'

testSeeds(acquirer, { seeds: 30 })
testRepeatability(acquirer)
testEachInvariantHasMutant(acquirer)
