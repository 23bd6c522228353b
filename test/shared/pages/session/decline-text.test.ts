import { describe, expect, test } from 'vitest'
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

  test.each(['ja', 'en', 'ko'] as const)('does not reveal a suspected fraud in %s', (locale) => {
    expect(declineText(locale, 'fraudulent')).not.toMatch(/fraud|詐欺|不正|사기|부정/i)
  })
})
