import type { Period } from '#shared/domain/calendar.ts'
import type { Outcome, Payment } from '#shared/domain/payment.ts'
import type { Subscription, SubscriptionStatus } from '#shared/domain/subscription.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item, Write } from '#shared/platform/ports.ts'
import { recordOf } from '#shared/store/kind.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { SubscriptionInvariant, SubscriptionInvariants } from './subscription-invariants.ts'
import { DAY, MINUTE, type Process, type World } from './world.ts'

const JAPAN = 9 * 60 * MINUTE

/** The number of failures in a row that suspends a subscription. */
const FAILURES = 4

/** The longest delay of a try without faults. */
const PROMPT = 10 * MINUTE

/** Returns when an interval begins, in epoch milliseconds. It shares no code with the calendar of the service. */
export function gridAt(anchor: number, period: Period, interval: number): number {
  if (period === 'weekly') return anchor + interval * 7 * DAY
  const local = new Date(anchor + JAPAN)
  const month = local.getUTCMonth() + interval * (period === 'monthly' ? 1 : 12)
  const year = local.getUTCFullYear() + Math.floor(month / 12)
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  const day = Math.min(local.getUTCDate(), lengths[month % 12]!)
  return Date.UTC(year, month % 12, day) + ((anchor + JAPAN) % DAY) - JAPAN
}

/** The expected state of a subscription, derived from its tries and their outcomes. Times are epoch milliseconds. */
export interface Plan {
  readonly id: string
  readonly customer: string
  readonly period: Period
  readonly anchor: number
  readonly amount: number
  status: SubscriptionStatus
  interval: number
  tries: number
  retry_count: number
  retry_at: number | null
  not_before: number | null
  in_flight: string | null
  ended_at: number | null
  readonly paid: string[]
  /** The time of the last change. */
  changed_at: number
}

/** A charge in the acquirer's ledger. */
interface Charge {
  readonly interval: string
  readonly payment: string | undefined
  readonly outcome: Outcome['result']
}

/** A committed transaction. */
interface Commit {
  readonly process: Process
  readonly payments: readonly { readonly before: Payment | undefined; readonly after: Payment }[]
  readonly events: readonly Item[]
}

/** Returns when the next try is due; undefined after the end and while a try is in flight. */
export function dueOf({ status, in_flight, anchor, period, interval, not_before, retry_at }: Plan): number | undefined {
  if (in_flight) return undefined
  if (status === 'pending') return anchor
  if (status === 'active') return Math.max(gridAt(anchor, period, interval), not_before ?? 0)
  return status === 'retrying' ? retry_at! : undefined
}

/** Returns the number of intervals that have begun and are not captured. */
export function missedOf({ anchor, period, interval }: Plan, now: number): number {
  let missed = 0
  while (gridAt(anchor, period, interval + missed) <= now) missed++
  return missed
}

/** Compares every commit, and every charge in the acquirer's ledger, with the expected state. */
export class Model {
  readonly plans = new Map<string, Plan>()
  readonly payments = new Map<string, Payment>()
  /** The charges in the acquirer's ledger, by the key of the order. */
  readonly charges = new Map<string, Charge>()
  readonly voided = new Set<string>()
  readonly deleted_customers = new Set<string>()
  /** The time of the last fault. */
  calm_since = Number.POSITIVE_INFINITY
  readonly #world: World
  readonly #payment_of = new Map<string, string>()
  /** When the acquirer last declined a charge of each interval. */
  readonly #declined_at = new Map<string, number>()

  readonly #invariants: SubscriptionInvariants
  readonly #onTry: (subscription: string) => void

  /** `onTry` is called when a try begins. */
  constructor(world: World, invariants: SubscriptionInvariants, onTry: (subscription: string) => void) {
    this.#world = world
    this.#invariants = invariants
    this.#onTry = onTry
  }

  /** The subscriptions that have not ended. */
  get running(): Plan[] {
    return [...this.plans.values()].filter(({ status }) => status !== 'deleted' && status !== 'suspended')
  }

