import { Refusal } from '#shared/domain/errors.ts'
import type { SecureToken } from '#shared/domain/secure-token.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { refuseExpired } from '#shared/resources/payment-details.ts'
import type { CreateSecureToken } from '#shared/resources/secure-token.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'
import type { Work } from '#shared/store/work.ts'
import { acquirerOf } from './attempt.ts'
import { sealDetails } from './sealed-details.ts'
import { findSource, openSource } from './source.ts'

const SECURE_TOKEN_LIFE_MILLISECONDS = 60 * 60_000

/**
 * Refuses with `forbidden` a publishable key that names a customer. A publishable key is public, so anybody could charge
 * the customer's card.
 */
export function refusePublicCustomer(work: Work, request: CreateSecureToken): void {
  if (request.customer !== undefined && work.publishable)
    throw new Refusal('forbidden', {
      param: 'customer',
      message: 'Only a secret key may use the payment details of a customer.',
    })
}

/**
 * A secure token for payment details, those of a token or of a customer, whose owner is still to pass 3-D Secure. A secure
 * token of a customer's card keeps no copy of the card, so it ends with the card. Refuses like a payment with this source,
 * and live mode with `service_unavailable` where the stage has no acquirer.
 */
export async function makeSecureToken(
  work: Work,
  request: CreateSecureToken,
): Promise<{ changes: readonly Change[]; answer: SecureToken }> {
  const { amount, currency, return_url } = request
  const acquirer = acquirerOf(work, work.mode)
  const now = work.now()
  const source = await findSource(work, request)
  const details = await openSource(work, request)
  if (!details) throw new Refusal('invalid_token', { param: 'payment_details' })
  refuseExpired(details, now)
  const id = work.newId('secure_token')
  const record: SecureToken = {
    id,
    version: 0,
    verification_status: 'NEEDS_VERIFY',
    needs_verification: acquirer.needsVerification(details),
    amount,
    currency,
    return_url,
    shown: source.shown,
    expiry_days: source.expiry_days,
    sealed: source.card ? null : await sealDetails(work, id, details),
    customer_card: source.card ? { customer: source.card.customer, version: source.card.version } : null,
    created_at: timestamp(now),
    expires_at: timestamp(now + SECURE_TOKEN_LIFE_MILLISECONDS),
    spent_by: null,
  }
  return { changes: [changed(secureTokens, record), ...source.useUp(id)], answer: record }
}
