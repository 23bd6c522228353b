import { timestamp } from '#shared/domain/timestamp.ts'
import type { Token } from '#shared/domain/token.ts'
import { refuseExpired } from '#shared/resources/payment-details.ts'
import type { CreateToken } from '#shared/resources/token.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { tokens } from '#shared/store/tokens.ts'
import type { Work } from '#shared/store/work.ts'
import { sealDetails } from './sealed-details.ts'
import { sourceFrom } from './source.ts'
import { lockWith, newTokenId } from './token-id.ts'

const TOKEN_LIFE_MILLISECONDS = 60 * 60_000

/**
 * A token for payment details. They are sealed by the vault and locked with the half of the token's id that only the
 * client has, so that whoever reads the table, even with the vault, reads no card.
 */
export async function makeToken(
  work: Work,
  { payment_details, currency }: CreateToken,
): Promise<{ changes: Change[]; answer: { record: Token; id: string } }> {
  const now = work.now()
  refuseExpired(payment_details, now)
  const { id, lookup, secret } = newTokenId(now)
  const { shown, expiry_days } = sourceFrom(payment_details)
  const record: Token = {
    lookup,
    version: 0,
    currency: currency ?? null,
    shown,
    expiry_days,
    sealed: lockWith(secret, await sealDetails(work, lookup, payment_details)),
    created_at: timestamp(now),
    expires_at: timestamp(now + TOKEN_LIFE_MILLISECONDS),
    spent_by: null,
  }
  return { changes: [changed(tokens, record)], answer: { record, id } }
}
