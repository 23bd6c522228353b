import { createHash } from 'node:crypto'
import type { Customer } from '#shared/domain/customer.ts'
import type { Subscription, SubscriptionCustomer, SubscriptionSource } from '#shared/domain/subscription.ts'
import { isOversize } from './change.ts'
import { type Card, customers, findCard } from './customers.ts'
import { isId } from './keys.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** The customer of a subscription, and the stored card that pays for it. Each is undefined if it is deleted. */
export interface Payer {
  readonly customer: Customer | undefined
  readonly card: Card | undefined
}

export async function payerOf(work: UnitOfWork, uuid: string): Promise<Payer> {
  if (!isId(uuid)) return { customer: undefined, card: undefined }
  const [customer, card] = await Promise.all([work.find(customers, uuid), findCard(work, uuid)])
  return { customer, card }
}

/**
 * The subscription with the current data of its customer. Once the customer is deleted, the e-mail address and the
 * payment details are null. Metadata that would make the subscription too large to store is not updated, because
 * nothing may prevent a capture.
 */
export function withPayer(subscription: Subscription, { customer, card }: Payer): Subscription {
  if (!customer) return { ...subscription, customer: { ...subscription.customer, email: null }, payment_details: null }
  const seen = {
    ...subscription,
    customer: { ...subscription.customer, ...shownCustomer(customer) },
    payment_details: shownSource(customer, card),
  }
  if (!isOversize(seen)) return seen
  return { ...seen, customer: { ...seen.customer, metadata: subscription.customer.metadata } }
}

/** The copy of a customer that a new subscription stores. */
export const keptCustomer = (work: UnitOfWork, customer: Customer): SubscriptionCustomer => ({
  number: numberOf(customer.id),
  merchant_number: numberOf(work.merchant),
  uuid: customer.id,
  ...shownCustomer(customer),
})

const shownCustomer = ({ created_at, updated_at, email, currency, metadata }: Customer) => ({
  created_at,
  updated_at,
  email,
  currency,
  metadata,
})

/** The part of the payment source that helps a merchant find out why a capture failed. */
export function shownSource({ email, source }: Customer, card: Card | undefined): SubscriptionSource | null {
  if (!source) return null
  return { type: source.type, month: source.month, year: source.year, email: card?.shown.email ?? email }
}

/** A whole number derived from an id: 48 bits of its hash. */
const numberOf = (id: string): number => createHash('sha256').update(id).digest().readUIntBE(0, 6)
