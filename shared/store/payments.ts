import { movementsOf } from '#shared/domain/movement.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { deadlineOf } from '#shared/domain/payment-deadline.ts'
import { payment } from '#shared/resources/payment.ts'
import { lanesOf, listPk, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import type { Entry } from './list-entries.ts'
import type { List } from './list-keys.ts'
import { movementItem } from './movements.ts'

/** Payments, with a list of all of them, and a list per customer, order number and subscription. */
export const payments: Kind<Payment> = {
  name: 'payment',
  key: (merchant, { id }) => recordKey('payment', merchant, id),
  entries(merchant, { id, status, currency, customer, external_order_num, occurrence }) {
    const facet = [status, currency, ...(customer && external_order_num ? [external_order_num] : [])].join('/')
    const entry = (by: string, value: string | null, facet: string): Entry[] =>
      value ? [{ list: paymentList(merchant, { by, value }), id, facet }] : []
    return [
      { list: paymentList(merchant), id, facet },
      ...entry('customer', customer, facet),
      ...entry('external_order_num', external_order_num, facet),
      ...entry(
        'subscription',
        occurrence?.subscription ?? null,
        [status, currency, customer, external_order_num ?? ''].join('/'),
      ),
    ]
  },
  due: deadlineOf,
  due_kind: 'payment',
  extra_items: (merchant, before, after, now) =>
    movementsOf(before, after).map((movement) => movementItem(merchant, movement, now)),
  view: payment,
  as_text: ['metadata'],
}

const statusAndCurrency = (facet: string): string => facet.split('/', 2).join('/')

export const paymentList = (merchant: string, filter?: { readonly by: string; readonly value: string }): List => ({
  pk: listPk('payment', merchant, filter),
  prefix: 'pay_',
  counted: !filter,
  lanes: lanesOf('payment', merchant),
  facetOf: statusAndCurrency,
})

/** The filters of a list of payments, except times. */
export interface PaymentFilter {
  readonly status?: readonly string[]
  readonly currency?: string
  readonly customer?: string
  readonly external_order_num?: string
  readonly subscription?: string
}

/**
 * The shortest list that contains all matching payments, and a check of the facets of its entries. A facet is
 * `status/currency/order`, and `status/currency/customer/order` in the list of a subscription. An order number can
 * contain slashes, so it comes last.
 */
export function paymentsBy(merchant: string, filter: PaymentFilter) {
  const { status, currency, customer, external_order_num, subscription } = filter
  const narrow = narrowest(filter)
  const accepts = (facet: string): boolean => {
    const [of_status = '', of_currency, ...rest] = facet.split('/')
    const of_customer = subscription ? rest.shift() : customer
    return (
      (!status || status.includes(of_status)) &&
      (!currency || currency === of_currency) &&
      (!customer || customer === of_customer) &&
      (!external_order_num || (!customer && !subscription) || rest.join('/') === external_order_num)
    )
  }
  const filtered =
    status || currency || (external_order_num && customer) || (subscription && (customer || external_order_num))
  return { list: paymentList(merchant, narrow), accepts: filtered ? accepts : undefined }
}

function narrowest({ customer, external_order_num, subscription }: PaymentFilter) {
  if (subscription) return { by: 'subscription', value: subscription }
  if (customer) return { by: 'customer', value: customer }
  return external_order_num ? { by: 'external_order_num', value: external_order_num } : undefined
}
