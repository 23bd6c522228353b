import type { Period } from './calendar.ts'
import type { Metadata } from './payment.ts'

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

/** The customer of a subscription as it was when the subscription last changed. The numbers are made from the ids. */
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

/** What a merchant sees of the payment source, to tell why a capture failed. */
export interface SubscriptionSource {
  readonly type: string
  readonly month: number | null
  readonly year: number | null
  readonly email: string | null
}

/** A subscription as it is kept. Its intervals are counted from `created_at`, when the first was captured. */
export interface Subscription {
  readonly id: string
  readonly version: number
  readonly status: SubscriptionStatus
  /** Charged for every interval, in the currency's smallest unit. */
  readonly amount: number
  readonly currency: string
  readonly period: Period
  readonly customer: SubscriptionCustomer
  readonly payment_details: SubscriptionSource | null
  /** The interval that is to be captured next, or is being captured: 0 is the first. */
  readonly interval: number
  /** How often it was tried; with the interval it names the charge at the acquirer. */
  readonly tries: number
  readonly retry_count: number
  readonly retry_at: string | null
  /** After an outage the intervals that were missed are captured a day apart. */
  readonly not_before: string | null
  /** The payment whose outcome is not known yet. */
  readonly in_flight: string | null
  readonly payments: readonly string[]
  readonly metadata: Metadata
  readonly created_at: string
  readonly ended_at: string | null
}
