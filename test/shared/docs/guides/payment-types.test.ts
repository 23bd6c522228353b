import { describe, expect, test } from 'vitest'
import { codes, payment_type_groups } from '#shared/docs/guides/payment-types.ts'
import { type PaymentType, payment_type_rows, payment_types } from '#shared/domain/payment-details.ts'

describe('payment_type_groups', () => {
  test('has every payment type in one group', () => {
    expect(Object.values(payment_type_groups).flat().toSorted()).toEqual(payment_types.toSorted())
  })

  const refundableOf = (types: readonly PaymentType[]) => types.map((type) => payment_type_rows[type].refundable)
  const currencyOf = (types: readonly PaymentType[]) => types.map((type) => payment_type_rows[type].currency)

  test('has one kind of refund and of currency in each group, as the guides say', () => {
    const { card, cash, wallet, other_off_site, prepaid } = payment_type_groups
    expect(new Set(refundableOf([...card, ...wallet]))).toEqual(new Set([true]))
    expect(new Set(refundableOf([...cash, ...other_off_site, ...prepaid]))).toEqual(new Set([false]))
    expect(new Set(currencyOf(cash))).toEqual(new Set(['JPY']))
    expect(new Set(currencyOf([...card, ...wallet, ...other_off_site, ...prepaid]))).toEqual(new Set([null]))
  })
})

describe('codes', () => {
  test('shows names with commas between them', async () => {
    expect(String(await codes(['paypay', 'merpay']))).toBe('<code>paypay</code>, <code>merpay</code>')
  })

  test('shows names with the separator of another language', async () => {
    expect(String(await codes(['paypay', 'merpay'], '、'))).toBe('<code>paypay</code>、<code>merpay</code>')
  })
})
