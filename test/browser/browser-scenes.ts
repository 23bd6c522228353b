import type { Locale } from '#shared/domain/session.ts'
import type { LiveCheckout } from './browser-checkout.ts'
import type { Scene } from './browser-scene.ts'
import { livePages } from './browser-scenes-of-live-payments.ts'
import { expiredInstructions, instructions, offSitePages, secureTokenPages } from './browser-scenes-of-payments.ts'
import { lostConnections, problems } from './browser-scenes-of-problems.ts'
import {
  endedSessions,
  expiredCard,
  expiredSession,
  openSessions,
  receiptOfSession,
  refusedForms,
} from './browser-scenes-of-sessions.ts'

/**
 * All pages in all their states, in one language. Enter them in this order, because the last ones advance the clock.
 */
export function scenes(checkout: LiveCheckout, locale: Locale): Scene[] {
  return [
    ...openSessions(checkout, locale),
    ...refusedForms(checkout, locale),
    ...lostConnections(checkout, locale),
    ...endedSessions(checkout, locale),
    ...offSitePages(checkout, locale),
    ...secureTokenPages(checkout, locale),
    ...instructions(checkout, locale),
    ...livePages(checkout, locale),
    ...problems(checkout, locale),
    receiptOfSession(checkout, locale),
    expiredSession(checkout, locale),
    expiredInstructions(checkout, locale),
    expiredCard(checkout, locale),
  ]
}
