/** The object of an event that leads to a PaymentIntent. */
export type FollowedObject = 'payment_intent' | 'charge' | 'refund'

/**
 * The types of events that the provider's notification endpoint takes, with the object that leads to their payment.
 * Events of other types are dropped. The state of a payment does not depend on the events with null: disputes and fraud
 * warnings, payouts, and the account itself.
 */
export const event_types: ReadonlyMap<string, FollowedObject | null> = new Map<string, FollowedObject | null>([
  ['payment_intent.succeeded', 'payment_intent'],
  ['payment_intent.payment_failed', 'payment_intent'],
  ['payment_intent.canceled', 'payment_intent'],
  ['payment_intent.requires_action', 'payment_intent'],
  ['payment_intent.processing', 'payment_intent'],
  ['payment_intent.amount_capturable_updated', 'payment_intent'],
  ['payment_intent.partially_funded', 'payment_intent'],
  ['charge.refunded', 'charge'],
  ['charge.updated', 'charge'],
  ['charge.expired', 'charge'],
  ['charge.dispute.created', null],
  ['charge.dispute.updated', null],
  ['charge.dispute.closed', null],
  ['charge.dispute.funds_withdrawn', null],
  ['charge.dispute.funds_reinstated', null],
  ['refund.created', 'refund'],
  ['refund.updated', 'refund'],
  ['refund.failed', 'refund'],
  ['radar.early_fraud_warning.created', null],
  ['payout.paid', null],
  ['payout.failed', null],
  ['payout.reconciliation_completed', null],
  ['account.updated', null],
])

/** The types of events that are polled: those of payments. A list of events can be filtered by at most 20 types. */
export const polled_types: readonly string[] = [...event_types].flatMap(([type, object]) => (object ? [type] : []))
