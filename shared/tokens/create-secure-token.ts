import { type Acquirer, OutcomeUnknown, type Verification, type Verified } from '#shared/acquirer/acquirer.ts'
import { withAcquirerTimeout } from '#shared/acquirer/acquirer-timeout.ts'
import { acquirerOf, providerOf, refuseWithoutAnswers } from '#shared/acquirer/acquirers.ts'
import { wantedCharge } from '#shared/acquirer/attempt.ts'
import { sealDetails } from '#shared/crypto/sealed-payment-details.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
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
 * Refuses with `service_unavailable` a request in live mode on a stage without an acquirer, and any request while the
 * acquirer does not answer.
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
  acquirer.accepts({ ...wantedCharge(source.shown, currency), amount: amount || null, deadline: null })
  refuseWithoutAnswers(work)
  const id = work.newId('secure_token')
  const { card, shown, expiry_days } = source
  const paid_with = card
    ? { sealed: null, customer_card: { customer: card.customer, version: card.version } }
    : { sealed: await sealDetails(work, id, details), customer_card: null }
  const verification = {
    ...{ token: id, merchant: work.merchant, details, amount, currency },
    return_url: pageUrl(work, 'secure_tokens', id),
  }
  const { needs_verification, redirect_url, reference } = await started(work, acquirer, verification)
  const provider = providerOf(work, work.mode)!
  const at_provider = reference === null ? null : { provider, reference, redirect_url }
  const fields = { id, amount, currency, return_url, needs_verification, at_provider, shown, expiry_days, ...paid_with }
  const record = newSecureToken(fields, now)
  return { changes: [changed(secureTokens, record), ...source.useUp(id)], answer: record }
}

/** Starts the verification of a card. Refuses with `service_unavailable` if the acquirer does not answer. */
async function started(work: UnitOfWork, acquirer: Acquirer, verification: Verification): Promise<Verified> {
  try {
    return await withAcquirerTimeout(work, (within) => acquirer.verify(verification, within))
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw new Refusal('service_unavailable')
    throw error
  }
}
