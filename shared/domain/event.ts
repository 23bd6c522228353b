import { payment_events } from './payment.ts'
import { subscription_events } from './subscription.ts'

/** The events about a customer. */
export const customer_events = ['customer.created', 'customer.updated', 'customer.deleted'] as const

/** Every event that a merchant can read, in the order of the API reference. */
export const event_types = [
  'ping',
  ...payment_events,
  ...customer_events,
  ...subscription_events,
  'settlement.created',
] as const

export type EventType = (typeof event_types)[number]

/** An event as stored: its type, the version of the resource that it is about, and the resource as of that version. */
export interface Event {
  readonly id: string
  readonly version: number
  readonly type: EventType
  readonly about: { readonly kind: string; readonly id: string; readonly version: number }
  /** The resource as a merchant sees it, as JSON. */
  readonly data: unknown
  readonly created_at: string
}
