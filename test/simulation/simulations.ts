import { acquirer_invariants } from './acquirer-invariants.ts'
import { type AcquirerMutant, acquirer_mutants, other_acquirer_mutants } from './acquirer-mutants.ts'
import { simulateAcquirer } from './acquirer-simulation.ts'
import { delivery_invariants } from './delivery-invariants.ts'
import { delivery_mutants } from './delivery-mutants.ts'
import { simulateDeliveries } from './delivery-simulation.ts'
import { list_mutants } from './list-mutants.ts'
import { type ListMutant, list_invariants, simulateLists } from './list-simulation.ts'
import type { Mutant } from './platform.ts'
import { subscription_invariants } from './subscription-invariants.ts'
import { subscription_mutants } from './subscription-mutants.ts'
import { simulateSubscriptions } from './subscription-simulation.ts'
import type { Simulation } from './suites.ts'

export const deliveries: Simulation<Mutant> = {
  shows: 'every event reaches its receivers, or is given up after 26 attempts',
  simulate: simulateDeliveries,
  invariants: delivery_invariants,
  mutants: delivery_mutants,
}

export const subscriptions: Simulation<Mutant> = {
  shows: 'every interval is captured once and in time, or fails by the retry rules',
  simulate: simulateSubscriptions,
  invariants: subscription_invariants,
  mutants: subscription_mutants,
}

export const lists: Simulation<ListMutant> = {
  shows: 'a page is the page of the list at a moment while it was read',
  simulate: simulateLists,
  invariants: list_invariants,
  mutants: list_mutants,
}

export const acquirer: Simulation<AcquirerMutant> = {
  shows: 'the books of every payment equal those of its provider',
  simulate: simulateAcquirer,
  invariants: acquirer_invariants,
  mutants: { ...acquirer_mutants, ...other_acquirer_mutants },
}
