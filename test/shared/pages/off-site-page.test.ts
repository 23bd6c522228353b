import { describe, expect, test } from 'vitest'
import { payment_statuses } from '#shared/domain/payment.ts'
import { offSitePage } from '#shared/pages/off-site-page.ts'
import { texts } from '#shared/pages/texts.ts'
import { aPayment, shownCard, valuesOf } from '#test/browser/customer-pages.ts'

const wallet = aPayment({ status: 'pending', payment_details: { type: 'paypay', email: null } })
const continue_to = 'https://shop.example/back'

describe('the stand-in for another site', () => {
  test('a wallet is approved or declined, and says what it is', () => {
    const main = String(offSitePage({ payment: wallet, locale: 'en' }).main)
    expect(valuesOf(main, 'value')).toEqual(['approve', 'decline'])
    expect(valuesOf(main, 'action')).toEqual(['?locale=en'])
    expect(main).toContain(texts.en.test_site.text)
    expect(main).toContain('PayPay')
    expect(main).toContain('¥1,290')
  })

  test('the holder of a card is verified', () => {
    const payment = aPayment({ status: 'pending', payment_details: shownCard })
    const main = String(offSitePage({ payment, locale: 'en' }).main)
    expect(valuesOf(main, 'value')).toEqual(['authenticate', 'fail', 'close'])
    expect(main).toContain('Visa •••• 0100')
  })

  test.each(payment_statuses)('a payment that is %s can no longer be decided once the customer has left', (status) => {
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
  ] as const)('%s is said to be %s, with or without a shop', (status, ending) => {
    const page = offSitePage({ payment: { ...wallet, status }, locale: 'ko' })
    expect(page.title).toBe(texts.ko.endings[ending].title)
    expect(String(page.main)).not.toMatch(/<form|href/)
  })
})
