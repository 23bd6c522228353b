import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { sessionEndPage } from '#shared/pages/last-pages/session-end-page.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aSession } from '#test/browser/customer-pages.ts'

const session = aSession()
const continue_to = 'https://shop.example/back?session_id=ses_1'

describe('sessionEndPage', () => {
  test.each(['completed', 'cancelled'] as const)('shows that the session is %s, and sends the customer on', (state) => {
    for (const locale of locales) {
      const page = sessionEndPage({ session, locale, state, continue_to })
      expect(page.title).toBe(texts[locale].endings[state].title)
      expect(String(page.main)).toContain(texts[locale].endings[state].text)
      expect(String(page.main)).toContain(`href="${continue_to}"`)
      expect(page.continue_to).toBe(continue_to)
    }
  })

  test('shows that the session is expired, and lets the customer go on', () => {
    const page = sessionEndPage({ session, locale: 'en', state: 'expired', continue_to })
    expect(String(page.main)).toContain(texts.en.endings.expired.text)
    expect(String(page.main)).toContain(`href="${continue_to}"`)
    expect(page.continue_to).toBeUndefined()
  })

  test('keeps a customer who must pay in cash, with links to the instructions and to the shop', () => {
    const instructions_url = 'https://pages.example/pages/instructions/m/pay_1'
    const page = sessionEndPage({ session, locale: 'en', state: 'completed', continue_to, instructions_url })
    expect(page.continue_to).toBeUndefined()
    expect(String(page.main)).toContain(`href="${instructions_url}"`)
    expect(String(page.main)).toContain(`href="${continue_to}"`)
    expect(String(page.main)).toContain(texts.en.endings.reserved.text)
  })

  test('shows the end without a link if there is no shop', () => {
    const page = sessionEndPage({ session, locale: 'en', state: 'completed' })
    expect(String(page.main)).not.toContain('href')
    expect(String(page.main)).not.toContain(texts.en.continuing)
  })

  test('asks not to pay again while the outcome is unknown, and reloads by a link and by itself', () => {
    const page = sessionEndPage({ session, locale: 'en', state: 'processing', continue_to })
    expect(String(page.main)).toContain('do not pay again')
    expect(String(page.main)).toContain('href="?locale=en" data-reload')
    expect(page.continue_to).toBeUndefined()
  })

  test('shows that a card was saved, not paid', () => {
    const page = sessionEndPage({ session: aSession({ mode: 'customer' }), locale: 'en', state: 'completed' })
    expect(String(page.main)).toContain(texts.en.card_saved.text)
  })
})
