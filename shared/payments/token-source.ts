import { openDetails } from '#shared/crypto/sealed-payment-details.ts'
import { decryptWithSecret, halvesOf } from '#shared/crypto/token-secret.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import type { Token } from '#shared/domain/token.ts'
import { SealBroken } from '#shared/platform/ports.ts'
import { changed, removed } from '#shared/store/change.ts'
import { tokenKey } from '#shared/store/keys.ts'
import { tokens } from '#shared/store/tokens.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { FoundSource } from './found-source.ts'

/**
 * The source of a token that was not spent yet. Refuses with `invalid_token` a token that cannot be used, and with
 * `invalid_currency` a token of another currency.
 */
export async function tokenSource(
  work: UnitOfWork,
  id: string,
  currency: string | null | undefined,
): Promise<FoundSource> {
  const token = await findToken(work, id)
  if (!token || token.spent_by || Date.parse(token.expires_at) <= work.now())
    throw new Refusal('invalid_token', { param: 'payment_details' })
  unlocked(token, id)
  if (token.currency && currency && token.currency !== currency)
    throw new Refusal('invalid_currency', {
      param: 'currency',
      message: `currency must be ${token.currency}, for which the token was made.`,
    })
  const { shown, expiry_days, lookup } = token
  return {
    ...{ shown, expiry_days, token: lookup },
    use: (user) => [changed(tokens, { ...token, spent_by: user })],
    useUp: () => [removed(tokens, token)],
  }
}

/** Opens the payment details of a token. Returns undefined if there is no such token. */
export async function openToken(work: UnitOfWork, id: string): Promise<PaymentDetails | undefined> {
  const token = await findToken(work, id)
  return token && openDetails(work, token.lookup, unlocked(token, id))
}

/** The token with this id; undefined if there is none. The secret half of the id is not checked. */
export async function findToken(work: UnitOfWork, id: string): Promise<Token | undefined> {
  const halves = halvesOf(id)
  return halves && work.at(tokens, tokenKey(work.merchant, halves.lookup))
}

/** Decrypts the details of a token with the secret half of its id. A wrong half is refused like an unknown token. */
function unlocked(token: Token, id: string): string {
  try {
    return decryptWithSecret(halvesOf(id)!.secret, token.sealed)
  } catch (error) {
    if (error instanceof SealBroken) throw new Refusal('invalid_token', { param: 'payment_details' })
    throw error
  }
}
