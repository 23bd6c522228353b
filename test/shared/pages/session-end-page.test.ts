import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { sessionEndPage } from '#shared/pages/session-end-page.ts'
import { texts } from '#shared/pages/texts.ts'
import { aSession } from '#test/browser/customer-pages.ts'

const session = aSession()
const continue_to = 'https://shop.example/back?session_id=ses_1'

describe('the end of a session', () => {
  test.each(['completed', 'cancelled'] as const)('%s is said, and the customer is sent on', (state) => {
    for (const locale of locales) {
      const page = sessionEndPage({ session, locale, state, continue_to })
      expect(page.title).toBe(texts[locale].endings[state].title)
      expect(String(page.main)).toContain(texts[locale].endings[state].text)
      expect(String(page.main)).toContain(`href="${continue_to}"`)
      expect(page.continue_to).toBe(continue_to)
    }
  })

  test('expired is said, and the customer goes on when they have read it', () => {
    const page = sessionEndPage({ session, locale: 'en', state: 'expired', continue_to })
    expect(String(page.main)).toContain(texts.en.endings.expired.text)
    expect(String(page.main)).toContain(`href="${continue_to}"`)
    expect(page.continue_to).toBeUndefined()
  })

  test('a customer who must pay in cash stays, to see how, and can go on from here', () => {
    const instructions_url = 'https://pages.example/pages/instructions/m/pay_1'
    const page = sessionEndPage({ session, locale: 'en', state: 'completed', continue_to, instructions_url })
    expect(page.continue_to).toBeUndefined()
    expect(String(page.main)).toContain(`href="${instructions_url}"`)
    expect(String(page.main)).toContain(`href="${continue_to}"`)
    expect(String(page.main)).toContain(texts.en.endings.reserved.text)
  })

  test('without a shop to go to, it says that it is done', () => {
    const page = sessionEndPage({ session, locale: 'en', state: 'completed' })
    expect(String(page.main)).not.toContain('href')
    expect(String(page.main)).not.toContain(texts.en.continuing)
  })

  test('while the outcome is not known it asks not to pay again, and looks again by a link and by itself', () => {
    const page = sessionEndPage({ session, locale: 'en', state: 'processing', continue_to })
    expect(String(page.main)).toContain('do not pay again')
    expect(String(page.main)).toContain('href="?locale=en" data-reload')
    expect(page.continue_to).toBeUndefined()
  })

  test('a card that was saved is not said to be paid', () => {
    const page = sessionEndPage({ session: aSession({ mode: 'customer' }), locale: 'en', state: 'completed' })
    expect(String(page.main)).toContain(texts.en.card_saved.text)
  })
})
