import type { Guide } from './guide.ts'
import { cards } from './guides/en/cards.ts'
import { cash } from './guides/en/cash.ts'
import { errors } from './guides/en/errors.ts'
import { idempotency } from './guides/en/idempotency.ts'
import { live } from './guides/en/live.ts'
import { platforms } from './guides/en/platforms.ts'
import { refunds } from './guides/en/refunds.ts'
import { sessions } from './guides/en/sessions.ts'
import { start } from './guides/en/start.ts'
import { subscriptions } from './guides/en/subscriptions.ts'
import { testing } from './guides/en/testing.ts'
import { webhooks } from './guides/en/webhooks.ts'
import type { DocsLanguage } from './site.ts'

/** The groups of the guides, in the order of the menu. Each lists the slugs of its guides in reading order. */
export const guide_groups = {
  begin: ['start', 'testing', 'live'],
  payments: ['sessions', 'cards', 'cash', 'refunds', 'subscriptions'],
  reliability: ['webhooks', 'idempotency', 'errors'],
  grow: ['platforms'],
} as const

/** The slugs of all guides, in the order of the menu. */
export const guide_slugs: readonly string[] = Object.values(guide_groups).flat()

/** The guide that is the first page of the documentation. */
export const FIRST_GUIDE = 'start'

const guides: Readonly<Record<DocsLanguage, readonly Guide[]>> = {
  en: [cards, cash, errors, idempotency, live, platforms, refunds, sessions, start, subscriptions, testing, webhooks],
  ja: [],
}

/** Returns the guides of a language, in the order of the menu. */
export const guidesIn = (language: DocsLanguage): Guide[] =>
  guide_slugs.flatMap((slug) => guideOf(slug, language) ?? [])

/** Returns a guide in a language, or undefined if it is not written in that language. */
export const guideOf = (slug: string, language: DocsLanguage): Guide | undefined =>
  guides[language].find((guide) => guide.slug === slug)

/** Returns the page of a guide: its slug, or empty for the guide that is the first page. */
export const guidePage = (slug: string): string => (slug === FIRST_GUIDE ? '' : slug)
