import { describe, expect, test } from 'vitest'
import { locales, type Session } from '#shared/domain/session.ts'
import { type SessionEndPageInput, sessionEndPage } from '#shared/pages/last-pages/session-end-page.ts'
import { watch_script } from '#shared/pages/scripts/last-page-script.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aPayment, aSession, NOW, shownCard } from '#test/browser/customer-pages.ts'

const session = aSession()
const common = { now: NOW, sandbox: false }
const continue_to = 'https://shop.example/back?session_id=ses_1'

describe('sessionEndPage', () => {
  test.each(['completed', 'cancelled'] as const)('shows that the session is %s, and sends the customer on', (state) => {
    for (const locale of locales) {
      const page = sessionEndPage({ ...common, session, locale, state, continue_to })
      expect(page.title).toBe(texts[locale].endings[state].title)
      expect(String(page.main)).toContain(texts[locale].endings[state].text)
      expect(String(page.main)).toContain(`href="${continue_to}"`)
      expect(page.continue_to).toBe(continue_to)
    }
  })

  test('shows that the session is expired, and lets the customer go on', () => {
    const page = sessionEndPage({ ...common, session, locale: 'en', state: 'expired', continue_to })
    expect(String(page.main)).toContain(texts.en.endings.expired.text)
    expect(String(page.main)).toContain(`href="${continue_to}"`)
    expect(page.continue_to).toBeUndefined()
  })

  test('keeps a customer who must pay in cash, with links to the instructions and to the shop', () => {
    const instructions_url = 'https://pages.example/pages/instructions/m/pay_1'
    const page = sessionEndPage({ ...common, session, locale: 'en', state: 'completed', continue_to, instructions_url })
    expect(page.continue_to).toBeUndefined()
    expect(String(page.main)).toContain(`href="${instructions_url}"`)
    expect(String(page.main)).toContain(`href="${continue_to}"`)
    expect(String(page.main)).toContain(texts.en.endings.reserved.text)
    const cash = { ...common, session, locale: 'en' as const, state: 'completed' as const, instructions_url }
    const main = String(sessionEndPage({ ...cash, payment: aPayment() }).main)
    for (const text of ['Lawson', '¥1,290', 'datetime="2026-01-04T14:59:59Z"', 'data-state="reserved"'])
      expect(main).toContain(text)
  })

  test('shows the end without a link if there is no shop', () => {
    const page = sessionEndPage({ ...common, session, locale: 'en', state: 'completed' })
    expect(String(page.main)).not.toContain('href')
    expect(String(page.main)).not.toContain(texts.en.continuing)
  })

  test('asks not to pay again while the outcome is unknown, and looks again by a link and by itself', () => {
    const page = sessionEndPage({ ...common, session, locale: 'en', state: 'processing', continue_to })
    expect(String(page.main)).toContain('do not pay again')
    expect(String(page.main)).toContain('data-state="processing"')
    expect(String(page.main)).toContain('href="?locale=en"')
    expect(page.script).toBe(watch_script)
    expect(page.continue_to).toBeUndefined()
  })

  test('shows that a card was saved, not paid', () => {
    const page = sessionEndPage({
      ...common,
      session: aSession({ mode: 'customer' }),
      locale: 'en',
      state: 'completed',
    })
    expect(String(page.main)).toContain(texts.en.card_saved.text)
    const session = aSession({ mode: 'customer' })
    const saved = sessionEndPage({ ...common, session, locale: 'en', state: 'completed', saved_card: shownCard })
    expect(String(saved.main)).toContain('Visa •••• 0100')
  })

  const payment = aPayment({ status: 'captured', payment_details: shownCard, external_order_num: 'A-7' })
  const paid = (completed_at: string, changes: Partial<Session> = {}) => ({
    ...{ locale: 'en' as const, state: 'completed' as const, ...common, continue_to },
    session: aSession({ status: 'completed', merchant_name: 'Tea house', completed_at, ...changes }),
  })

  test('shows who was paid, for which order, how, when and how much', () => {
    const main = String(sessionEndPage({ ...paid('2026-01-01T11:59:30Z'), payment }).main)
    for (const text of [
      'Tea house',
      'A-7',
      'Visa •••• 0100',
      '2026-01-01T11:59:30Z',
      '¥1,000',
      '¥100',
      '¥190',
      '¥1,290',
    ])
      expect(main).toContain(text)
    expect(main).toContain('data-print hidden')
  })

  test('sends a customer on within two minutes, and keeps a customer who opens the page later', () => {
    const soon = sessionEndPage({ ...paid('2026-01-01T11:58:01Z'), payment })
    expect(soon.continue_to).toBe(continue_to)
    expect(String(soon.main)).toContain(texts.en.continuing)
    const later = sessionEndPage({ ...paid('2026-01-01T11:58:00Z'), payment })
    expect(later.continue_to).toBeUndefined()
    expect(String(later.main)).not.toContain(texts.en.continuing)
    expect(String(later.main)).toContain(`href="${continue_to}"`)
    const cancelled_at = '2026-01-01T11:58:00Z'
    const cancelled = { ...paid(''), session: aSession({ status: 'cancelled', cancelled_at }) }
    expect(sessionEndPage({ ...cancelled, state: 'cancelled' }).continue_to).toBeUndefined()
  })

  test('shows the time of a cash payment when the money arrived, not when it was reserved', () => {
    const cash = aPayment({ status: 'captured', captured_at: '2026-01-01T11:00:00Z' })
    const main = String(sessionEndPage({ ...paid('2025-12-30T00:00:00Z'), payment: cash }).main)
    expect(main).toContain('datetime="2026-01-01T11:00:00Z"')
  })

  test('says on the receipt of a test payment that no money moved', () => {
    const main = (sandbox: boolean) => String(sessionEndPage({ ...paid(''), payment, sandbox }).main)
    expect(main(true)).toContain(texts.en.test_mode.text)
    expect(main(false)).not.toContain(texts.en.test_mode.text)
  })

  test('says that an authorization is only reserved', () => {
    const main = String(
      sessionEndPage({ ...paid('2026-01-01T11:59:30Z'), payment: { ...payment, status: 'authorized' } }).main,
    )
    expect(main).toContain(last_page_texts.en.card_reserved)
  })

  test('says that nothing was charged, only where that is certain', () => {
    const said = (fields: Partial<SessionEndPageInput>) =>
      String(sessionEndPage({ ...common, session, locale: 'en', state: 'expired', ...fields }).main)
    const { nothing_charged, nothing_received, card_not_saved, exhausted } = last_page_texts.en
    expect(said({})).toContain(nothing_charged)
    expect(said({ payment: aPayment({ status: 'failed', payment_details: shownCard }) })).toContain(nothing_charged)
    expect(said({ payment: aPayment({ status: 'expired' }) })).toContain(nothing_received)
    const off_site = aPayment({ status: 'pending', payment_details: { type: 'paypay', email: null } })
    expect(said({ payment: off_site })).not.toMatch(/charged|received/)
    expect(said({ session: aSession({ mode: 'customer' }) })).toContain(card_not_saved)
    expect(said({ state: 'exhausted' })).toContain(exhausted.text)
    expect(said({ state: 'exhausted' })).toContain(nothing_charged)
  })
})
