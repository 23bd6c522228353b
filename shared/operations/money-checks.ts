import { INQUIRY_WAITS_SECONDS } from '#shared/acquirer/inquiry-schedule.ts'
import type { Case, Check } from './check.ts'

/**
 * The sum of a payment's refunds equals its `amount_refunded`. It also equals the sum of the payment's successful
 * refund attempts, its completed refund requests and its refunds that were made in the provider's dashboard. The refunds
 * never exceed the total.
 */
const refundsAddUp: Check = {
  name: 'the refunds of a payment add up',
  violations({ id, of, record: payment }) {
    if (!id.startsWith('pay_') || !payment) return undefined
    const { status, total, amount_refunded, refunds, requests, dashboard_refunds } = payment
    const transferred = sum(requests.filter(isCompleted))
    const sent = sum(of('attempt').filter(({ operation, result }) => operation === 'refund' && isDone(result)))
    const given_back = totalOf(refunds)
    const returned = sent + transferred + totalOf(dashboard_refunds)
    return [
      ...(given_back === amount_refunded
        ? []
        : [`${id} has refunds of ${given_back} but an amount_refunded of ${amount_refunded}`]),
      ...(amount_refunded <= total ? [] : [`${id} refunded ${amount_refunded} of ${total}`]),
      ...((status === 'refunded') === (amount_refunded === total && total > 0)
        ? []
        : [`${id} has the wrong status ${status}`]),
      ...(returned === given_back
        ? []
        : [
            `${id} has refunds of ${given_back}, but its attempts, its requests and the dashboard refunded ${returned}`,
          ]),
    ]
  },
}

interface Amount {
  readonly amount: number
}

const sum = (all: readonly Amount[]): number => all.reduce((total, { amount }) => total + amount, 0)

const totalOf = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0)

const isCompleted = ({ status }: { readonly status: string }): boolean => status === 'completed'

const isDone = (result: string | null): boolean =>
  result !== null && result !== 'declined' && result !== 'never_arrived' && result !== 'expired'

/**
 * The length of the inquiry schedule plus a day for the last inquiry, in milliseconds. After that, an operator must
 * find out the outcome.
 */
const INQUIRIES_MS = (INQUIRY_WAITS_SECONDS.reduce((all, wait) => all + wait, 0) + 86_400) * 1000

/**
 * The operations in flight of a payment are exactly its attempts without an outcome. Each open attempt has a scheduled
 * inquiry, and none is older than the inquiry schedule.
 */
const chargesAreResolved: Check = {
  name: 'operations have an outcome or a next inquiry',
  violations({ id, of, now, record: payment }) {
    if (!id.startsWith('pay_')) return undefined
    if (!payment) return of('attempt').length > 0 ? [`there are attempts of ${id}, which does not exist`] : undefined
    const open = of('attempt').filter(({ result }) => result === null)
    const numbers = open.map(({ number }) => number)
    return [
      ...(numbers.toSorted().join() === payment.attempts_in_flight.toSorted().join()
        ? []
        : [
            `${id} has ${payment.attempts_in_flight.length} operations in flight, but ${numbers.length} attempts without an outcome`,
          ]),
      ...open.flatMap(({ number, sent_at, inquire_at, due_at }) => {
        if (Date.parse(sent_at) + INQUIRIES_MS < now)
          return [`operation ${number} of ${id} has had no outcome since ${sent_at}`]
        return inquire_at !== null && due_at === inquire_at ? [] : [`operation ${number} of ${id} has no due inquiry`]
      }),
    ]
  },
}

/**
 * A captured or refunded payment has a successful charge, unless its total is zero. No payment has more than one
 * successful charge or capture.
 */
const paidIsCharged: Check = {
  name: 'paid payments are charged once',
  violations({ id, of, record: payment }) {
    if (!id.startsWith('pay_') || !payment) return undefined
    const done = (operation: string) => of('attempt').filter((one) => one.operation === operation && isDone(one.result))
    const is_paid = payment.status === 'captured' || payment.status === 'refunded'
    const charged = done('charge').length
    return [
      ...(is_paid === (payment.captured_at !== null) ? [] : [`${id} has the wrong status ${payment.status}`]),
      ...(is_paid && payment.total > 0 && charged === 0 ? [`${id} is paid but was never charged`] : []),
      ...(charged > 1 || done('capture').length > 1 ? [`${id} was charged more than once`] : []),
    ]
  },
}

/**
 * Each subscription is due exactly when its state requires. Its record lists as many payments as were captured, and has
 * a payment in flight exactly while a payment is pending.
 */
const subscriptionsAreDue: Check = {
  name: 'continuing subscriptions are due',
  violations(found) {
    const { id, record: subscription } = found
    if (!id.startsWith('sub_') || !subscription) return undefined
    const { status, due, due_at, due_shard, in_flight } = subscription
    const is_due = due === due_at && (due_at === null) === (due_shard === null)
    return [
      ...(is_due ? [] : [`${id} is ${status} with its next capture ${due ?? 'never'}, but due ${due_at ?? 'never'}`]),
      ...ofOccurrences(found, subscription.payments, in_flight),
    ]
  },
}

function ofOccurrences({ id, of }: Case, payments: readonly string[], in_flight: string | null): string[] {
  const own = of('payment').filter(({ occurrence }) => occurrence?.subscription === id)
  const captured = own.filter(({ captured_at }) => captured_at !== null)
  const open = own.filter(({ status }) => status === 'pending')
  return [
    ...(captured.length === payments.length
      ? []
      : [`${id} lists ${payments.length} captured payments, but has ${captured.length}`]),
    ...(open.length === (in_flight === null ? 0 : 1)
      ? []
      : [`${id} waits for ${in_flight}, but ${open.length} payments are pending`]),
  ]
}

/**
 * A session of mode `payment` is completed when its payment is authorized or captured, and only then. A session of mode
 * `customer` is completed when it has a customer. No session is paid twice.
 */
const sessionsArePaid: Check = {
  name: 'sessions are completed if they are paid',
  violations({ id, of, record: session }) {
    if (!id.startsWith('ses_') || !session) return undefined
    const paid = of('payment').filter(({ status }) => ['authorized', 'captured', 'refunded'].includes(status))
    const never = of('payment').every(({ status }) => status === 'pending' || status === 'failed')
    const is_completed = session.status === 'completed'
    if (session.mode === 'customer')
      return is_completed === (session.customer_id !== null) ? [] : [`${id} has the wrong status ${session.status}`]
    return [
      ...(is_completed && never ? [`${id} is completed but was never paid`] : []),
      ...(!is_completed && paid.length > 0 ? [`${id} is ${session.status} but was paid`] : []),
      ...(paid.length > 1 ? [`${id} was paid ${paid.length} times`] : []),
    ]
  },
}

/** A customer has a `source` exactly while their card is stored. No card of a deleted customer is stored. */
const cardsAreOwned: Check = {
  name: 'cards belong to their customers',
  violations({ id, of, record: customer }) {
    if (!id.startsWith('cus_')) return undefined
    const [card] = of('card')
    if (!customer) return card ? [`there is a card of ${id}, which does not exist`] : undefined
    return customer.stores === (card !== undefined) ? [] : [`the source of ${id} does not match its stored card`]
  },
}

/** The invariants of money, and of sessions, subscriptions and cards. */
export const moneyChecks: readonly Check[] = [
  refundsAddUp,
  chargesAreResolved,
  paidIsCharged,
  subscriptionsAreDue,
  sessionsArePaid,
  cardsAreOwned,
]
