import type { SecureToken } from '#shared/domain/secure-token.ts'
import { recordKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** Secure tokens. The table drops them soon after they expire. */
export const secureTokens: Kind<SecureToken> = {
  name: 'secure_token',
  key: (merchant, { id }) => recordKey('secure_token', merchant, id),
  ttl: ({ expires_at }) => Math.ceil(Date.parse(expires_at) / 1000),
}
