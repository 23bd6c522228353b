import { createHash } from 'node:crypto'
import { isPast } from '#shared/domain/card.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { payment_type_rows } from '#shared/domain/payment-details.ts'
import type { Order } from './acquirer.ts'
import { sandbox_cards } from './sandbox-cards.ts'

/** What the sandbox answers to an order that arrives at `now`: by card for cards, by payment type for all else. */
export function sandboxOutcome(order: Order, now: number): Outcome {
  if (order.operation !== 'charge') return { result: 'done' }
  const details = order.details!
  const row = payment_type_rows[details.type]
  if (details.type === 'credit_card') {
    const behaviour = sandbox_cards.get(details.number)
    if (isPast(details.month, details.year, now)) return { result: 'declined', code: 'card_expired' }
    // Nobody is there who could pass 3-D Secure when an interval is charged.
    if (behaviour === 'needs_3d_secure' && order.interval !== null) return { result: 'declined', code: 'card_declined' }
    if (behaviour === 'pays_once' && (order.interval ?? 0) > 0) return { result: 'declined', code: 'card_declined' }
    if (behaviour === 'needs_3d_secure') return { result: 'pending', shown: { redirect_url: redirectUrl(order) } }
    if (behaviour && behaviour !== 'pays_once') return { result: 'declined', code: behaviour }
    return { result: order.capture ? 'captured' : 'authorized' }
  }
  if (row.flow === 'prepaid') return { result: 'captured' }
  if (row.flow === 'off_site') return { result: 'pending', shown: { redirect_url: redirectUrl(order) } }
  return { result: 'authorized', shown: cashCodes[details.type]!(order) }
}

const redirectUrl = ({ pages_url, payment }: Order): string => `${pages_url}/pages/off-site/${payment}`

const instructionsUrl = ({ pages_url, payment }: Order): string => `${pages_url}/pages/instructions/${payment}`

/** What the customer needs to pay in cash, made from the order's key: the same order has the same codes. */
const cashCodes: Readonly<Record<string, (order: Order) => Record<string, string>>> = {
  konbini: (order) => ({
    confirmation_code: digits(order, 'confirmation_code', 11),
    receipt: digits(order, 'receipt', 11),
    instructions_url: instructionsUrl(order),
  }),
  pay_easy: (order) => ({
    bank_id: '58091',
    customer_id: digits(order, 'customer_id', 10),
    confirmation_id: digits(order, 'confirmation_id', 6),
    instructions_url: instructionsUrl(order),
  }),
  bank_transfer: (order) => ({
    order_id: digits(order, 'order_id', 8),
    bank_name: 'サンドボックス銀行',
    account_branch_name: '本店',
    account_number: digits(order, 'account_number', 7),
    account_type: '普通',
    account_name: 'サンドボックス',
    instructions_url: instructionsUrl(order),
  }),
}

function digits({ key }: Order, name: string, count: number): string {
  const hash = createHash('sha256').update(`${key}#${name}`).digest()
  return Array.from(hash.subarray(0, count), (byte) => String(byte % 10)).join('')
}
