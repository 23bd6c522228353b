import { describe, expect, test } from 'vitest'
import { feeOf, type Movement, movementsOf } from '#shared/domain/movement.ts'
import type { Payment, Refund } from '#shared/domain/payment.ts'
import { type PaymentType, payment_types } from '#shared/domain/payment-details.ts'
import { nextWeek, type Sums, settleAt, weekStart, withMovement } from '#shared/domain/settlement.ts'
import { randomOf } from '#test/faults/random.ts'
import { paymentOf, paymentRecord } from '#test/fixtures/records.ts'

const captured = { status: 'captured', captured_at: '2030-01-02T03:00:00Z' } as const
const refund = (id: string, amount: number): Refund => ({
  id,
  amount,
  currency: 'JPY',
  payment: 'pay_1',
  description: null,
  chargeback: false,
  created_at: '2030-01-03T03:00:00Z',
})

describe('feeOf', () => {
  const rates: Readonly<Record<string, number>> = { credit_card: 0.036, konbini: 0.0275, bit_cash: 0.05, paypay: 0.039 }

  test.each(Object.entries(rates))('for %s is %d of the total', (type, rate) => {
    const total = 1_000_000
    const payment = paymentRecord({ payment_details: { type: type as PaymentType, email: null }, total })
    expect(feeOf(payment)).toBe(Math.round(total * rate))
  })

  test.each([
    ['credit_card', 27, 0],
    ['credit_card', 28, 1],
    ['credit_card', 1, 0],
    ['credit_card', 0, 0],
    ['credit_card', 9_999_999_999, 359_999_999],
    ['konbini', 1_190, 27 + 190],
    ['konbini', 191, 190],
    ['pay_easy', 1_190, 27 + 190],
    ['bank_transfer', 1_190, 32],
  ] as const)(
    'for %s with a total of %i is %i: rounded down, plus the fee that the customer paid for the method',
    (type, total, fee) => {
      expect(feeOf({ ...paymentOf(type), total })).toBe(fee)
    },
  )

  test('never exceeds the total, for any type', () => {
    for (const type of payment_types)
      for (const amount of [0, 1, 2, 99, 1_000]) {
        const payment = paymentOf(type)
        const total = amount + payment.payment_method_fee
        expect(feeOf({ ...payment, total })).toBeLessThanOrEqual(total)
      }
  })
})

describe('movementsOf', () => {
  const pending = paymentRecord({ status: 'pending' })
  const paid: Payment = { ...pending, ...captured }
  const once = { ...paid, amount_refunded: 300, refunds: [refund('ref_1', 300)] }
  const twice = { ...once, amount_refunded: 500, refunds: [...once.refunds, refund('ref_2', 200)] }
  const capture: Movement = { of: 'pay_1', type: 'capture', currency: 'JPY', amount: 1_100, fee: 39 }
  const back = (of: string, amount: number): Movement => ({ of, type: 'refund', currency: 'JPY', amount, fee: 0 })

  test.each<[string, Payment | undefined, Payment, readonly Movement[]]>([
    ['a new payment without a capture', undefined, pending, []],
    ['a new payment that is captured at once', undefined, paid, [capture]],
    ['a capture', pending, paid, [capture]],
    ['a change of a captured payment', paid, { ...paid, description: 'new' }, []],
    ['a refund', paid, once, [back('ref_1', 300)]],
    ['a second refund', once, twice, [back('ref_2', 200)]],
    ['a change after a refund', once, { ...once, description: 'new' }, []],
    ['two refunds at once', paid, twice, [back('ref_1', 300), back('ref_2', 200)]],
    ['a capture and its refund at once', pending, once, [capture, back('ref_1', 300)]],
    ['a cancel', pending, { ...pending, status: 'cancelled' }, []],
    ['a failure', pending, { ...pending, status: 'failed', failure: 'card_declined' }, []],
  ])('returns the movements of %s', (_, before, after, moved) => {
    expect(movementsOf(before, after)).toEqual(moved)
  })

  test('returns the captured part and its fee for a partial capture', () => {
    const part = { ...paid, amount: 500, tax: 50, total: 550 }
    expect(movementsOf({ ...pending, status: 'authorized' }, part)).toEqual([{ ...capture, amount: 550, fee: 19 }])
  })

  test('returns each movement once over many changes', () => {
    const states = [undefined, pending, paid, { ...paid, description: 'a' }, once, { ...once, description: 'b' }, twice]
    const moved = states.slice(1).flatMap((after, index) => movementsOf(states[index], after!))
    expect(moved.map(({ of }) => of)).toEqual(['pay_1', 'ref_1', 'ref_2'])
  })
})

