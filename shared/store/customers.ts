import type { Customer } from '#shared/domain/customer.ts'
import type { PaymentSource } from '#shared/domain/payment.ts'
import { customer } from '#shared/resources/customer.ts'
import { cardKey, listPk, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** Customers, in a list of all of them and in one per e-mail address. */
export const customers: Kind<Customer> = {
  name: 'customer',
  key: (merchant, { id }) => recordKey('customer', merchant, id),
  entries: (merchant, { id, email }) => [
    { list: customerList(merchant), id, facet: '' },
    ...(email ? [{ list: customerList(merchant, email), id, facet: '' }] : []),
  ],
  view: customer,
  as_text: ['metadata'],
}

/** Addresses that differ in upper and lower case alone are the same. */
export const customerList = (merchant: string, email?: string) => ({
  pk: listPk('customer', merchant, email === undefined ? undefined : { by: 'email', value: email.toLowerCase() }),
  prefix: 'cus_',
  counted: email === undefined,
})

/** A customer's payment details: what may be shown of them, and all of them sealed. */
export interface Card extends PaymentSource {
  readonly version: number
  readonly customer: string
  readonly sealed: string
}

export const cards: Kind<Card> = {
  name: 'card',
  key: (merchant, { customer }) => cardKey(merchant, customer),
}
