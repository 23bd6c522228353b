import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { instructionsPage } from '#shared/pages/last-pages/instructions-page.ts'
import { store_steps } from '#shared/pages/last-pages/store-steps.ts'
import { copy_script, countdown_script, print_script, watch_script } from '#shared/pages/scripts/last-page-script.ts'
import { stores } from '#shared/pages/texts/choices.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aPayment, NOW, shownKonbini } from '#test/browser/customer-pages.ts'

const page_url = 'https://pages.example/pages/instructions/m/pay_1'
const input = { payment: aPayment(), locale: 'en', now: NOW, sandbox: false, page_url, shop_name: 'Tea house' } as const

/** The name of the second number in the steps of a store. */
const confirmation = { ja: '確認番号', en: 'confirmation code', ko: '확인번호' } as const

const mainOf = (changes: Partial<Parameters<typeof instructionsPage>[0]> = {}) =>
  String(instructionsPage({ ...input, ...changes }).main)

describe('instructionsPage', () => {
  test('shows the total with the fee, and the deadline', () => {
    expect(mainOf()).toContain('¥1,290')
    expect(mainOf()).toContain(
      '<time datetime="2026-01-04T14:59:59Z">Sun, January 4, 2026 at 23:59 (Japan time)</time>',
    )
  })

  test.each(Object.keys(stores))('shows the numbers and steps of %s in every language', (store) => {
    for (const locale of locales) {
      const main = mainOf({ locale, payment: aPayment({ payment_details: shownKonbini(store) }) })
      expect(main).toContain(`<dd>${stores[store]![locale]}</dd>`)
      expect(main).toContain('<dd>80012345678</dd>')
      // A customer who reads two numbers can tell the clerk the wrong one.
      const asks_for_it = store_steps[store]![locale].some((step) => step.includes(confirmation[locale]))
      expect([locale, main.includes('<dd>64325812345</dd>')]).toEqual([locale, asks_for_it])
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
    expect(mainOf()).not.toContain('shop.example')
  })

  test('shows a receipt once the payment has arrived, and says what was refunded', () => {
    const payment = aPayment({ status: 'captured', captured_at: '2026-01-02T03:04:05Z', external_order_num: 'A-7' })
    const main = mainOf({ payment })
    for (const text of ['<bdi>Tea house</bdi>', '<bdi>A-7</bdi>', 'Lawson', '¥190', '¥1,290', '2026-01-02T03:04:05Z'])
      expect(main).toContain(text)
    const refunded = instructionsPage({
      ...input,
      payment: { ...payment, status: 'refunded' as const, amount_refunded: 1290 },
    })
    expect(refunded.title).toBe(last_page_texts.en.fully_refunded.title)
    expect(String(refunded.main)).toContain(`<dt>${last_page_texts.en.refunded}</dt><dd>¥1,290</dd>`)
  })

  test('says that no payment was received after the deadline', () => {
    expect(mainOf({ payment: aPayment({ status: 'expired' }) })).toContain(last_page_texts.en.nothing_received)
  })

  test('explains the fee only if there is one', () => {
    expect(mainOf()).toContain('The fee of ¥190 is charged for this payment method (Convenience store).')
    const without = aPayment({ payment_method_fee: 0, total: 1100 })
    expect(mainOf({ payment: without })).not.toMatch(/fee/i)
  })

  test('states the remaining time and its seconds, for the script', () => {
    expect(mainOf()).toContain('data-countdown="269999" data-left="{} left"')
    expect(mainOf()).toContain('>3 days 2 hours left</span>')
    expect(mainOf({ locale: 'ja' })).toContain('>残り3日2時間</span>')
    const over = mainOf({ now: Date.parse('2026-01-04T15:00:00Z') })
    expect(over).toContain('data-countdown="0"')
    expect(over).toContain(`>${last_page_texts.en.deadline_over}</span>`)
  })

  test('copies numbers and updates itself also in a browser that stops at the countdown', () => {
    const { script = '' } = instructionsPage(input)
    expect(script).toContain(copy_script + print_script + watch_script)
    expect(script.endsWith(countdown_script)).toBe(true)
  })

  test('is watched until shortly after the deadline, and links to itself for browsers without scripts', () => {
    expect(mainOf()).toContain('<div data-state="authorized" data-seconds="270119">')
    expect(mainOf()).toContain('<a href="?locale=en">Check again</a>')
    expect(mainOf({ payment: aPayment({ status: 'captured' }) })).not.toContain('data-state')
  })

  test('links to the calendar and shows the code of its own address', () => {
    expect(mainOf({ locale: 'ko' })).toContain(`href="${page_url}/calendar?locale=ko"`)
    expect(mainOf()).toContain('role="img" aria-label="QR code of this page"')
    expect(mainOf({ locale: 'en' })).not.toBe(mainOf({ page_url: `${page_url}x` }))
  })
})
