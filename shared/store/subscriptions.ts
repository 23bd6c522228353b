import { randomInt } from 'node:crypto'
import type { Subscription, SubscriptionStatus } from '#shared/domain/subscription.ts'
import { captureDue } from '#shared/domain/subscription-states.ts'
import { subscription } from '#shared/resources/subscription.ts'
import { listPk, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import { additionsRow } from './list-keys.ts'

/** Subscriptions, in a list of all of them and in one per customer; due when a capture is to be tried. */
export const subscriptions: Kind<Subscription> = {
  name: 'subscription',
  key: (merchant, { id }) => recordKey('subscription', merchant, id),
  entries: (merchant, { id, status, customer }) => [
    { list: subscriptionList(merchant), id, facet: status },
    { list: subscriptionList(merchant, customer.uuid), id, facet: status },
  ],
  due: captureDue,
  due_kind: 'subscription',
  beside: (merchant, before, { customer }) => (before ? [] : [addition(merchant, customer.uuid)]),
  view: subscription,
  as_text: ['metadata', 'customer'],
}

/** The version was never there before, so whoever has read another one loses the row, and those who add hold up nobody. */
const addition = (merchant: string, customer: string) => ({
  ...additionsRow(subscriptionList(merchant, customer)),
  customer,
  version: randomInt(1, 2 ** 48 - 1),
})

/** That a customer was given subscriptions: with another one it has another version. */
export const additions: Kind<{ readonly version: number; readonly customer: string }> = {
  name: 'additions',
  key: (merchant, { customer }) => additionsRow(subscriptionList(merchant, customer)),
}

export const subscriptionList = (merchant: string, customer?: string) => ({
  pk: listPk('subscription', merchant, customer === undefined ? undefined : { by: 'customer', value: customer }),
  prefix: 'sub_',
  counted: customer === undefined,
})

/** The shortest list that holds what the filter leaves, and which of its entries that is. */
export function subscriptionsBy(
  merchant: string,
  { status, customer }: { readonly status?: readonly SubscriptionStatus[]; readonly customer?: string },
) {
  const accepts = status && ((facet: string): boolean => status.some((one) => one === facet))
  return { list: subscriptionList(merchant, customer), accepts }
}
