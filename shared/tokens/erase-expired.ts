import { erased, isOver } from '#shared/domain/secure-token.ts'
import type { Message } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { releaseHold } from './provider-verification.ts'

/**
 * Erases the payment details of a secure token that has expired. The table's own expiry may take days, and until then
 * the vault alone could open the details. A charge in flight loses the details as well: if its order never arrived, the
 * order is not sent again, and the charge fails. A hold at a provider that no payment has used is released before. Throws
 * `OutcomeUnknown` if the provider does not answer: the token stays due.
 */
export async function eraseExpired(work: UnitOfWork, { pk, sk, due_at }: Message): Promise<void> {
  const token = await work.at(secureTokens, { pk, sk })
  if (!token || token.expires_at !== due_at || !isOver(token, work.now())) return
  if (token.sealed === null && !token.at_provider) return
  await releaseHold(work, token)
  await work.commit([changed(secureTokens, { ...erased(token), at_provider: null })])
}
