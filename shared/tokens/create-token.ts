import { sealDetails } from '#shared/crypto/sealed-payment-details.ts'
import { encryptWithSecret, newTokenId } from '#shared/crypto/token-secret.ts'
import { newToken, type Token } from '#shared/domain/token.ts'
import { sourceFrom } from '#shared/payments/payment-source.ts'
import { refuseExpired } from '#shared/resources/payment-details.ts'
import type { CreateToken } from '#shared/resources/token.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { tokens } from '#shared/store/tokens.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Creates a token for payment details, which expires after 60 minutes. Refuses an expired card with
 * `invalid_parameter`. The details are sealed by the vault and then encrypted with the secret half of the token's id,
 * which only the client holds, so that the table and the vault together are not enough to read a card.
 */
export async function createToken(
  work: UnitOfWork,
  { payment_details, currency }: CreateToken,
): Promise<{ changes: Change[]; answer: { record: Token; id: string } }> {
  const now = work.now()
  refuseExpired(payment_details, now)
  const { id, lookup, secret } = newTokenId(work.realNow())
  const sealed = encryptWithSecret(secret, await sealDetails(work, lookup, payment_details))
  const record = newToken({ ...sourceFrom(payment_details), lookup, currency: currency ?? null, sealed }, now)
  return { changes: [changed(tokens, record)], answer: { record, id } }
}
