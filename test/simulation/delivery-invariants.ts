import type { Invariants } from './invariants.ts'
import { process_invariants } from './invariants.ts'

/** The invariants of events and their deliveries. */
export const delivery_invariants = {
  ...process_invariants,
  one_delivery_per_receiver: 'An event has at most one delivery to each receiver.',
  every_receiver_has_delivery:
    'An event has a delivery to each receiver that subscribed to it before and until the fan-out.',
  only_subscribed_receivers: 'A receiver gets a delivery only of an event to which it subscribes.',
  deliveries_kept: 'Deliveries and their attempts are never deleted.',
  lease_is_exclusive:
    'A lease runs until its worker records the attempt, or until its time is over. No other worker takes it before.',
  attempt_not_early: 'A worker takes the lease of a delivery only while it is pending, and not before it is due.',
  attempt_in_time: 'Without faults, a worker takes the lease within 15 seconds of the due time.',
  post_under_lease: 'A worker that met no fault posts only while it holds the lease.',
  post_shows_event: 'Every POST of a delivery has the id, the type and the same bytes of its event.',
  post_to_current_url: 'A worker posts to a URL that the receiver had since the worker began.',
  recorded_by_lease_holder: 'Only the worker that holds the lease records an attempt.',
  recorded_with_delivery: 'An attempt and the state of its delivery are recorded in one transaction.',
  attempts_match_posts:
    'Each recorded attempt is one POST, and each POST of a worker that met no fault is recorded once.',
  delivery_state: 'Status, number of attempts and time of failure follow from the recorded attempts.',
  retry_schedule: 'The next attempt is due at the time of the retry schedule, or at once after a redelivery.',
  recovery_complete: 'A recovery delivers again everything that had failed when it was requested.',
  list_entries: 'Each delivery has its entries in the lists, with its current status.',
  list_counts: 'The first page of a list has the exact total and the newest entries.',
} as const

export type DeliveryInvariant = keyof typeof delivery_invariants

export type DeliveryInvariants = Invariants<DeliveryInvariant>
