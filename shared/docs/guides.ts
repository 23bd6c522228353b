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
import { cards as cards_ja } from './guides/ja/cards.ts'
import { cash as cash_ja } from './guides/ja/cash.ts'
import { errors as errors_ja } from './guides/ja/errors.ts'
import { idempotency as idempotency_ja } from './guides/ja/idempotency.ts'
import { live as live_ja } from './guides/ja/live.ts'
import { platforms as platforms_ja } from './guides/ja/platforms.ts'
import { refunds as refunds_ja } from './guides/ja/refunds.ts'
import { sessions as sessions_ja } from './guides/ja/sessions.ts'
import { start as start_ja } from './guides/ja/start.ts'
import { subscriptions as subscriptions_ja } from './guides/ja/subscriptions.ts'
import { testing as testing_ja } from './guides/ja/testing.ts'
import { webhooks as webhooks_ja } from './guides/ja/webhooks.ts'
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
  ja: [
    cards_ja,
    cash_ja,
    errors_ja,
    idempotency_ja,
    live_ja,
    platforms_ja,
    refunds_ja,
    sessions_ja,
    start_ja,
    subscriptions_ja,
    testing_ja,
    webhooks_ja,
  ],
}

/** Returns the guides of a language, in the order of the menu. */
export const guidesIn = (language: DocsLanguage): Guide[] =>
  guide_slugs.flatMap((slug) => guideOf(slug, language) ?? [])

/** Returns a guide in a language, or undefined if it is not written in that language. */
export const guideOf = (slug: string, language: DocsLanguage): Guide | undefined =>
  guides[language].find((guide) => guide.slug === slug)

/** Returns the page of a guide: its slug, or empty for the guide that is the first page. */
export const guidePage = (slug: string): string => (slug === FIRST_GUIDE ? '' : slug)