  /** Called after each commit, with the items before it. */
  committed(process: Process, writes: readonly Write[], before: readonly (Item | undefined)[]): void {
    const puts = writes.flatMap((write, index) => ('put' in write ? [{ put: write.put, before: before[index] }] : []))
    for (const { put } of puts) {
      if (put.sk.startsWith('attempt#') && put.operation === 'charge')
        this.#payment_of.set(put.key as string, put.payment as string)
      if (put.sk === 'sandbox') this.#ordered(put)
    }
    const payments = puts
      .filter(({ put }) => put.sk === 'payment')
      .map(({ put, before: was }) => ({
        before: was as unknown as Payment | undefined,
        after: put as unknown as Payment,
      }))
    const commit = { process, payments, events: puts.map(({ put }) => put).filter(({ sk }) => sk === 'event') }
    const changed = puts.filter(({ put }) => put.sk === 'subscription')
    for (const { before: was, after } of payments) this.#paymentChanged(was, after, changed)
    for (const { put } of changed) this.#subscriptionChanged(recordOf(subscriptions, put), put.due_at, commit)
    for (const write of writes)
      if ('delete' in write && write.delete.sk === 'customer') this.#customerDeleted(write.delete.pk)
  }

  /** The acquirer's ledger gets an order, or the result of an inquiry. */
  #ordered({ pk, operation, outcome, amount }: Item): void {
    const key = pk.split('#')[2]!
    const { result } = outcome as unknown as Outcome
    if (operation === 'void') this.voided.add(key.slice(0, key.lastIndexOf('-')))
    const name = /^(sub_[^-]+-\d+)-\d+/.exec(key)
    if (!name) return
    const interval = name[1]!
    const payment = this.#payment_of.get(name[0])
    const is_amount = result !== 'captured' || amount === this.payments.get(payment ?? '')?.amount
    this.#invariants.check('charge_amount', is_amount, () => `${key} is charged with ${amount}`)
    this.charges.set(key, { interval, payment, outcome: result })
    const { now } = this.#world
    const is_charge = result === 'captured' || result === 'declined'
    const is_soon = is_charge && now < (this.#declined_at.get(interval) ?? 0) + DAY - 1000
    this.#invariants.check('retry_after_a_day', !is_soon, () => `${key} is charged again within 24 hours`)
    if (result === 'declined' && operation === 'charge') this.#declined_at.set(interval, now)
    const kept = [...this.charges.values()].filter((one) => one.interval === interval && this.#isKept(one))
    this.#invariants.check('one_charge_per_interval', kept.length <= 1, () => `${interval} is charged again by ${key}`)
  }

  #isKept({ outcome, payment }: Charge): boolean {
    const { status } = (payment && this.payments.get(payment)) || {}
    return outcome === 'captured' && status !== 'cancelled'
  }

