import { describe, expect, test } from 'vitest'
import { methodRow, receipt, sumRows } from '#shared/pages/last-pages/receipt.ts'
import { aPayment, shownCard, shownKonbini } from '#test/browser/customer-pages.ts'

const paid = aPayment({ status: 'captured', payment_details: shownCard })
const of = (changes = {}, shop_name: string | undefined = 'Tea house') =>
  String(receipt({ ...paid, ...changes }, { shop_name, paid_at: '2026-01-01T12:00:00Z' }, 'en'))

describe('receipt', () => {
  test('names the time zone of its time', () => {
    expect(of()).toContain('Thu, January 1, 2026 at 21:00 (Japan time)')
  })

  test('has no row for what is not known', () => {
    const text = String(receipt(paid, { paid_at: null }, 'en'))
    expect(text).not.toMatch(/Paid to|Order number|Date and time|Refunded/)
  })

  test('isolates and escapes the name of the shop and the order number', () => {
    const text = of({ external_order_num: '<b>&' }, 'מאפייה <i>')
    expect(text).toContain('<bdi>מאפייה &lt;i&gt;</bdi>')
    expect(text).toContain('<bdi>&lt;b&gt;&amp;</bdi>')
  })

  test('shows a partial refund', () => {
    expect(of({ amount_refunded: 90 })).toContain('<dt>Refunded</dt><dd>¥90</dd>')
  })
})

describe('methodRow', () => {
  test.each([
    [shownCard, '<dt>Card</dt><dd>Visa •••• 0100</dd>'],
    [shownKonbini('lawson'), '<dt>Payment method</dt><dd>Convenience store (Lawson)</dd>'],
    [{ type: 'paypay' as const, email: null }, '<dt>Payment method</dt><dd>PayPay</dd>'],
    [{ type: 'credit_card' as const, email: null }, '<dt>Payment method</dt><dd>Credit card</dd>'],
  ])('shows %j', (details, row) => {
    expect(String(methodRow(details, 'en'))).toContain(row)
  })
})

describe('sumRows', () => {
  test('shows only the amount without tax and fee', () => {
    const plain = aPayment({ tax: 0, payment_method_fee: 0, total: 1000 })
    expect(String(sumRows(plain, 'en'))).toBe('<div class="total"><dt>Amount</dt><dd>¥1,000</dd></div>')
  })

  test.each([
    [{ tax: 0, total: 1190 }, ['¥1,000', '¥190', '¥1,190']],
    [{ payment_method_fee: 0, total: 1100 }, ['¥1,000', '¥100', '¥1,100']],
    [{}, ['¥1,000', '¥100', '¥190', '¥1,290']],
  ])('shows the parts of the total with %j', (changes, sums) => {
    const shown = String(sumRows(aPayment(changes), 'en'))
    expect(Array.from(shown.matchAll(/<dd>([^<]*)/g), ([, sum]) => sum)).toEqual(sums)
  })
})
