import { payment_events } from './payment.ts'
import { subscription_events } from './subscription.ts'

/** Every event that a merchant can read, in the reference's order. */
export const event_types = [
  'ping',
  ...payment_events,
  'customer.created',
  'customer.updated',
  'customer.deleted',
  ...subscription_events,
  'settlement.created',
] as const

export type EventType = (typeof event_types)[number]

/** An event as it is kept: what happened to which version of which resource, and the resource as it was then. */
export interface Event {
  readonly id: string
  readonly version: number
  readonly type: EventType
  readonly about: { readonly kind: string; readonly id: string; readonly version: number }
  /** The resource as a merchant sees it: JSON. */
  readonly data: unknown
  readonly created_at: string
}
