import { endRequest } from '#shared/operations/decide-payment.ts'
import { lineOf, timelineOf } from '#shared/operations/payment-timeline.ts'
import { findItem } from '#shared/store/find-items.ts'
import type { Verb } from './verb.ts'

const options = { merchant: 'the merchant of the payment; without it, the payments of all merchants are read' }

/** `operate show-payment` shows what happened to a payment, in order of time. */
export const showPayment: Verb = {
  does: 'shows what happened to a payment, in order of time',
  args: ['<payment>'],
  options,
  async run({ open, args: [id], options: { merchant }, out, progress }) {
    const platform = await open()
    const item = await findItem(platform.table, { kind: 'payment', merchant }, (one) => one.id === id, progress)
    if (!item) throw new Error(`There is no payment ${id}.`)
    const { payment, entries } = await timelineOf(platform, item)
    for (const [field, value] of Object.entries(payment)) if (value !== null) out(`${field.padEnd(17)} ${value}`)
    out('')
    for (const entry of entries) out(lineOf(entry))
    return 0
  },
}

/** `operate complete-refund-request` records that the money of a refund request was returned. */
export const completeRefundRequest: Verb = ending(
  'completed',
  'records that the money of a refund request was paid out',
)

/** `operate reject-refund-request` rejects a refund request. */
export const rejectRefundRequest: Verb = ending('rejected', 'rejects a refund request')

function ending(status: 'completed' | 'rejected', does: string): Verb {
  return {
    does,
    args: ['<refund request>'],
    options,
    async run({ open, args: [id = ''], options: { merchant }, out, progress }) {
      const payment = await endRequest(await open(), { id, status, merchant }, progress)
      const { currency, amount_refunded, total } = payment
      out(`${id} is ${status}: ${payment.id} has refunded ${amount_refunded} of ${total} ${currency}`)
      return 0
    },
  }
}
