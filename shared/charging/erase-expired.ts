import { erased, isOver } from '#shared/domain/secure-token.ts'
import type { Message } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'
import type { Work } from '#shared/store/work.ts'

/**
 * Erases the payment details of a secure token whose hour has ended. The table's own expiry may take days, and until then
 * the vault alone would open them. A charge that is still out loses them as well: what of it never arrived is given up.
 */
export async function eraseExpired(work: Work, { pk, sk, due_at }: Message): Promise<void> {
  const token = await work.at(secureTokens, { pk, sk })
  if (!token?.sealed || token.expires_at !== due_at || !isOver(token, work.now())) return
  await work.commit([changed(secureTokens, erased(token))])
}
