import type { Invariants } from './invariants.ts'
import { process_invariants } from './invariants.ts'

/** The invariants of subscriptions, their payments and their charges at the acquirer. */
export const subscription_invariants = {
  ...process_invariants,
  interval_schedule:
    'Intervals are counted from the creation of the subscription, and no try begins before its due time.',
  capture_in_time: 'Without faults, a try begins within 10 minutes of its due time.',
  one_try_at_a_time:
    'A try is the next one of its interval, with one payment, and begins only when no other is in flight.',
  retry_after_a_day: 'A failed try is repeated after 24 hours.',
  missed_intervals_a_day_apart: 'An interval that was missed is captured a day after the interval before it.',
  outcome_of_acquirer: "A payment gets the outcome that the acquirer's ledger has.",
  one_charge_per_interval: 'The acquirer charges an interval at most once, except for charges of cancelled payments.',
  charge_amount: 'The acquirer charges the amount of the payment.',
  charge_captured_or_voided: 'At the end, a charge belongs to one captured payment of its subscription, or is voided.',
  payment_with_subscription: 'A payment changes its status in one transaction with its subscription.',
  subscription_state: 'Status, interval, tries, failures and payments follow from the tries and their outcomes.',
  events_show_state: 'Each change emits its events, and they show the new state.',
  deletion_ends_captures: 'A deletion cancels the payment in flight, and nothing is captured after it.',
  customer_owns_subscriptions: 'A running subscription has a customer.',
  settlement_movements: 'The movements to settle are those of the captured payments.',
} as const

export type SubscriptionInvariant = keyof typeof subscription_invariants

export type SubscriptionInvariants = Invariants<SubscriptionInvariant>
