import type { Source } from '#shared/domain/customer.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { sourceOf } from '#shared/resources/customer.ts'
import { refuseExpired } from '#shared/resources/payment-details.ts'
import { type Change, changed, removed } from '#shared/store/change.ts'
import { type Card, cards, findCard } from '#shared/store/customers.ts'
import type { Work } from '#shared/store/work.ts'
import { sealDetails } from './sealed-details.ts'
import { findSource, openSource, sourceFrom } from './source.ts'

/** What a customer shows of stored details, the details' e-mail address, and the changes that store them. */
export interface StoredDetails {
  readonly source: Source | null
  readonly email: string | null
  readonly changes: readonly Change[]
}

/**
 * Stores payment details, or those of a token, for a customer, in place of what was stored before. A token is used up;
 * the verification value is not kept. Refuses like a payment with this source.
 */
export async function storeDetails(
  work: Work,
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

/** Erases the payment details of a customer for good. */
export async function eraseDetails(work: Work, customer: string): Promise<StoredDetails> {
  const card = await findCard(work, customer)
  return { source: null, email: null, changes: card ? [removed(cards, card)] : [] }
}

function withoutVerificationValue(details: PaymentDetails): PaymentDetails {
  if (details.type !== 'credit_card') return details
  const { verification_value, ...rest } = details
  return rest
}
