import { sealDetails } from '#shared/crypto/sealed-payment-details.ts'
import type { Customer, Source } from '#shared/domain/customer.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { type PaymentDetails, withoutVerificationValue } from '#shared/domain/payment-details.ts'
import { findSource, openSource, sourceFrom } from '#shared/payments/payment-source.ts'
import { sourceOf } from '#shared/resources/customer.ts'
import { refuseExpired } from '#shared/resources/payment-details.ts'
import { type Change, changed, removed } from '#shared/store/change.ts'
import { type Card, cards, findCard } from '#shared/store/customers.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** The part of stored payment details that can be shown, their e-mail address, and the changes to commit. */
export interface StoredDetails {
  readonly source: Source | null
  readonly email: string | null
  readonly changes: readonly Change[]
}

/**
 * Returns the changes that store payment details, or those of a token, for a customer. The details replace those stored
 * before. A token is used up. The verification value is not stored. Refuses the same sources as a payment.
 */
export async function storeDetails(
  work: UnitOfWork,
  customer: string,
  payment_details: PaymentDetails | string,
): Promise<StoredDetails> {
  const source = await findSource(work, { payment_details })
  const given = await openSource(work, { payment_details })
  if (!given) throw new Refusal('invalid_token', { param: 'payment_details' })
  refuseExpired(given, work.now())
  const details = withoutVerificationValue(given)
  const before = await findCard(work, customer)
  const sealed = await sealDetails(work, customer, details)
  const card: Card = { ...sourceFrom(details), customer, sealed, version: before?.version ?? 0 }
  return {
    source: sourceOf(card.shown),
    email: details.email ?? null,
    changes: [changed(cards, card), ...source.useUp(customer)],
  }
}

/**
 * Returns the changes that replace the payment details of a customer: undefined keeps those stored, and null erases
 * them.
 */
export async function replaceDetails(
  work: UnitOfWork,
  { id, source }: Customer,
  payment_details: PaymentDetails | string | null | undefined,
): Promise<Pick<StoredDetails, 'source' | 'changes'>> {
  if (payment_details === undefined) return { source, changes: [] }
  return payment_details === null ? eraseDetails(work, id) : storeDetails(work, id, payment_details)
}

/** Returns the change that permanently erases the payment details of a customer. */
export async function eraseDetails(work: UnitOfWork, customer: string): Promise<StoredDetails> {
  const card = await findCard(work, customer)
  return { source: null, email: null, changes: card ? [removed(cards, card)] : [] }
}
