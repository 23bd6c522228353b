import { deliveries } from '#test/simulation/simulations.ts'
import { testEachInvariantHasMutant, testRepeatability, testSeeds } from '#test/simulation/suites.ts'

testSeeds(deliveries, { seeds: 100 })
testRepeatability(deliveries)
testEachInvariantHasMutant(deliveries)
