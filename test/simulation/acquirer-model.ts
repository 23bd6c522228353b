import type { Payment, PaymentEvent, PaymentStatus } from '#shared/domain/payment.ts'
import type { Item, LogEntry, Write } from '#shared/platform/ports.ts'
import { differenceOf } from '#test/faults/provider-books.ts'
import type { Account } from '#test/fixtures/stripe/account.ts'
import { booksOf } from '#test/fixtures/stripe/books.ts'
import type { PaymentIntent, StoredObject } from '#test/fixtures/stripe/objects.ts'
import type { AcquirerInvariants } from './acquirer-invariants.ts'

/** The statuses that can follow each status. It shares no code with the service. */
const transitions: Readonly<Record<PaymentStatus, string>> = {
  pending: 'pending authorized captured failed cancelled expired',
  authorized: 'authorized captured cancelled expired',
  captured: 'captured refunded',
  refunded: 'refunded',
  cancelled: 'cancelled',
  expired: 'expired',
  failed: 'failed',
}

const ended: ReadonlySet<PaymentStatus> = new Set(['failed', 'cancelled', 'expired'])

/** Whether a payment has ended without money. */
export const isEnded = ({ status }: Payment): boolean => ended.has(status)

/** Whether the charge of a payment was given up: it never arrived, or its void has had its effect. */
const isGivenUp = ({ status, failure, in_flight }: Payment): boolean =>
  failure === 'never_arrived' ||
  ((status === 'cancelled' || status === 'expired') && in_flight.every(({ operation }) => operation !== 'void'))

/** Compares every commit of the service, and every change at the provider, with what must hold. */
export class AcquirerModel {
  readonly payments = new Map<string, Payment>()
  readonly sessions = new Set<string>()
  readonly customers = new Set<string>()
  readonly subscriptions = new Set<string>()
  readonly #invariants: AcquirerInvariants
  readonly #account: () => Account
  readonly #intent_of = new Map<string, string>()
  readonly #paid = new Set<string>()
  readonly #given_up = new Set<string>()

  constructor(invariants: AcquirerInvariants, account: () => Account) {
    this.#invariants = invariants
    this.#account = account
  }

  /** Called after each commit, with the items before it. */
  committed(writes: readonly Write[], before: readonly (Item | undefined)[]): void {
    const puts = writes.flatMap((write, index) => ('put' in write ? [{ put: write.put, was: before[index] }] : []))
    const events = puts.map(({ put }) => put).filter(({ sk }) => sk === 'event')
    for (const { put, was } of puts) {
      if (put.sk === 'payment') this.#paymentChanged(was as never, put as never, events)
      if (put.sk === 'session') this.sessions.add(String(put.id))
      if (put.sk === 'customer') this.customers.add(String(put.id))
      if (put.sk === 'subscription') this.subscriptions.add(String(put.id))
    }
  }

  /** Called when the provider emits an event, with its object. */
  emitted(type: string, object: StoredObject): void {
    if (object.object !== 'payment_intent') return
    const { id, metadata } = object
    const key = metadata.key ?? id
    if (type === 'payment_intent.created') {
      const known = this.#intent_of.get(key)
      this.#invariants.check('one_charge', known === undefined, () => `${key} has ${known} and ${id}`)
      this.#intent_of.set(key, id)
    }
    if (type === 'payment_intent.succeeded' || type === 'payment_intent.amount_capturable_updated')
      this.#moneyTaken(type, object)
  }

  /** Called with each alarm about a payment. */
  alarmed({ event, payment: id = '', provider_code, provider_param }: LogEntry): void {
    const payment = this.payments.get(id)
    const is_true = payment !== undefined && differenceOf(payment, booksOf(this.#account()).get(id)) !== undefined
    const seen = () =>
      `${event} ${provider_code ?? ''} ${provider_param ?? ''} about ${id}, which is ${payment?.status}`
    this.#invariants.check('alarms_are_true', is_true, seen)
  }

  #moneyTaken(type: string, { id, metadata }: PaymentIntent): void {
    const step = `${type} ${id}`
    this.#invariants.check('one_charge', !this.#paid.has(step), () => `${step} twice`)
    this.#paid.add(step)
    const is_given_up = this.#given_up.has(metadata.payment ?? '')
    this.#invariants.check('given_up_for_good', !is_given_up, () => `${step} after ${metadata.payment} was given up`)
  }

  #paymentChanged(before: Payment | undefined, after: Payment, events: readonly Item[]): void {
    this.payments.set(after.id, after)
    if (isGivenUp(after)) this.#given_up.add(after.id)
    const from = before?.status ?? 'pending'
    const follows = transitions[from].split(' ').includes(after.status)
    this.#invariants.check('events_of_states', follows, () => `${after.id} goes from ${from} to ${after.status}`)
    const own = events.filter(({ about }) => (about as { id: string }).id === after.id)
    const types = own.toSorted((one, other) => (one.pk < other.pk ? -1 : 1)).map(({ type }) => String(type))
    const right = expectedEvents(before, after)
    const seen = () => `${after.id} goes from ${from} to ${after.status} with [${types}], not [${right}]`
    this.#invariants.check('events_of_states', types.join() === right.join(), seen)
  }
}

/** The events of a change, by what differs between the payment before and after it. */
function expectedEvents(before: Payment | undefined, after: Payment): PaymentEvent[] {
  const refunds = after.refunds.slice(before?.refunds.length ?? 0).map(() => 'payment.refund.created' as const)
  if (after.status === (before?.status ?? 'pending')) return refunds
  const marked = after.status === 'failed' && after.failure === 'fraudulent'
  return [
    ...refunds,
    `payment.${after.status}` as PaymentEvent,
    ...(marked ? ['payment.marked.as.fraud' as const] : []),
  ]
}
