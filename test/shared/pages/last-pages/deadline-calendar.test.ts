import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { deadlineCalendar } from '#shared/pages/last-pages/deadline-calendar.ts'
import { aPayment, shownKonbini } from '#test/browser/customer-pages.ts'

const page_url = 'https://pages.example/pages/instructions/m/pay_1'
const of = (fields: Partial<Parameters<typeof deadlineCalendar>[0]> = {}) =>
  deadlineCalendar({ payment: aPayment(), locale: 'en', page_url, shop_name: 'Tea house', ...fields }).replaceAll(
    '\r\n ',
    '',
  )

describe('deadlineCalendar', () => {
  test('ends at the deadline, and names the amount and the shop', () => {
    expect(of()).toContain('DTEND:20260104T145959Z\r\n')
    expect(of()).toContain('SUMMARY:Payment deadline: ¥1\\,290 (Tea house)\r\n')
    expect(of()).toContain(`URL:${page_url}?locale=en\r\n`)
  })

  test('is the same file whenever it is asked for, with an id from the payment', () => {
    expect(of()).toBe(of())
    expect(of()).toContain('UID:pay_1@pages.example\r\n')
  })

  test.each(locales)('in %s links to the page, and contains no code of the payment', (locale) => {
    const text = of({ locale })
    expect(text).toContain(`\\n${page_url}?locale=${locale}\r\n`)
    const { receipt, confirmation_code } = shownKonbini()
    expect(text).not.toContain(receipt)
    expect(text).not.toContain(confirmation_code)
  })
})
