import type { Customer } from '#shared/domain/customer.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { type Change, removed } from '#shared/store/change.ts'
import { itemsOf } from '#shared/store/items-of.ts'
import { withPayer } from '#shared/store/subscription-payers.ts'
import { additions, subscriptionList, subscriptions } from '#shared/store/subscriptions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { endSubscription } from './end-subscription.ts'

/**
 * The most subscriptions that end in one transaction. Each takes up to 13 writes (its payment, the events and all list
 * entries included). Two of these writes, the subscription and its event, have up to 340 KB each.
 */
const AT_A_TIME = 5

/**
 * Returns the changes that end the subscriptions of a customer, to be committed with the deletion of the customer. If
 * there are more than `AT_A_TIME` subscriptions, the others are ended and committed first, so that the customer is
 * deleted last.
 */
export async function endSubscriptionsOfCustomer(work: UnitOfWork, { id }: Customer): Promise<readonly Change[]> {
  const none = { version: 0, customer: id }
  const added = (await work.at(additions, additions.key(work.merchant, none))) ?? none
  const entries = await itemsOf(work.platform.table, { pk: subscriptionList(work.merchant, id).pk })
  const living = entries.filter(({ facet }) => facet !== 'deleted').map(({ sk }) => sk)
  const ending = (ids: readonly string[]) => Promise.all(ids.map((one) => endedWith(work, one)))
  while (living.length > AT_A_TIME) await work.commit((await ending(living.splice(0, AT_A_TIME))).flat())
  // This version check fails if a subscription is created meanwhile. The retry then ends that subscription, too.
  return [...(await ending(living)).flat(), removed(additions, added)]
}

async function endedWith(work: UnitOfWork, id: string): Promise<Change[]> {
  const subscription: Subscription = await work.get(subscriptions, id)
  const anonymous = withPayer(subscription, { customer: undefined, card: undefined })
  return (await endSubscription(work, anonymous)).changes
}
