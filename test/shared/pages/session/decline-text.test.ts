import { describe, expect, test } from 'vitest'
import { decline_codes } from '#shared/domain/errors.ts'
import { type Locale, locales } from '#shared/domain/session.ts'
import { declineText } from '#shared/pages/session/decline-text.ts'
import { texts } from '#shared/pages/texts/texts.ts'

describe('declineText', () => {
  test('is the text of the code in the language of the customer', () => {
    expect(declineText('en', 'card_expired')).toBe('Your card has expired. Please try another card.')
    expect(declineText('ja', 'card_expired')).toBe(texts.ja.declined.card_expired)
  })

  test.each(['refused_by_customer', 'never_arrived', 'toString', ''])('is the general text for %j', (code) => {
    expect(declineText('ko', code)).toBe(texts.ko.declined.general)
  })

  test.each(locales)('does not distinguish a suspected fraud from any other declined card in %s', (locale) => {
    expect(declineText(locale, 'fraudulent')).toBe(declineText(locale, 'card_declined'))
  })

  const next_steps: Readonly<Record<Locale, RegExp>> = {
    en: /another card|another payment method|another one|enter it again|contact|ask/,
    ja: /別の|もう一度|お問い合わせ/,
    ko: /다른|다시|문의/,
  }
  const suspicions = /fraud|stolen|lost|suspect|restrict|block|詐欺|不正|盗難|紛失|制限|사기|부정|도난|분실|제한/i

  test.each(locales)(
    'says in %s what to try, and never that a card is stolen, lost, blocked or suspected',
    (locale) => {
      for (const code of [...decline_codes, 'fraudulent', 'failed_authentication', 'general']) {
        const text = declineText(locale, code)
        expect([code, text]).toEqual([code, expect.stringMatching(next_steps[locale])])
        expect(text).not.toMatch(suspicions)
      }
    },
  )
})
