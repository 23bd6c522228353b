import { randomInt } from 'node:crypto'
import type { Customer } from '#shared/domain/customer.ts'
import type { PaymentSource } from '#shared/domain/payment.ts'
import { customer } from '#shared/resources/customer.ts'
import { cardKey, listPk, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import type { Work } from './work.ts'

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

/**
 * The cards of customers. A customer's card can be removed and another one stored in its place, so each begins at a
 * random version: no two cards of a customer have the same, and whoever has read an earlier one finds that it is gone.
 */
export const cards: Kind<Card> = {
  name: 'card',
  key: (merchant, { customer }) => cardKey(merchant, customer),
  first_version: () => randomInt(1, 2 ** 48 - 1),
}

/** The stored payment details of a customer; undefined when there are none. */
export const findCard = (work: Work, customer: string): Promise<Card | undefined> =>
  work.at(cards, cardKey(work.merchant, customer))
