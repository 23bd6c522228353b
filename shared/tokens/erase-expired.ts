import { erased, isOver } from '#shared/domain/secure-token.ts'
import type { Message } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Erases the payment details of a secure token that has expired. The table's own expiry may take days, and until then
 * the vault alone could open the details. A charge in flight loses the details as well: if its order never arrived, the
 * order is not sent again, and the charge fails.
 */
export async function eraseExpired(work: UnitOfWork, { pk, sk, due_at }: Message): Promise<void> {
  const token = await work.at(secureTokens, { pk, sk })
  if (!token?.sealed || token.expires_at !== due_at || !isOver(token, work.now())) return
  await work.commit([changed(secureTokens, erased(token))])
}
