import { createHash } from 'node:crypto'
import type { Customer } from '#shared/domain/customer.ts'
import type { Subscription, SubscriptionCustomer, SubscriptionSource } from '#shared/domain/subscription.ts'
import { isOversize } from '#shared/store/change.ts'
import { type Card, customers, findCard } from '#shared/store/customers.ts'
import { isId } from '#shared/store/keys.ts'
import type { Work } from '#shared/store/work.ts'

/** The customer of a subscription with what pays for it; either may be gone. */
export interface Payer {
  readonly customer: Customer | undefined
  readonly card: Card | undefined
}

export async function payerOf(work: Work, uuid: string): Promise<Payer> {
  if (!isId(uuid)) return { customer: undefined, card: undefined }
  const [customer, card] = await Promise.all([work.find(customers, uuid), findCard(work, uuid)])
  return { customer, card }
}

/**
 * The subscription with its customer as it is now. Of a deleted one is left what tells nobody who it was. Metadata of the
 * customer that has become too large to be kept with the subscription stays as it was: nothing may hold up a capture.
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

/** What a new subscription keeps of its customer. */
export const keptCustomer = (work: Work, customer: Customer): SubscriptionCustomer => ({
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

/** What of the payment source helps to tell why a capture failed. */
export function shownSource({ email, source }: Customer, card: Card | undefined): SubscriptionSource | null {
  if (!source) return null
  return { type: source.type, month: source.month, year: source.year, email: card?.shown.email ?? email }
}

/** A whole number that stands for an id, always the same one. */
const numberOf = (id: string): number => createHash('sha256').update(id).digest().readUIntBE(0, 6)
