import type { Period } from '#shared/domain/calendar.ts'
import type { Outcome, Payment } from '#shared/domain/payment.ts'
import type { Subscription, SubscriptionStatus } from '#shared/domain/subscription.ts'
import type { Item, Write } from '#shared/platform/ports.ts'
import { DAY, MINUTE, type Process, type World } from './delivery-world.ts'

const JAPAN = 9 * 60 * MINUTE

/** Failures in a row that end a subscription. */
const FAILURES = 4

/** When all is well, what is due is begun within so long. */
const PROMPT = 10 * MINUTE

/** When the interval of that number begins, in epoch milliseconds: a calendar of the model's own. */
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

/** What should be of one subscription, after all that was seen to happen to it. */
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
  /** When it last changed. */
  changed_at: number
}

/** A charge of the acquirer's ledger. */
interface Charge {
  readonly interval: string
  readonly payment: string | undefined
  readonly outcome: Outcome['result']
}

/** A transaction that was committed. */
interface Commit {
  readonly process: Process
  readonly payments: readonly { readonly before: Payment | undefined; readonly after: Payment }[]
  readonly events: readonly Item[]
}

/** When a subscription should be tried next; undefined: never, or not while a try is out. */
export function dueOf({ status, in_flight, anchor, period, interval, not_before, retry_at }: Plan): number | undefined {
  if (in_flight) return undefined
  if (status === 'pending') return anchor
  if (status === 'active') return Math.max(gridAt(anchor, period, interval), not_before ?? 0)
  return status === 'retrying' ? retry_at! : undefined
}

/** How many intervals have begun and are not captured. */
export function missedOf({ anchor, period, interval }: Plan, now: number): number {
  let missed = 0
  while (gridAt(anchor, period, interval + missed) <= now) missed++
  return missed
}

