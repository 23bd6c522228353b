import { page } from '#shared/http/page.ts'
import { shownSecureToken } from '#shared/pages/off-site/shown-secure-token.ts'
import { changed } from '#shared/store/change.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'
import { verifiedNow } from '#shared/tokens/provider-verification.ts'

/**
 * Shows the page where the owner of a card passes 3-D Secure. If the card needs no 3-D Secure, or the owner comes back
 * from 3-D Secure at a provider, the owner returns to the merchant at once.
 */
export const handler = page('GET /pages/secure_tokens/:merchant/:id', {
  async run({ params, work, now, locale, preferred_locale }) {
    const before = await work.get(secureTokens, params.id)
    const token = await verifiedNow(work, before)
    return {
      changes: token === before ? [] : [changed(secureTokens, token)],
      page: shownSecureToken({ token, now, locale: locale ?? preferred_locale, closed: Boolean(before.at_provider) }),
    }
  },
})
