import type { Customer } from '#shared/domain/customer.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { type Change, removed } from '#shared/store/change.ts'
import { itemsOf } from '#shared/store/items-of.ts'
import { additions, subscriptionList, subscriptions } from '#shared/store/subscriptions.ts'
import type { Work } from '#shared/store/work.ts'
import { endSubscription } from './end-subscription.ts'
import { withPayer } from './subscription-source.ts'

/**
 * Most subscriptions that end in one transaction, each with its payment, its events and all their list entries: 13 writes,
 * and two texts of up to 340 KB.
 */
const AT_A_TIME = 5

/**
 * The changes that end the subscriptions of a customer who is being deleted, to be committed with the deletion. Those that
 * do not fit into its transaction are ended before it: the customer is gone only once all of them are.
 */
export async function endSubscriptionsOf(work: Work, { id }: Customer): Promise<readonly Change[]> {
  const none = { version: 0, customer: id }
  const added = (await work.at(additions, additions.key(work.merchant, none))) ?? none
  const entries = await itemsOf(work.platform.table, { pk: subscriptionList(work.merchant, id).pk })
  const living = entries.filter(({ facet }) => facet !== 'deleted').map(({ sk }) => sk)
  const ending = (ids: readonly string[]) => Promise.all(ids.map((one) => endedWith(work, one)))
  while (living.length > AT_A_TIME) await work.commit((await ending(living.splice(0, AT_A_TIME))).flat())
  // Lost to a subscription that was made meanwhile, so that it is seen, too.
  return [...(await ending(living)).flat(), removed(additions, added)]
}

async function endedWith(work: Work, id: string): Promise<Change[]> {
  const subscription: Subscription = await work.get(subscriptions, id)
  const anonymous = withPayer(subscription, { customer: undefined, card: undefined })
  return (await endSubscription(work, anonymous)).changes
}
