import { describe, expect, test } from 'vitest'
import { payment_statuses } from '#shared/domain/payment.ts'
import { offSitePage } from '#shared/pages/off-site/off-site-page.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aPayment, shownCard, valuesOf } from '#test/browser/customer-pages.ts'

const wallet = aPayment({ status: 'pending', payment_details: { type: 'paypay', email: null } })
const continue_to = 'https://shop.example/back'

describe('offSitePage', () => {
  test('offers to approve or decline a wallet payment, and says that it is a test page', () => {
    const main = String(offSitePage({ payment: wallet, locale: 'en' }).main)
    expect(valuesOf(main, 'value')).toEqual(['approve', 'decline'])
    expect(valuesOf(main, 'action')).toEqual(['?locale=en'])
    expect(main).toContain(texts.en.test_site.text)
    expect(main).toContain('PayPay')
    expect(main).toContain('¥1,290')
  })

  test('offers to verify the holder of a card', () => {
    const payment = aPayment({ status: 'pending', payment_details: shownCard })
    const main = String(offSitePage({ payment, locale: 'en' }).main)
    expect(valuesOf(main, 'value')).toEqual(['authenticate', 'fail', 'close'])
    expect(main).toContain('Visa •••• 0100')
  })

  test.each(payment_statuses)('offers no decision on a payment that is %s once the customer has left', (status) => {
    const page = offSitePage({ payment: { ...wallet, status }, locale: 'en', continue_to, closed: true })
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
    const page = offSitePage({ payment: { ...wallet, status }, locale: 'ko' })
    expect(page.title).toBe(texts.ko.endings[ending].title)
    expect(String(page.main)).not.toMatch(/<form|href/)
  })
})
