import type { Payment } from '#shared/domain/payment.ts'
import { deadlineOf } from '#shared/domain/payment-decisions.ts'
import { movementsOf } from '#shared/domain/settlement.ts'
import { payment } from '#shared/resources/payment.ts'
import { listPk, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import { movementItem } from './movements.ts'

/** Payments, with a list of all of them, a list per customer and a list per order number. */
export const payments: Kind<Payment> = {
  name: 'payment',
  key: (merchant, { id }) => recordKey('payment', merchant, id),
  entries(merchant, { id, status, currency, customer, external_order_num }) {
    const facet = [status, currency, ...(customer && external_order_num ? [external_order_num] : [])].join('/')
    const filters = [
      { by: 'customer', value: customer },
      { by: 'external_order_num', value: external_order_num },
    ]
    return [
      { list: paymentList(merchant), id, facet },
      ...filters.flatMap(({ by, value }) => (value ? [{ list: paymentList(merchant, { by, value }), id, facet }] : [])),
    ]
  },
  due: deadlineOf,
  due_kind: 'payment',
  extra_items: (merchant, before, after, now) =>
    movementsOf(before, after).map((movement) => movementItem(merchant, movement, now)),
  view: payment,
  as_text: ['metadata'],
}

export const paymentList = (merchant: string, filter?: { readonly by: string; readonly value: string }) => ({
  pk: listPk('payment', merchant, filter),
  prefix: 'pay_',
  counted: !filter,
})

/** The filters of a list of payments, except times. */
export interface PaymentFilter {
  readonly status?: readonly string[]
  readonly currency?: string
  readonly customer?: string
  readonly external_order_num?: string
}

/** The shortest list that contains all matching payments, and a check of the facets of its entries. */
export function paymentsBy(merchant: string, { status, currency, customer, external_order_num }: PaymentFilter) {
  const narrow = customer
    ? { by: 'customer', value: customer }
    : external_order_num
      ? { by: 'external_order_num', value: external_order_num }
      : undefined
  const accepts = (facet: string): boolean => {
    const [of_status = '', of_currency, ...of_order] = facet.split('/')
    return (
      (!status || status.includes(of_status)) &&
      (!currency || currency === of_currency) &&
      (!customer || !external_order_num || of_order.join('/') === external_order_num)
    )
  }
  const filtered = status || currency || (customer && external_order_num)
  return { list: paymentList(merchant, narrow), accepts: filtered ? accepts : undefined }
}
