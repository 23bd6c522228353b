import type { SecureToken } from '#shared/domain/secure-token.ts'
import { recordKey } from './keys.ts'
import type { Kind } from './kind.ts'

/**
 * Secure tokens. A token that holds payment details, or an amount at a provider, falls due when its hour ends, so that
 * the details are erased and the amount is released. The table drops the rest of the record later, which can take days.
 */
export const secureTokens: Kind<SecureToken> = {
  name: 'secure_token',
  key: (merchant, { id }) => recordKey('secure_token', merchant, id),
  due: ({ sealed, at_provider, expires_at }) => (sealed !== null || at_provider ? expires_at : undefined),
  due_kind: 'secure_token',
  ttl: ({ expires_at }) => Math.ceil(Date.parse(expires_at) / 1000),
}
