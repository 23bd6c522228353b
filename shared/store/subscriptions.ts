import { randomInt } from 'node:crypto'
import type { Subscription, SubscriptionStatus } from '#shared/domain/subscription.ts'
import { captureDue } from '#shared/domain/subscription-states.ts'
import { subscription } from '#shared/resources/subscription.ts'
import { lanesOf, listPk, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import { additionsRow, type List, wholeFacet } from './list-keys.ts'

/** Subscriptions, with a list of all of them and a list per customer. A subscription falls due for its next capture. */
export const subscriptions: Kind<Subscription> = {
  name: 'subscription',
  key: (merchant, { id }) => recordKey('subscription', merchant, id),
  entries: (merchant, { id, status, customer }) => [
    { list: subscriptionList(merchant), id, facet: status },
    { list: subscriptionList(merchant, customer.uuid), id, facet: status },
  ],
  due: captureDue,
  due_kind: 'subscription',
  extra_items: (merchant, before, { customer }) => (before ? [] : [addition(merchant, customer.uuid)]),
  view: subscription,
  as_text: ['metadata', 'customer'],
}

/**
 * The row that records an addition. It gets a random version, so a concurrent deletion of the customer fails its
 * version check and is repeated with the new subscription. The write is unconditional, so concurrent additions do not
 * conflict.
 */
const addition = (merchant: string, customer: string) => ({
  ...additionsRow(subscriptionList(merchant, customer)),
  customer,
  version: randomInt(1, 2 ** 48 - 1),
})

/** The row that changes with every subscription that a customer gets: each addition gives it another version. */
export const additions: Kind<{ readonly version: number; readonly customer: string }> = {
  name: 'additions',
  key: (merchant, { customer }) => additionsRow(subscriptionList(merchant, customer)),
}

export const subscriptionList = (merchant: string, customer?: string): List => ({
  pk: listPk('subscription', merchant, customer === undefined ? undefined : { by: 'customer', value: customer }),
  prefix: 'sub_',
  counted: customer === undefined,
  lanes: lanesOf('subscription', merchant),
  facetOf: wholeFacet,
})

/** The shortest list that contains all matching subscriptions, and a check of the facets of its entries. */
export function subscriptionsBy(
  merchant: string,
  { status, customer }: { readonly status?: readonly SubscriptionStatus[]; readonly customer?: string },
) {
  const accepts = status && ((facet: string): boolean => status.some((one) => one === facet))
  return { list: subscriptionList(merchant, customer), accepts }
}
