import type { EventType } from './event.ts'
import type { Metadata } from './payment.ts'
import type { CardBrand, PaymentType } from './payment-details.ts'
import { timestamp } from './timestamp.ts'

/**
 * The part of a customer's stored payment details that can be shown. For payment details other than a card, every field
 * except `type` is null.
 */
export interface Source {
  readonly type: PaymentType
  readonly brand: CardBrand | null
  readonly last_four_digits: string | null
  readonly month: number | null
  readonly year: number | null
}

/** A customer as stored. The payment details are stored in a separate record, sealed by the vault. */
export interface Customer {
  readonly id: string
  readonly version: number
  readonly email: string | null
  /** Shown only in the customer that is embedded in a subscription. */
  readonly currency: string | null
  readonly source: Source | null
  readonly metadata: Metadata
  readonly created_at: string
  /** Shown only in the customer that is embedded in a subscription. */
  readonly updated_at: string
}

/** The next state of a customer, and the events that the change emits. */
export interface CustomerDecision {
  readonly next: Customer
  readonly events: readonly EventType[]
}

/**
 * Creates a customer with stored payment details. If `fields` has no e-mail address, the customer gets the address of
 * the payment details.
 */
export function createCustomer(
  id: string,
  fields: Pick<Customer, 'email' | 'currency' | 'metadata'>,
  stored: Pick<Customer, 'email' | 'source'>,
  now: number,
): CustomerDecision {
  const { currency, metadata } = fields
  const at = timestamp(now)
  const next: Customer = {
    id,
    version: 0,
    email: fields.email ?? stored.email,
    currency,
    source: stored.source,
    metadata,
    created_at: at,
    updated_at: at,
  }
  return { next, events: ['customer.created'] }
}

/** Changes the given fields of a customer. Replacing the payment details does not change the e-mail address. */
export const updateCustomer = (
  customer: Customer,
  fields: Partial<Pick<Customer, 'email' | 'currency' | 'metadata' | 'source'>>,
  now: number,
): CustomerDecision => ({
  next: { ...customer, ...fields, updated_at: timestamp(now) },
  events: ['customer.updated'],
})

/** Returns a deleted customer as its last event and the response show it. The payment details are erased. */
export const deleteCustomer = (customer: Customer): CustomerDecision => ({
  next: { ...customer, source: null },
  events: ['customer.deleted'],
})