  #paymentChanged(before: Payment | undefined, after: Payment, changed: readonly { readonly put: Item }[]): void {
    this.payments.set(after.id, after)
    if (before?.status === after.status) return
    const { subscription } = after.occurrence!
    const is_late = after.status === 'captured' && this.plans.get(subscription)?.status === 'deleted'
    this.#invariants.check(
      'deletion_ends_captures',
      !is_late,
      () => `${after.id} is captured after ${subscription} ended`,
    )
    const is_with = changed.some(({ put }) => put.id === subscription)
    this.#invariants.check('payment_with_subscription', is_with, () => `${after.id} becomes ${after.status} alone`)
  }

  #customerDeleted(pk: string): void {
    const customer = pk.split('#')[2]!
    this.deleted_customers.add(customer)
    for (const { id, customer: owner } of this.running)
      this.#invariants.check('customer_owns_subscriptions', owner !== customer, () => `${id} runs without ${owner}`)
  }

  #subscriptionChanged(after: Subscription, due_at: string | undefined, commit: Commit): void {
    const plan = this.plans.get(after.id)
    const event_types = plan ? this.#changed(plan, after, commit) : this.#created(after, commit)
    const expected = this.plans.get(after.id)!
    expected.changed_at = this.#world.now
    this.#compare(expected, after, due_at)
    this.#compareEvents(expected, commit, event_types)
  }

  #created(after: Subscription, commit: Commit): string[] {
    const { id, customer, period, amount, created_at } = after
    const anchor = this.#moment('interval_schedule', created_at, commit)
    const plan: Plan = {
      ...{ id, customer: customer.uuid, period, anchor, amount, status: 'pending', changed_at: this.#world.now },
      ...{ interval: 0, tries: 0, retry_count: 0, retry_at: null, not_before: null, in_flight: null },
      ...{ ended_at: null, paid: [] },
    }
    this.plans.set(id, plan)
    const has_customer = !this.deleted_customers.has(plan.customer)
    this.#invariants.check(
      'customer_owns_subscriptions',
      has_customer,
      () => `${id} is created without ${plan.customer}`,
    )
    return ['subscription.created', ...this.#begun(plan, after, commit)]
  }

  #changed(plan: Plan, after: Subscription, commit: Commit): string[] {
    if (after.status === 'deleted') return this.#deleted(plan, after, commit)
    const own = commit.payments.filter((payment) => payment.after.occurrence?.subscription === plan.id)
    if (own.some(({ before }) => before === undefined)) return this.#begun(plan, after, commit)
    if (own.length > 0) return this.#settled(plan, own[0]!.after, after, commit)
    this.#checkTime(plan)
    this.#world.happened('fails without a card')
    return this.#failed(plan, after, commit)
  }

  #begun(plan: Plan, after: Subscription, commit: Commit): string[] {
    const payment = commit.payments.find((one) => one.after.occurrence?.subscription === plan.id)?.after
    if (!payment) {
      this.#invariants.broken('one_try_at_a_time', `${plan.id} begins without a payment`)
      return []
    }
    this.#checkTime(plan)
    const { interval, try: number } = payment.occurrence!
    this.#invariants.check(
      'one_try_at_a_time',
      interval === plan.interval && number === plan.tries && payment.amount === plan.amount,
      () => `${payment.id} is try ${number} of interval ${interval}, not ${plan.tries} of ${plan.interval}`,
    )
    if (plan.amount === 0) return this.#captured(plan, payment, after, commit)
    plan.in_flight = payment.id
    plan.tries++
    this.#onTry(plan.id)
    return []
  }

  #checkTime(plan: Plan): void {
    const { now } = this.#world
    const { id, status, in_flight } = plan
    const due = dueOf(plan)
    if (due === undefined) {
      this.#invariants.broken('one_try_at_a_time', `${id} is tried while it is ${status} with ${in_flight} in flight`)
      return
    }
    const tried = () => `${id} is tried, due at ${timestamp(due)}`
    this.#invariants.check('interval_schedule', now >= due, tried)
    const is_late = now > this.calm_since + 2 * DAY && now > Math.max(due, plan.changed_at) + PROMPT
    this.#invariants.check('capture_in_time', !is_late, tried)
  }

  #settled(plan: Plan, payment: Payment, after: Subscription, commit: Commit): string[] {
    const is_in_flight = payment.id === plan.in_flight
    this.#invariants.check('one_try_at_a_time', is_in_flight, () => `${plan.id} is settled by ${payment.id}`)
    plan.in_flight = null
    const outcome = [...this.charges.values()].find((one) => one.payment === payment.id)?.outcome
    const is_outcome = outcome && payment.status === (outcome === 'captured' ? 'captured' : 'failed')
    const seen = () => `${payment.id} becomes ${payment.status} after ${outcome}`
    this.#invariants.check('outcome_of_acquirer', is_outcome === true, seen)
    if (outcome === 'captured') return this.#captured(plan, payment, after, commit)
    return outcome === 'never_arrived' ? [] : this.#failed(plan, after, commit)
  }

  #captured(plan: Plan, { id }: Payment, after: Subscription, commit: Commit): string[] {
    plan.interval++
    plan.paid.push(id)
    const { not_before } = after
    const missed = gridAt(plan.anchor, plan.period, plan.interval)
    const invariant = 'missed_intervals_a_day_apart'
    const at = not_before === null ? null : this.#moment(invariant, not_before, commit, DAY)
    // An interval that begins while the process runs may count as missed or not.
    const is_right = at === null ? missed > commit.process.began_at : missed <= this.#world.now
    this.#invariants.check(invariant, is_right, () => `${plan.id} waits until ${not_before} for ${timestamp(missed)}`)
    Object.assign(plan, { status: 'active', tries: 0, retry_count: 0, retry_at: null })
    plan.not_before = at === null ? null : at + DAY
    if (at !== null) this.#world.happened('missed and made up')
    return ['subscription.captured']
  }

  #failed(plan: Plan, after: Subscription, commit: Commit): string[] {
    plan.retry_count++
    plan.not_before = null
    const { id, retry_count } = plan
    this.#invariants.check('subscription_state', retry_count <= FAILURES, () => `${id} fails ${retry_count} times`)
    if (plan.status === 'pending' || plan.retry_count === FAILURES) {
      Object.assign(plan, {
        status: 'suspended',
        retry_at: null,
        ended_at: this.#moment('subscription_state', after.ended_at, commit),
      })
      return ['subscription.failed', 'subscription.suspended']
    }
    plan.status = 'retrying'
    plan.retry_at = this.#moment('retry_after_a_day', after.retry_at, commit, DAY) + DAY
    return ['subscription.failed']
  }

  #deleted(plan: Plan, after: Subscription, commit: Commit): string[] {
    const { id, status, in_flight } = plan
    this.#invariants.check('subscription_state', status !== 'deleted', () => `${id} is deleted again`)
    const is_cancelled =
      !in_flight || commit.payments.some(({ after: one }) => one.id === in_flight && one.status === 'cancelled')
    this.#invariants.check('deletion_ends_captures', is_cancelled, () => `${id} is deleted with ${in_flight} in flight`)
    const ended_at = this.#moment('subscription_state', after.ended_at, commit)
    Object.assign(plan, { status: 'deleted', in_flight: null, retry_at: null, not_before: null, ended_at })
    return ['subscription.deleted']
  }

  /** Returns the time `text` less `behind` milliseconds. Checks that the process of the commit ran at that time. */
  #moment(invariant: SubscriptionInvariant, text: string | null, { process }: Commit, behind = 0): number {
    const at = Date.parse(text ?? '') - behind
    const is_within = at > process.began_at - 1000 && at <= this.#world.now
    const { name, began_at } = process
    this.#invariants.check(invariant, is_within, () => `${name}, begun at ${timestamp(began_at)}, writes ${text}`)
    return at
  }

  #compare(plan: Plan, after: Subscription, due_at: string | undefined): void {
    const right = [plan.status, plan.interval, plan.tries, plan.retry_count, plan.in_flight, plan.paid.join()]
    const kept = [after.status, after.interval, after.tries, after.retry_count, after.in_flight, after.payments.join()]
    const times = [plan.retry_at, plan.not_before, plan.ended_at]
    const kept_times = [after.retry_at, after.not_before, after.ended_at].map((at) => at && Date.parse(at))
    const [expected, actual] = [String([...right, ...times]), String([...kept, ...kept_times])]
    this.#invariants.check('subscription_state', actual === expected, () => `${plan.id} is ${actual}, not ${expected}`)
    const due = dueOf(plan)
    this.#invariants.check(
      'interval_schedule',
      due_at === (due === undefined ? undefined : timestamp(due)) && Date.parse(after.created_at) === plan.anchor,
      () => `${plan.id} of ${after.created_at} is due at ${due_at}, not at ${due && timestamp(due)}`,
    )
  }

  #compareEvents(plan: Plan, { events }: Commit, right: readonly string[]): void {
    const own = events.filter(({ about }) => (about as { id: string }).id === plan.id)
    const types = own.toSorted((one, other) => (one.pk < other.pk ? -1 : 1)).map(({ type }) => type as string)
    const is_complete = types.join() === right.join()
    this.#invariants.check('events_show_state', is_complete, () => `${plan.id} emits [${types}], not [${right}]`)
    const { status, retry_count, paid } = plan
    const times = [plan.retry_at, nextCaptureAt(plan), plan.ended_at].map((at) => at && timestamp(at))
    const expected = [status, retry_count, ...times, ...paid].join()
    for (const { data, type } of own) {
      const view = JSON.parse(data as string) as Subscription & { next_capture_at: string | null }
      const { retry_at, next_capture_at, ended_at, payments } = view
      const shown = [view.status, view.retry_count, retry_at, next_capture_at, ended_at, ...payments].join()
      this.#invariants.check('events_show_state', shown === expected, () => `${type} shows ${shown}, not ${expected}`)
    }
  }
}

/** Returns when the next interval begins, as the merchant sees it. */
function nextCaptureAt({ status, anchor, period, interval }: Plan): number | null {
  if (status === 'active') return gridAt(anchor, period, interval)
  return status === 'retrying' ? gridAt(anchor, period, interval + 1) : null
}