describe('withMovement', () => {
  const sum = (movements: readonly Movement[]) =>
    movements.reduce<Sums | undefined>((sums, movement) => withMovement(sums, movement), undefined)

  test('sums a capture and two refunds, in any order', () => {
    const [capture, ...refunds] = [1_000, 300, 200].map(
      (amount, index): Movement => ({
        of: `${index}`,
        type: index === 0 ? 'capture' : 'refund',
        currency: 'JPY',
        amount,
        fee: index === 0 ? 36 : 0,
      }),
    )
    expect(sum([capture!, ...refunds])).toEqual({ gross: 1_000, fees: 36, refunds: 500, net: 464, payments: 1 })
    expect(sum(refunds)).toEqual({ gross: 0, fees: 0, refunds: 500, net: -500, payments: 0 })
    expect(sum([...refunds, capture!])).toEqual(sum([capture!, ...refunds]))
  })

  test('sums many thousand movements as exactly as unbounded integers do', () => {
    const random = randomOf(7)
    const movements = Array.from({ length: 50_000 }, (_, index): Movement => {
      const total = Math.floor(random() * 10_000_000_000)
      const is_refund = random() < 0.2
      const fee = is_refund ? 0 : feeOf(paymentRecord({ total }))
      return { of: `${index}`, type: is_refund ? 'refund' : 'capture', currency: 'JPY', amount: total, fee }
    })
    const total = (of: readonly Movement[], field: 'amount' | 'fee') =>
      of.reduce((all, movement) => all + BigInt(movement[field]), 0n)
    const captures = movements.filter(({ type }) => type === 'capture')
    const [gross, fees] = [total(captures, 'amount'), total(captures, 'fee')]
    const refunds = total(movements, 'amount') - gross
    const { payments, ...sums } = sum(movements)!
    expect(payments).toBe(captures.length)
    expect(Object.values(sums).map(BigInt)).toEqual([gross, fees, refunds, gross - fees - refunds])
  })
})

describe('weekStart, nextWeek and settleAt', () => {
  const iso = (at: number) => new Date(at).toISOString()

  test.each([
    ['2030-01-06T14:59:59.999Z', '2029-12-30T15:00:00.000Z'],
    ['2030-01-06T15:00:00.000Z', '2030-01-06T15:00:00.000Z'],
    ['2030-01-06T15:00:00.001Z', '2030-01-06T15:00:00.000Z'],
    ['2030-01-13T14:59:59.999Z', '2030-01-06T15:00:00.000Z'],
    ['1969-12-31T00:00:00.000Z', '1969-12-28T15:00:00.000Z'],
  ])('weekStart of %s is %s, which is Monday midnight in Japan', (at, start) => {
    expect(iso(weekStart(Date.parse(at)))).toBe(start)
  })

  test('weeks follow each other without a gap for a hundred years', () => {
    const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', weekday: 'short', timeStyle: undefined })
    let start = weekStart(Date.parse('2030-01-01T00:00:00Z'))
    for (let week = 0; week < 5_218; week++) {
      const next = nextWeek(start)
      expect([weekStart(start), weekStart(next - 1), weekStart(next)]).toEqual([start, start, next])
      if (week % 100 === 0) expect(weekday.format(start)).toBe('Mon')
      start = next
    }
  })

  test('settleAt is ten minutes after the end of the week', () => {
    expect(settleAt(Date.parse('2029-12-30T15:00:00Z'))).toBe('2030-01-06T15:10:00Z')
  })
})
