import { randomInt } from 'node:crypto'
import type { Customer } from '#shared/domain/customer.ts'
import type { PaymentSource } from '#shared/domain/payment.ts'
import { customer } from '#shared/resources/customer.ts'
import { cardKey, lanesOf, listPk, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import type { List } from './list-keys.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** Customers, with a list of all of them and a list per e-mail address. */
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

/** The list of all customers, or of the customers with an e-mail address. Case in the address is ignored. */
export const customerList = (merchant: string, email?: string): List => ({
  pk: listPk('customer', merchant, email === undefined ? undefined : { by: 'email', value: email.toLowerCase() }),
  prefix: 'cus_',
  counted: email === undefined,
  lanes: lanesOf('customer', merchant),
})

/** The stored payment details of a customer: the fields that can be shown, and all details sealed. */
export interface Card extends PaymentSource {
  readonly version: number
  readonly customer: string
  readonly sealed: string
}

/**
 * The cards of customers. A card can be removed and another one stored under the same key, so each card starts at a
 * random version: a version check against an earlier card fails.
 */
export const cards: Kind<Card> = {
  name: 'card',
  key: (merchant, { customer }) => cardKey(merchant, customer),
  first_version: () => randomInt(1, 2 ** 48 - 1),
}

/** The stored payment details of a customer; undefined if there are none. */
export const findCard = (work: UnitOfWork, customer: string): Promise<Card | undefined> =>
  work.at(cards, cardKey(work.merchant, customer))
