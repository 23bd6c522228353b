import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { instructionsPage } from '#shared/pages/last-pages/instructions-page.ts'
import { store_steps } from '#shared/pages/last-pages/store-steps.ts'
import { stores } from '#shared/pages/texts/choices.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aPayment, shownKonbini } from '#test/browser/customer-pages.ts'

const input = { payment: aPayment(), locale: 'en', sandbox: false } as const

const mainOf = (changes: Partial<Parameters<typeof instructionsPage>[0]> = {}) =>
  String(instructionsPage({ ...input, ...changes }).main)

describe('instructionsPage', () => {
  test('shows the total with the fee, and the deadline', () => {
    expect(mainOf()).toContain('¥1,290')
    expect(mainOf()).toContain(
      '<time datetime="2026-01-04T14:59:59Z">Sunday, January 4, 2026 at 23:59 (Japan time)</time>',
    )
  })

  test.each(Object.keys(stores))('shows the numbers and steps of %s in every language', (store) => {
    for (const locale of locales) {
      const main = mainOf({ locale, payment: aPayment({ payment_details: shownKonbini(store) }) })
      expect(main).toContain(`<dd>${stores[store]![locale]}</dd>`)
      expect(main).toMatch(/<dd>80012345678<\/dd>.*<dd>64325812345<\/dd>/)
      expect(main.match(/<li>/g)).toHaveLength(store_steps[store]![locale].length)
    }
  })

  test('shows the numbers of Pay-easy', () => {
    const payment_details = {
      ...{ type: 'pay_easy' as const, email: null },
      ...{ bank_id: '58091', customer_id: '1234567890', confirmation_id: '123456' },
    }
    const main = mainOf({ payment: aPayment({ payment_details }) })
    expect(Array.from(main.matchAll(/<dd>(\d+)<\/dd>/g), ([, code]) => code)).toEqual(['58091', '1234567890', '123456'])
    expect(main).toContain(texts.en.pay_easy_steps[0])
  })

  test('shows the account of a bank transfer, and the number that precedes the name', () => {
    const account = {
      ...{ bank_name: 'みずほ銀行', account_branch_name: '本店', account_type: '普通' },
      ...{ account_number: '1234567', account_name: 'ミセ', order_id: '87654321' },
    }
    const main = mainOf({ payment: aPayment({ payment_details: { type: 'bank_transfer', email: null, ...account } }) })
    expect(Object.values(account).filter((value) => !main.includes(`<dd>${value}</dd>`))).toEqual([])
    expect(main).toContain(texts.en.bank_transfer_steps[1])
  })

  test.each([
    ['captured', 'paid'],
    ['refunded', 'paid'],
    ['expired', 'expired'],
    ['cancelled', 'cancelled'],
    ['failed', 'failed'],
    ['pending', 'processing'],
  ] as const)('shows a payment that is %s as %s, without payment instructions', (status, ending) => {
    const page = instructionsPage({ ...input, sandbox: true, payment: aPayment({ status }) })
    expect(page.title).toBe(texts.en.endings[ending].title)
    expect(String(page.main)).not.toMatch(/80012345678|64325812345|<form/)
  })

  test('offers to simulate the payment in the sandbox only', () => {
    expect(mainOf({ sandbox: true })).toContain(`>${texts.en.simulate}</button>`)
    expect(mainOf({ sandbox: true })).toContain('method="post" action="?locale=en"')
    expect(mainOf()).not.toContain('<form')
  })

  test('offers printing where scripts run, and the way back if there is one', () => {
    expect(mainOf()).toContain('data-print hidden')
    expect(mainOf({ back_url: 'https://shop.example/back' })).toContain('href="https://shop.example/back"')
    expect(mainOf()).not.toContain('href')
  })
})
