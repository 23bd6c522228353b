import { describe, expect, test } from 'vitest'
import { payment_statuses } from '#shared/domain/payment.ts'
import { offSitePage } from '#shared/pages/off-site/off-site-page.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aPayment, NOW, shownCard, valuesOf } from '#test/browser/customer-pages.ts'

const wallet = aPayment({ status: 'pending', payment_details: { type: 'paypay', email: null } })
const continue_to = 'https://shop.example/back'

describe('offSitePage', () => {
  test('offers to approve or decline a wallet payment, and says that it is a test page', () => {
    const main = String(offSitePage({ sandbox: true, payment: wallet, now: NOW, locale: 'en' }).main)
    expect(valuesOf(main, 'value')).toEqual(['approve', 'decline'])
    expect(valuesOf(main, 'action')).toEqual(['?locale=en'])
    expect(main).toContain(texts.en.test_site.text)
    expect(main).toContain('PayPay')
    expect(main).toContain('¥1,290')
  })

  test('offers to verify the holder of a card', () => {
    const payment = aPayment({ status: 'pending', payment_details: shownCard })
    const main = String(offSitePage({ sandbox: true, payment, now: NOW, locale: 'en' }).main)
    expect(valuesOf(main, 'value')).toEqual(['authenticate', 'fail', 'close'])
    expect(main).toContain('Visa •••• 0100')
  })

  test.each(payment_statuses)('offers no decision on a payment that is %s once the customer has left', (status) => {
    const page = offSitePage({
      sandbox: true,
      payment: { ...wallet, status },
      now: NOW,
      locale: 'en',
      continue_to,
      closed: true,
    })
    expect(String(page.main)).not.toContain('<form')
    expect(String(page.main)).toContain(`href="${continue_to}"`)
    expect(page.continue_to).toBe(continue_to)
  })

  test.each([
    ['authorized', 'completed'],
    ['captured', 'completed'],
    ['cancelled', 'cancelled'],
    ['expired', 'expired'],
    ['failed', 'failed'],
  ] as const)('shows a payment that is %s as %s, without a link if there is no shop', (status, ending) => {
    const page = offSitePage({ sandbox: true, payment: { ...wallet, status }, now: NOW, locale: 'ko' })
    expect(page.title).toBe(texts.ko.endings[ending].title)
    expect(String(page.main)).not.toMatch(/<form|href/)
  })

  test('shows the order number, and the amounts that add up', () => {
    const payment = { ...wallet, external_order_num: 'A-7' }
    const main = String(offSitePage({ sandbox: true, payment, now: NOW, locale: 'en' }).main)
    for (const text of ['<bdi>A-7</bdi>', '¥1,000', '¥100', '¥190', '¥1,290']) expect(main).toContain(text)
  })

  test('shows the receipt of a paid payment, and sends only a customer who has just paid on', () => {
    const at = (captured_at: string) =>
      offSitePage({
        sandbox: true,
        payment: { ...wallet, status: 'captured', captured_at },
        now: NOW,
        locale: 'en',
        continue_to,
      })
    expect(String(at('2026-01-01T11:59:00Z').main)).toContain('datetime="2026-01-01T11:59:00Z"')
    expect(at('2026-01-01T11:59:00Z').continue_to).toBe(continue_to)
    expect(at('2026-01-01T11:00:00Z').continue_to).toBeUndefined()
    expect(String(at('2026-01-01T11:00:00Z').main)).toContain(`href="${continue_to}"`)
  })

  test('says that no money moved only where the sandbox took the payment', () => {
    const paid = { payment: { ...wallet, status: 'captured' }, now: NOW, locale: 'en' } as const
    expect(String(offSitePage({ ...paid, sandbox: true }).main)).toContain(texts.en.test_mode.text)
    expect(String(offSitePage({ ...paid, sandbox: false }).main)).not.toContain(texts.en.test_mode.text)
  })
})
