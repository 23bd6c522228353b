import { createHash } from 'node:crypto'
import type { Order } from '#shared/acquirer/acquirer.ts'
import { isPast } from '#shared/domain/card.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { type CardDetails, type PaymentDetails, payment_type_rows } from '#shared/domain/payment-details.ts'
import { sandbox_cards } from './sandbox-cards.ts'

/** Whether the sandbox requires 3-D Secure for these payment details. */
export const needsVerification = (details: PaymentDetails): boolean =>
  details.type === 'credit_card' && sandbox_cards.get(details.number) === 'needs_3d_secure'

/**
 * The outcome of an order that arrives at `now` (epoch milliseconds). The outcome of a card's charge depends on the
 * number and the expiry date of the card. The outcome of any other charge depends on the payment type. Captures,
 * refunds and voids always succeed.
 */
export function sandboxOutcome(order: Order, now: number): Outcome {
  if (order.operation !== 'charge') return { result: 'done' }
  const details = order.details!
  const { flow } = payment_type_rows[details.type]
  if (details.type === 'credit_card') return cardOutcome(order, details, now)
  if (flow === 'prepaid') return { result: 'captured' }
  if (flow === 'off_site') return { result: 'pending', shown: { redirect_url: order.redirect_url } }
  return { result: 'authorized', shown: cashCodes[details.type]!(order) }
}

function cardOutcome(order: Order, { number, month, year }: CardDetails, now: number): Outcome {
  const behaviour = sandbox_cards.get(number)
  const declined: Outcome = { result: 'declined', code: 'card_declined' }
  const paid: Outcome = { result: order.capture ? 'captured' : 'authorized' }
  if (isPast(month, year, now)) return { result: 'declined', code: 'card_expired' }
  switch (behaviour) {
    case undefined:
      return paid
    case 'pays_once':
      return (order.interval ?? 0) > 0 ? declined : paid
    case 'needs_3d_secure':
      if (order.verified) return paid
      // No customer is present to pass 3-D Secure when an interval is charged.
      return order.interval === null ? { result: 'pending', shown: { redirect_url: order.redirect_url } } : declined
    default:
      return { result: 'declined', code: behaviour }
  }
}

/**
 * The codes that a customer needs to pay in cash. They are derived from the key of the order, so a repeated order gets
 * the same codes.
 */
const cashCodes: Readonly<Record<string, (order: Order) => Record<string, string>>> = {
  konbini: (order) => ({
    confirmation_code: digits(order, 'confirmation_code', 11),
    receipt: digits(order, 'receipt', 11),
    instructions_url: order.instructions_url,
  }),
  pay_easy: (order) => ({
    bank_id: '58091',
    customer_id: digits(order, 'customer_id', 10),
    confirmation_id: digits(order, 'confirmation_id', 6),
    instructions_url: order.instructions_url,
  }),
  bank_transfer: (order) => ({
    order_id: digits(order, 'order_id', 8),
    bank_name: 'サンドボックス銀行',
    account_branch_name: '本店',
    account_number: digits(order, 'account_number', 7),
    account_type: '普通',
    account_name: 'サンドボックス',
    instructions_url: order.instructions_url,
  }),
}

function digits({ key }: Order, name: string, count: number): string {
  const hash = createHash('sha256').update(`${key}#${name}`).digest()
  return Array.from(hash.subarray(0, count), (byte) => String(byte % 10)).join('')
}
