import type { Payment } from '#shared/domain/payment.ts'
import type { Account } from '#test/fixtures/stripe/account.ts'
import { receiveCash } from '#test/fixtures/stripe/cash.ts'
import { pay, refuse } from '#test/fixtures/stripe/customer-actions.ts'
import type { PaymentIntent } from '#test/fixtures/stripe/objects.ts'
import { Problem } from '#test/fixtures/stripe/problems.ts'
import type { AcquirerModel } from './acquirer-model.ts'
import { DAY, HOUR, MINUTE, SECOND, type World } from './world.ts'

/** The decline codes of a bank that changes its mind. */
const DECLINES = ['insufficient_funds', 'generic_decline', 'fraudulent', 'lost_card'] as const

/** The customers of a history, at the pages and counters of the provider. Each acts on what waits for them, or never. */
export class PayingCustomers {
  readonly #world: World
  readonly #model: AcquirerModel
  readonly #account: Account
  /** Called when a customer comes back from the provider, with the id of the payment. */
  readonly #comesBack: (payment: string) => void

  constructor(world: World, model: AcquirerModel, account: Account, comesBack: (payment: string) => void) {
    this.#world = world
    this.#model = model
    this.#account = account
    this.#comesBack = comesBack
  }

  /** Plans what a customer does about a PaymentIntent that has begun to wait. */
  sees({ id }: PaymentIntent): void {
    const world = this.#world
    const soon = world.below(world.pick([SECOND, MINUTE, HOUR, 12 * HOUR, 2 * DAY]))
    const kind = world.below(10)
    if (kind < 5) world.after(soon, () => this.#decides(id))
    // The deadline is known once the service has stored the answer of the provider.
    else if (kind < 9) world.after(2 * MINUTE, () => this.#waitsUntilDeadline(id))
  }

  /** The bank of a customer declines the next card. */
  declineNext(): void {
    this.#account.declineNext(this.#world.pick(DECLINES))
  }

  /** A customer pays now. Returns whether the provider takes or holds the money. */
  pays(intent: PaymentIntent): boolean {
    this.#act('pays', intent.id, () => pay(this.#account, intent.id))
    return intent.status === 'succeeded' || intent.status === 'requires_capture'
  }

  /** The PaymentIntents that wait for their customers. */
  get waiting(): PaymentIntent[] {
    return [...this.#account.payment_intents.values()].filter(({ status }) => status === 'requires_action')
  }

  #decides(id: string): void {
    const world = this.#world
    const intent = this.#account.payment_intents.get(id)!
    const customer = intent.next_action?.display_bank_transfer_instructions && intent.customer
    if (customer && world.chance(0.4)) {
      const part = 1 + world.below(intent.amount)
      this.#act(`transfers ${part} for`, id, () => receiveCash(this.#account, customer, part))
      world.after(world.below(2 * DAY), () => this.#decides(id))
      return
    }
    const is_cash = intent.payment_method_types.some((type) => type === 'konbini' || type === 'customer_balance')
    if (!is_cash && world.chance(0.25)) this.#act('refuses', id, () => refuse(this.#account, id))
    else this.pays(intent)
    const payment = this.#paymentOf(id)
    if (!is_cash && payment && world.chance(0.7))
      world.after(world.below(10 * SECOND), () => this.#comesBack(payment.id))
  }

  #waitsUntilDeadline(id: string): void {
    const world = this.#world
    const deadline = Date.parse(this.#paymentOf(id)?.payment_deadline ?? '')
    if (!(deadline > world.now)) return
    const off = world.pick([-SECOND, 0, 1, SECOND, world.below(2 * MINUTE) - MINUTE, world.below(10 * SECOND)])
    world.after(Math.max(0, deadline + off - world.now), () => this.#decides(id))
  }

  #paymentOf(id: string): Payment | undefined {
    return this.#model.payments.get(this.#account.payment_intents.get(id)?.metadata.payment ?? '')
  }

  /** Does something at the provider. The provider refuses it if nothing waits for it any more. */
  #act(what: string, id: string, act: () => unknown): void {
    this.#account.settle()
    this.#world.say({ name: 'customer' }, `${what} ${id}`)
    try {
      act()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.#world.say({ name: 'customer' }, 'is refused')
    }
  }
}
