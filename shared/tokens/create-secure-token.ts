import { acquirerOf } from '#shared/acquirer/attempt.ts'
import { sealDetails } from '#shared/crypto/sealed-payment-details.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { newSecureToken, type SecureToken } from '#shared/domain/secure-token.ts'
import { findSource, openSource } from '#shared/payments/payment-source.ts'
import { refuseExpired } from '#shared/resources/payment-details.ts'
import type { CreateSecureToken } from '#shared/resources/secure-token.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Refuses with `forbidden` a request with a publishable key that names a customer. Anyone can read a publishable key,
 * and could charge the customer's card.
 */
export function refusePublicCustomer(work: UnitOfWork, request: CreateSecureToken): void {
  if (request.customer !== undefined && work.publishable)
    throw new Refusal('forbidden', {
      param: 'customer',
      message:
        'Only a secret key may use the payment details of a customer. Send payment_details, or create the secure token from your server with a secret key.',
    })
}

/**
 * Creates a secure token for payment details, for those of a token or for those of a customer. Its owner then passes
 * 3-D Secure. The secure token expires after 60 minutes. A secure token of a customer's card stores no copy of the
 * card, so the token cannot be used once the card is removed or replaced. Refuses the same sources as a payment.
 * Refuses with `service_unavailable` a request in live mode on a stage without an acquirer.
 */
export async function createSecureToken(
  work: UnitOfWork,
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
  const { card, shown, expiry_days } = source
  const paid_with = card
    ? { sealed: null, customer_card: { customer: card.customer, version: card.version } }
    : { sealed: await sealDetails(work, id, details), customer_card: null }
  const needs_verification = acquirer.needsVerification(details)
  const fields = { id, amount, currency, return_url, needs_verification, shown, expiry_days, ...paid_with }
  const record = newSecureToken(fields, now)
  return { changes: [changed(secureTokens, record), ...source.useUp(id)], answer: record }
}
