import { describe, expect, test } from 'vitest'
import type { Order } from '#shared/acquirer/acquirer.ts'
import { sandbox_cards } from '#shared/acquirer/sandbox/sandbox-cards.ts'
import { sandboxOutcome as outcomeAt } from '#shared/acquirer/sandbox/sandbox-outcome.ts'
import { passesLuhn } from '#shared/domain/card.ts'
import { type PaymentDetails, type PaymentType, payment_types } from '#shared/domain/payment-details.ts'
import { card, START } from '#test/fixtures/api.ts'
import { orderRecord } from '#test/fixtures/records.ts'

const order = (details: object, fields: Partial<Order> = {}): Order =>
  orderRecord({ details: details as PaymentDetails, ...fields })

const sandboxOutcome = (asked: Order, now = START) => outcomeAt(asked, now)

describe('sandboxOutcome of a card', () => {
  const good = ['4111111111111111', '5555555555554444', '3530111333300000', '378282246310005', '30569309025904']
  const declines = [
    ['4123111111111000', 'insufficient_funds'],
    ['4123111111111018', 'exceeds_limit'],
    ['4123111111111034', 'bad_verification_value'],
    ['4123111111111042', 'card_expired'],
    ['4123111111111059', 'card_declined'],
    ['4123111111111067', 'invalid_number'],
    ['4123111111111075', 'invalid_number'],
    ['4123111111111083', 'fraudulent'],
  ] as const

  test.each([...good, '4242424242424242', '4123111111112008'])(
    'captures or authorizes %s, as the order asks',
    (number) => {
      expect(sandboxOutcome(order(card(number)))).toEqual({ result: 'captured' })
      expect(sandboxOutcome(order(card(number), { capture: false }))).toEqual({ result: 'authorized' })
    },
  )

  test.each(declines)('declines %s with %s, with and without capture', (number, code) => {
    for (const capture of [true, false])
      expect(sandboxOutcome(order(card(number), { capture }))).toEqual({ result: 'declined', code })
  })

  test.each(['4100000000000100', '5100000000000107'])(
    'leaves %s pending and redirects the customer to 3-D Secure',
    (number) => {
      const redirect_url = 'https://api.example/pages/off_site/mer_1/pay_1'
      expect(sandboxOutcome(order(card(number)))).toEqual({ result: 'pending', shown: { redirect_url } })
    },
  )

  test('captures a card whose owner has passed 3-D Secure', () => {
    expect(sandboxOutcome(order(card('4100000000000100'), { verified: true }))).toEqual({ result: 'captured' })
  })

  test('declines a card as expired once its month has ended in Japan', () => {
    const end = Date.parse('2035-12-31T15:00:00Z')
    expect(sandboxOutcome(order(card()), end - 1)).toEqual({ result: 'captured' })
    expect(sandboxOutcome(order(card()), end)).toEqual({ result: 'declined', code: 'card_expired' })
  })

  test('every sandbox card number passes Luhn', () => {
    for (const number of sandbox_cards.keys()) expect(passesLuhn(number), number).toBe(true)
  })
})

const cash = ['konbini', 'pay_easy', 'bank_transfer']
const paid = ['bit_cash', 'net_cash', 'web_money', 'retailer_account']

test.each(payment_types.filter((type) => type !== 'credit_card'))(
  'sandboxOutcome of %s is the one of its payment type',
  (type: PaymentType) => {
    const outcome = sandboxOutcome(order({ type }))
    expect(outcome.result).toBe(cash.includes(type) ? 'authorized' : paid.includes(type) ? 'captured' : 'pending')
  },
)

test('sandboxOutcome of a capture, refund or void is done', () => {
  for (const operation of ['capture', 'refund', 'void'] as const)
    expect(sandboxOutcome(order({}, { operation, details: undefined }))).toEqual({ result: 'done' })
})

test.each([
  ['konbini', { confirmation_code: 11, receipt: 11 }],
  ['pay_easy', { bank_id: 5, customer_id: 10, confirmation_id: 6 }],
  ['bank_transfer', { order_id: 8, account_number: 7 }],
])('the codes of %s are digits, equal for the same order and different for another order', (type, lengths) => {
  const shown = (key: string) => (sandboxOutcome(order({ type }, { key })) as { shown: Record<string, string> }).shown
  for (const [name, length] of Object.entries(lengths))
    expect(shown('a')[name], name).toMatch(new RegExp(`^\\d{${length}}$`))
  expect(shown('a')).toEqual(shown('a'))
  expect(shown('a')).not.toEqual(shown('b'))
  expect(shown('a').instructions_url).toBe('https://api.example/pages/instructions/mer_1/pay_1')
})
