import { isSandbox } from '#shared/acquirer/acquirers.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
import { isOver, verified } from '#shared/domain/secure-token.ts'
import { page } from '#shared/http/page.ts'
import { shownSecureToken } from '#shared/pages/off-site/shown-secure-token.ts'
import { changed } from '#shared/store/change.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'

/**
 * Records what the owner of a card chooses on the sandbox's page: pass or fail 3-D Secure, or close the page without a
 * decision.
 */
export const handler = page('POST /pages/secure_tokens/:merchant/:id', {
  async run({ params, form, work, now, preferred_locale, locale = preferred_locale }) {
    if (!isSandbox(work)) throw new Refusal('not_found')
    const before = await work.get(secureTokens, params.id)
    const { decision } = form
    if (decision === 'close') return { page: shownSecureToken({ token: before, now, locale, closed: true }) }
    const decides = (decision === 'authenticate' || decision === 'fail') && !isOver(before, now)
    const token = decides ? verified(before, decision) : before
    return {
      changes: token === before ? [] : [changed(secureTokens, token)],
      see: `${pageUrl(work, 'secure_tokens', before.id)}?locale=${locale}`,
    }
  },
})
