import type { Locale } from '#shared/domain/session.ts'
import type { Checkout } from './browser-checkout.ts'
import { type Scene, scene } from './browser-scene.ts'
import { expiredInstructions, instructions, offSitePages, secureTokenPages } from './browser-scenes-of-payments.ts'
import { endedSessions, expiredSession, openSessions, refusedForms } from './browser-scenes-of-sessions.ts'

/**
 * All pages in all their states, in one language. Enter them in this order, because the last ones advance the clock.
 */
export function scenes(checkout: Checkout, locale: Locale): Scene[] {
  const { api } = checkout
  return [
    ...openSessions(checkout, locale),
    ...refusedForms(checkout, locale),
    ...endedSessions(checkout, locale),
    ...offSitePages(checkout, locale),
    ...secureTokenPages(checkout, locale),
    ...instructions(checkout, locale),
    scene('not-found', async () => `${api.url}/pages/sessions/${api.test.id}/nothing`, locale),
    expiredSession(checkout, locale),
    expiredInstructions(checkout, locale),
  ]
}
