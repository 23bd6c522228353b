import type { Token } from '#shared/domain/token.ts'
import { tokenKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** Tokens, stored under the look-up half of their id. The table drops a token soon after it expires. */
export const tokens: Kind<Token> = {
  name: 'token',
  key: (merchant, { lookup }) => tokenKey(merchant, lookup),
  ttl: ({ expires_at }) => Math.ceil(Date.parse(expires_at) / 1000),
}