/** Watches what is committed and what the acquirer does, and keeps the first thing that is not as the model has it. */
export class Model {
  wrong: string | undefined
  readonly plans = new Map<string, Plan>()
  readonly payments = new Map<string, Payment>()
  /** By the key that the acquirer knows them by. */
  readonly charges = new Map<string, Charge>()
  readonly voided = new Set<string>()
  readonly gone = new Set<string>()
  /** To be told of each try that begins. */
  readonly begins: ((subscription: string) => void)[] = []
  /** Since when nothing has gone wrong any more. */
  calm_since = Number.POSITIVE_INFINITY
  readonly #world: World
  readonly #payment_of = new Map<string, string>()
  /** When the acquirer last declined a charge of an interval. */
  readonly #declined_at = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  complain(text: string): void {
    this.wrong ??= `${new Date(this.#world.now).toISOString()} ${text}`
  }

  get living(): Plan[] {
    return [...this.plans.values()].filter(({ status }) => status !== 'deleted' && status !== 'suspended')
  }

  /** To be told of each commit, with what stood there before. */
  committed(process: Process, writes: readonly Write[], before: readonly (Item | undefined)[]): void {
    const puts = writes.flatMap((write, index) => ('put' in write ? [{ put: write.put, before: before[index] }] : []))
    for (const { put } of puts) {
      if (put.sk.startsWith('attempt#') && put.operation === 'charge')
        this.#payment_of.set(put.key as string, put.payment as string)
      if (put.sk === 'sandbox') this.#asked(put)
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
    for (const { put } of changed) this.#subscriptionChanged(put as unknown as Subscription, commit)
    for (const write of writes)
      if ('delete' in write && write.delete.sk === 'customer') this.#customerGone(write.delete.pk)
  }

  #asked({ pk, operation, outcome, amount }: Item): void {
    const key = pk.split('#')[2]!
    const { result } = outcome as unknown as Outcome
    if (operation === 'void') this.voided.add(key.slice(0, key.lastIndexOf('-')))
    const name = /^(sub_[^-]+-\d+)-\d+/.exec(key)
    if (!name) return
    const interval = name[1]!
    const payment = this.#payment_of.get(name[0])
    if (result === 'captured' && amount !== this.payments.get(payment ?? '')?.amount)
      this.complain(`${key} is charged with ${amount}`)
    this.charges.set(key, { interval, payment, outcome: result })
    const { now } = this.#world
    if (now < (this.#declined_at.get(interval) ?? 0) + DAY - 1000 && (result === 'captured' || result === 'declined'))
      this.complain(`${key} is tried again within 24 hours`)
    if (result === 'declined' && operation === 'charge') this.#declined_at.set(interval, now)
    const kept = [...this.charges.values()].filter((one) => one.interval === interval && this.#isKept(one))
    if (kept.length > 1) this.complain(`${interval} is charged twice at the acquirer`)
  }

  #isKept({ outcome, payment }: Charge): boolean {
    const { status } = (payment && this.payments.get(payment)) || {}
    return outcome === 'captured' && status !== 'cancelled'
  }

  #paymentChanged(before: Payment | undefined, after: Payment, changed: readonly { readonly put: Item }[]): void {
    this.payments.set(after.id, after)
    if (before?.status === after.status) return
    const { subscription } = after.occurrence!
    if (!changed.some(({ put }) => put.id === subscription)) {
      this.complain(`${after.id} becomes ${after.status} without its subscription`)
      return
    }
    if (after.status === 'captured' && this.plans.get(subscription)?.status === 'deleted')
      this.complain(`${after.id} is captured after ${subscription} was deleted`)
  }

  #customerGone(pk: string): void {
    const customer = pk.split('#')[2]!
    this.gone.add(customer)
    for (const plan of this.living) if (plan.customer === customer) this.complain(`${plan.id} outlives its customer`)
  }

  #subscriptionChanged(after: Subscription, commit: Commit): void {
    const plan = this.plans.get(after.id)
    const told = plan ? this.#changed(plan, after, commit) : this.#created(after, commit)
    const now_planned = this.plans.get(after.id)!
    now_planned.changed_at = this.#world.now
    this.#compare(now_planned, after)
    this.#compareEvents(now_planned, commit, told)
  }

  #created(after: Subscription, commit: Commit): string[] {
    const { id, customer, period, amount, created_at } = after
    const anchor = this.#moment(created_at, commit)
    const plan: Plan = {
      ...{
        id,
        customer: customer.uuid,
        period,
        anchor,
        amount,
        status: 'pending',
        interval: 0,
        tries: 0,
        retry_count: 0,
      },
      ...{ retry_at: null, not_before: null, in_flight: null, ended_at: null, paid: [], changed_at: this.#world.now },
    }
    this.plans.set(id, plan)
    if (this.gone.has(plan.customer)) this.complain(`${id} is made for a customer that is gone`)
    return ['subscription.created', ...this.#begun(plan, after, commit)]
  }

  #changed(plan: Plan, after: Subscription, commit: Commit): string[] {
    if (after.status === 'deleted') return this.#deleted(plan, after, commit)
    const own = commit.payments.filter((payment) => payment.after.occurrence?.subscription === plan.id)
    if (own.some(({ before }) => before === undefined)) return this.#begun(plan, after, commit)
    if (own.length > 0) return this.#settled(plan, own[0]!.after, after, commit)
    this.#inTime(plan)
    this.#world.happened('fails without a card')
    return this.#failed(plan, after, commit)
  }

  #begun(plan: Plan, after: Subscription, commit: Commit): string[] {
    const payment = commit.payments.find((one) => one.after.occurrence?.subscription === plan.id)?.after
    if (!payment) {
      this.complain(`${plan.id} begins without a payment`)
      return []
    }
    this.#inTime(plan)
    const { interval, try: number } = payment.occurrence!
    if (interval !== plan.interval || number !== plan.tries || payment.amount !== plan.amount)
      this.complain(
        `${payment.id} of ${plan.id} is interval ${interval} try ${number}, not ${plan.interval} ${plan.tries}`,
      )
    if (plan.amount === 0) return this.#captured(plan, payment, after, commit)
    plan.in_flight = payment.id
    plan.tries++
    for (const tell of this.begins) tell(plan.id)
    return []
  }

  /** A try is never made before its time, and soon after it when all is well. */
  #inTime(plan: Plan): void {
    const { now } = this.#world
    const due = dueOf(plan)
    if (due === undefined) this.complain(`${plan.id} is tried while ${plan.in_flight ? 'a try is out' : plan.status}`)
    else if (now < due) this.complain(`${plan.id} is tried before ${new Date(due).toISOString()}`)
    else if (now > this.calm_since + 2 * DAY && now > Math.max(due, plan.changed_at) + PROMPT)
      this.complain(`${plan.id} is tried late: it was due at ${new Date(due).toISOString()}`)
  }

  /** The acquirer's ledger says what becomes of a try, be its answer ever so late. */
  #settled(plan: Plan, payment: Payment, after: Subscription, commit: Commit): string[] {
    if (payment.id !== plan.in_flight) this.complain(`${plan.id} is settled by ${payment.id} that is not out`)
    plan.in_flight = null
    const outcome = [...this.charges.values()].find((one) => one.payment === payment.id)?.outcome
    if (!outcome || payment.status !== (outcome === 'captured' ? 'captured' : 'failed'))
      this.complain(`${payment.id} becomes ${payment.status} of ${outcome}`)
    if (outcome === 'captured') return this.#captured(plan, payment, after, commit)
    return outcome === 'never_arrived' ? [] : this.#failed(plan, after, commit)
  }

  #captured(plan: Plan, { id }: Payment, after: Subscription, commit: Commit): string[] {
    plan.interval++
    plan.paid.push(id)
    const { not_before } = after
    const missed = gridAt(plan.anchor, plan.period, plan.interval)
    const at = not_before === null ? null : this.#moment(not_before, commit, DAY)
    // What falls due while the transaction is on its way may be seen as missed or not.
    if (at === null ? missed <= commit.process.began_at : missed > this.#world.now)
      this.complain(`${plan.id} waits until ${not_before} for what is due at ${new Date(missed).toISOString()}`)
    Object.assign(plan, { status: 'active', tries: 0, retry_count: 0, retry_at: null })
    plan.not_before = at === null ? null : at + DAY
    if (at !== null) this.#world.happened('missed and made up')
    return ['subscription.captured']
  }

  #failed(plan: Plan, after: Subscription, commit: Commit): string[] {
    plan.retry_count++
    plan.not_before = null
    if (plan.retry_count > FAILURES) this.complain(`${plan.id} fails for the ${plan.retry_count}th time`)
    if (plan.status === 'pending' || plan.retry_count === FAILURES) {
      Object.assign(plan, { status: 'suspended', retry_at: null, ended_at: this.#moment(after.ended_at, commit) })
      return ['subscription.failed', 'subscription.suspended']
    }
    plan.status = 'retrying'
    plan.retry_at = this.#moment(after.retry_at, commit, DAY) + DAY
    return ['subscription.failed']
  }

  #deleted(plan: Plan, after: Subscription, commit: Commit): string[] {
    if (plan.status === 'deleted') this.complain(`${plan.id} is deleted again`)
    const open = plan.in_flight
    if (open && !commit.payments.some(({ after: one }) => one.id === open && one.status === 'cancelled'))
      this.complain(`${plan.id} is deleted with ${open} left open`)
    const ended_at = this.#moment(after.ended_at, commit)
    Object.assign(plan, { status: 'deleted', in_flight: null, retry_at: null, not_before: null, ended_at })
    return ['subscription.deleted']
  }

  /** A time that is told, less `behind`: that at which a process decided, which is known but for how long it took. */
  #moment(text: string | null, { process }: Commit, behind = 0): number {
    const at = Date.parse(text ?? '') - behind
    if (!(at > process.began_at - 1000 && at <= this.#world.now))
      this.complain(`${process.name}, there since ${new Date(process.began_at).toISOString()}, tells ${text}`)
    return at
  }

  #compare(plan: Plan, after: Subscription): void {
    const right = [plan.status, plan.interval, plan.tries, plan.retry_count, plan.in_flight, plan.paid.join()]
    const kept = [after.status, after.interval, after.tries, after.retry_count, after.in_flight, after.payments.join()]
    const times = [plan.retry_at, plan.not_before, plan.ended_at]
    const kept_times = [after.retry_at, after.not_before, after.ended_at].map((at) => at && Date.parse(at))
    if (String([...right, ...times]) !== String([...kept, ...kept_times]))
      this.complain(`${plan.id} is ${[...kept, ...kept_times].join()}, not ${[...right, ...times].join()}`)
  }

  #compareEvents(plan: Plan, { events }: Commit, right: readonly string[]): void {
    const own = events.filter(({ about }) => (about as { id: string }).id === plan.id)
    const told = own.toSorted((one, other) => (one.pk < other.pk ? -1 : 1)).map(({ type }) => type as string)
    if (told.join() !== right.join()) this.complain(`${plan.id} tells [${told}], not [${right}]`)
    const { status, retry_count, paid } = plan
    const shown = [
      status,
      retry_count,
      timeOf(plan.retry_at),
      timeOf(nextCaptureAt(plan)),
      timeOf(plan.ended_at),
      ...paid,
    ]
    for (const { data, type } of own) {
      const view = JSON.parse(data as string) as Subscription & { next_capture_at: string | null }
      const { retry_at, next_capture_at, ended_at, payments } = view
      const seen = [view.status, view.retry_count, retry_at, next_capture_at, ended_at, ...payments]
      if (seen.join() !== shown.join()) this.complain(`${type} of ${plan.id} shows ${seen}, not ${shown}`)
    }
  }
}

/** When the next interval begins, as the merchant is told. */
function nextCaptureAt({ status, anchor, period, interval }: Plan): number | null {
  if (status === 'active') return gridAt(anchor, period, interval)
  return status === 'retrying' ? gridAt(anchor, period, interval + 1) : null
}

const timeOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString().replace('.000', '')
