import type { Period } from './calendar.ts'
import type { CaptureFailureCode } from './failure.ts'
import type { Metadata } from './payment.ts'
import type { PaymentType } from './payment-details.ts'
import { timestamp } from './timestamp.ts'

export const subscription_statuses = ['pending', 'active', 'retrying', 'suspended', 'deleted'] as const

export type SubscriptionStatus = (typeof subscription_statuses)[number]

export const subscription_events = [
  'subscription.created',
  'subscription.captured',
  'subscription.failed',
  'subscription.suspended',
  'subscription.deleted',
] as const

export type SubscriptionEvent = (typeof subscription_events)[number]

/** The customer of a subscription as of the subscription's last change. The numbers are derived from the ids. */
export interface SubscriptionCustomer {
  readonly number: number
  readonly merchant_number: number
  readonly uuid: string
  readonly created_at: string
  readonly updated_at: string
  readonly email: string | null
  readonly currency: string | null
  readonly metadata: Metadata
}

/** The part of the payment source that helps a merchant to see why a capture failed. */
export interface SubscriptionSource {
  readonly type: PaymentType
  readonly month: number | null
  readonly year: number | null
  readonly email: string | null
}

/** The latest failed capture of a subscription. `payment` is null if the try failed before a payment was created. */
export interface CaptureFailure {
  readonly code: CaptureFailureCode
  readonly payment: string | null
  readonly failed_at: string
}

/** A subscription as stored. Its first interval starts at `created_at`, and the others are counted from there. */
export interface Subscription {
  readonly id: string
  readonly version: number
  readonly status: SubscriptionStatus
  /** The price of one interval, in the currency's smallest unit. */
  readonly amount: number
  readonly currency: string
  readonly period: Period
  readonly customer: SubscriptionCustomer
  readonly payment_details: SubscriptionSource | null
  /** The interval that is captured next or is being captured. The first is 0. */
  readonly interval: number
  /** The number of tries to capture the interval. Interval and try identify the charge at the acquirer. */
  readonly tries: number
  readonly retry_count: number
  readonly retry_at: string | null
  /** The earliest time of the next capture. After an outage, missed intervals are captured a day apart. */
  readonly not_before: string | null
  /** The payment whose outcome is unknown. */
  readonly in_flight: string | null
  readonly payments: readonly string[]
  /** Null before the first failure. Absent for subscriptions that were stored before failures were kept. */
  readonly last_failure?: CaptureFailure | null
  readonly metadata: Metadata
  readonly created_at: string
  readonly ended_at: string | null
}

/** Returns a new subscription. Its first interval is due now and is captured with its creation. */
export const newSubscription = (
  fields: Pick<Subscription, 'id' | 'amount' | 'currency' | 'period' | 'customer' | 'metadata'>,
  now: number,
): Subscription => ({
  ...fields,
  version: 0,
  status: 'pending',
  payment_details: null,
  interval: 0,
  tries: 0,
  retry_count: 0,
  retry_at: null,
  not_before: null,
  in_flight: null,
  payments: [],
  created_at: timestamp(now),
  ended_at: null,
})
