import { subscriptions } from '#test/simulation/simulations.ts'
import { testEachInvariantHasMutant, testRepeatability, testSeeds } from '#test/simulation/suites.ts'

testSeeds(subscriptions, { seeds: 200 })
testRepeatability(subscriptions)
testEachInvariantHasMutant(subscriptions)
