import type { Payment } from '#shared/domain/payment.ts'
import type { PaymentBooks } from '#test/fixtures/stripe/books.ts'

const nothing: PaymentBooks = { captured: 0, refunded: 0, held: 0, charges: 0, states: [] }

/** Returns how the money of a payment differs from what its provider knows; undefined if it is the same to the yen. */
export function differenceOf(payment: Payment, there: PaymentBooks = nothing): string | undefined {
  const { id, status, total, authorized_total, amount_refunded } = payment
  const has_money = status === 'captured' || status === 'refunded'
  const is_held = status === 'authorized' && payment.payment_details.type === 'credit_card'
  const ours = [has_money ? total - amount_refunded : 0, is_held ? authorized_total : 0].join()
  const theirs = [there.captured - there.refunded, there.held].join()
  if (ours === theirs && there.charges <= 1) return undefined
  return `${id} is ${status} with [${ours}], and ${there.states} at the provider with [${theirs}]`
}
