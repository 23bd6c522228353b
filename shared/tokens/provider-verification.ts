import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { withAcquirerTimeout } from '#shared/acquirer/acquirer-timeout.ts'
import { acquirerOf } from '#shared/acquirer/acquirers.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
import { isOver, type ProviderVerification, type SecureToken, verified } from '#shared/domain/secure-token.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Returns the secure token as its 3-D Secure stands now. A card without 3-D Secure is `SKIPPED`. For 3-D Secure at a
 * provider, the provider is asked; without an answer, the token stays unchanged.
 */
export async function verifiedNow(work: UnitOfWork, token: SecureToken): Promise<SecureToken> {
  if (token.verification_status !== 'NEEDS_VERIFY' || isOver(token, work.now())) return token
  if (!token.needs_verification) return verified(token, 'skip')
  const { at_provider } = token
  if (!at_provider) return token
  const order = { ...holdOf(work, token, at_provider), reference: at_provider.reference }
  try {
    const acquirer = acquirerOf(work, work.mode, at_provider)
    const { result } = await withAcquirerTimeout(work, (within) => acquirer.inquire(order, {}, within))
    if (result === 'authorized') return verified(token, 'authenticate')
    return result === 'declined' ? verified(token, 'fail') : token
  } catch (error) {
    if (error instanceof OutcomeUnknown) return token
    throw error
  }
}

/** Releases the hold of a secure token that no payment has used. A payment voids or captures the hold that it uses. */
export async function releaseHold(work: UnitOfWork, token: SecureToken): Promise<void> {
  const { at_provider, spent_by } = token
  if (!at_provider || spent_by?.startsWith('pay_')) return
  const order: Order = {
    ...holdOf(work, token, at_provider),
    ...{ operation: 'void', key: `${token.id}-void`, because: 'unwanted' },
  }
  const acquirer = acquirerOf(work, work.mode, at_provider)
  await withAcquirerTimeout(work, (within) => acquirer.send(order, within))
}

/** The hold of a secure token as an order for its amount. */
function holdOf(work: UnitOfWork, token: SecureToken, { reference }: ProviderVerification): Order {
  const { id, amount, currency, shown, created_at, expires_at } = token
  const key = `${id}-verification`
  const url = pageUrl(work, 'secure_tokens', id)
  return {
    ...{ key, charge: key, operation: 'charge', attempt: 1, merchant: work.merchant, payment: id },
    ...{ type: shown.type, store: null, amount, currency, capture: false, interval: null, verified: true },
    ...{ sent_at: created_at, deadline: expires_at, locale: 'en', reference: null, of: reference, customer: null },
    ...{ redirect_url: url, return_url: url, instructions_url: url },
  }
}
