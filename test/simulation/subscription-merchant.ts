import { sandbox_cards } from '#shared/acquirer/sandbox/sandbox-cards.ts'
import { eraseDetails, storeDetails } from '#shared/customers/store-payment-details.ts'
import type { Period } from '#shared/domain/calendar.ts'
import type { Customer } from '#shared/domain/customer.ts'
import { causeOf, keepingProgress, type OperationProgress } from '#shared/domain/operation-progress.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Change, changed, removed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import type { OperationContext } from '#shared/store/operation-lease.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { payerOf, withPayer } from '#shared/store/subscription-payers.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { createSubscription } from '#shared/subscriptions/create-subscription.ts'
import { endSubscription } from '#shared/subscriptions/end-subscription.ts'
import { endSubscriptionsOfCustomer } from '#shared/subscriptions/end-subscriptions-of-customer.ts'
import type { SubscriptionInvariants } from './subscription-invariants.ts'
import type { Model } from './subscription-model.ts'
import { DAY, type World } from './world.ts'

/** Cards that a bank declines at some times and accepts at others. */
const FICKLE = ['4111111111111111', '5555555555554444'] as const

/** Cards that always succeed, are always declined, need 3-D Secure, or pay only the first interval. */
const CARDS = ['4242424242424242', '4123111111111059', '4100000000000100', '4123111111112008'] as const

const declines_of = sandbox_cards as Map<string, 'card_declined' | 'insufficient_funds'>

/** The changes of an operation, and its progress. */
interface Operated {
  readonly changes: readonly Change[]
  readonly progress?: OperationProgress
}

/** The requests of a merchant, and the decisions of the customers' banks. */
export class Merchant {
  readonly customers: string[] = []
  readonly #world: World
  readonly #model: Model
  readonly #invariants: SubscriptionInvariants

  constructor(world: World, model: Model, invariants: SubscriptionInvariants) {
    this.#world = world
    this.#model = model
    this.#invariants = invariants
    for (const number of FICKLE) declines_of.delete(number)
  }

  /** A bank begins or ceases to decline a card. */
  changeBank(): void {
    const number = this.#world.pick(FICKLE)
    const declines = !declines_of.has(number)
    if (declines) declines_of.set(number, this.#world.pick(['card_declined', 'insufficient_funds']))
    else declines_of.delete(number)
    this.#world.say({ name: 'bank' }, `${declines ? 'declines' : 'accepts'} ${number}`)
  }

  /** All banks accept their cards again. */
  settleBanks(): void {
    for (const number of FICKLE) declines_of.delete(number)
  }

  createCustomer(work: UnitOfWork): Promise<void> {
    return this.#request(work, async () => {
      const id = work.newId('customer')
      const { source, changes } = await storeDetails(work, id, this.#details())
      const at = timestamp(work.now())
      const rest = { email: null, currency: null, metadata: {}, created_at: at, updated_at: at }
      const record: Customer = { id, version: 0, source, ...rest }
      this.customers.push(id)
      return [changed(customers, record, ['customer.created']), ...changes]
    })
  }

  create(work: UnitOfWork, period: Period, customer = this.#world.pick(this.customers)): Promise<void> {
    const world = this.#world
    const request = { customer, amount: world.pick([0, 500, 1000, 1000, 1000]), currency: 'JPY', period, metadata: {} }
    return this.#request(work, (operation) => createSubscription(work, operation, request))
  }

  async delete(work: UnitOfWork, id: string): Promise<void> {
    await this.#request(work, async () => {
      const kept = await work.get(subscriptions, id)
      return (await endSubscription(work, withPayer(kept, await payerOf(work, kept.customer.uuid)))).changes
    })
    const status = this.#model.plans.get(id)?.status
    this.#invariants.check(
      'deletion_ends_captures',
      status === 'deleted',
      () => `${id} is ${status} after its deletion`,
    )
  }

  /** Replaces or removes the card of a customer. */
  changeCustomer(work: UnitOfWork, id: string): Promise<void> {
    const details = this.#world.chance(0.1) ? null : this.#details()
    return this.#request(work, async () => {
      const before = await work.get(customers, id)
      const stored = details ? await storeDetails(work, id, details) : await eraseDetails(work, id)
      const next = { ...before, source: stored.source, updated_at: timestamp(work.now()) }
      return [changed(customers, next, ['customer.updated']), ...stored.changes]
    })
  }

  async deleteCustomer(work: UnitOfWork, id: string): Promise<void> {
    await this.#request(work, async () => {
      const before = await work.get(customers, id)
      const { source, changes } = await eraseDetails(work, id)
      const ended = await endSubscriptionsOfCustomer(work, before)
      return [removed(customers, { ...before, source }, ['customer.deleted']), ...changes, ...ended]
    })
    const has_running = this.#model.running.some(({ customer }) => customer === id)
    this.#invariants.check('customer_owns_subscriptions', !has_running, () => `${id} is deleted with subscriptions`)
  }

  /** Runs and commits a request as an endpoint does. */
  async #request(
    work: UnitOfWork,
    act: (operation: OperationContext) => Promise<readonly Change[] | Operated>,
  ): Promise<void> {
    await retryOnConflict(work, async (from) => {
      const result = await act({ progress: from })
      const { changes, progress = from } = 'changes' in result ? result : { changes: result }
      await keepingProgress(progress, () => work.commit(changes))
    }).catch((error) => Promise.reject(causeOf(error)))
  }

  #details(): PaymentDetails {
    const world = this.#world
    const number = world.chance(0.65) ? world.pick(FICKLE) : world.pick(CARDS)
    // Some cards expire during the history.
    const last = new Date(world.now + (world.chance(0.8) ? 3_000 : world.below(200)) * DAY)
    const [month, year] = [last.getUTCMonth() + 1, last.getUTCFullYear()]
    return { type: 'credit_card', number, month, year, name: 'Taro Yamada' } as PaymentDetails
  }
}
