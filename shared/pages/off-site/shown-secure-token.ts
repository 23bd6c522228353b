import { appended } from '#shared/domain/return-url.ts'
import { isOver, type SecureToken } from '#shared/domain/secure-token.ts'
import type { Locale } from '#shared/domain/session.ts'
import type { HtmlPage } from '#shared/pages/html-page.ts'
import { secureTokenPage } from './secure-token-page.ts'

/**
 * Returns the page of a secure token at `now` (epoch milliseconds). Once the token is decided, expired or closed, the
 * page sends the customer back to the merchant.
 */
export function shownSecureToken({
  token,
  now,
  locale,
  closed = false,
}: {
  readonly token: SecureToken
  readonly now: number
  readonly locale: Locale
  readonly closed?: boolean
}): HtmlPage {
  const { id, amount, currency, shown, return_url, verification_status } = token
  const status = isOver(token, now) ? 'EXPIRED' : verification_status
  const goes = closed || status !== 'NEEDS_VERIFY'
  const continue_to = appended(return_url, 'secure_token', id)
  return secureTokenPage({ locale, status, amount, currency, shown, ...(goes && { continue_to }) })
}
