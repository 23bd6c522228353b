import { type Invariants, process_invariants } from './invariants.ts'

/** The invariants of payments at a provider. */
export const acquirer_invariants = {
  ...process_invariants,
  one_charge: 'A charge has one PaymentIntent, which takes or holds money once.',
  same_request_per_key: 'A request under an idempotency key is only repeated unchanged.',
  given_up_for_good: 'A charge that was given up takes no money afterwards.',
  equal_books: 'At the end, a payment took, returned and holds the same money here and at the provider.',
  ended_without_money: 'At the end, no failed, expired or cancelled payment has money at the provider.',
  events_of_states: 'Each change of a payment follows the state table and emits its events.',
  alarms_are_true: 'An alarm about a payment is raised only if its books differ.',
  paid_in_time: 'What a customer pays is recorded within seven hours, even if the provider reports nothing.',
} as const

export type AcquirerInvariant = keyof typeof acquirer_invariants

export type AcquirerInvariants = Invariants<AcquirerInvariant>
