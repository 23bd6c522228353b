import type { Period } from '#shared/domain/calendar.ts'
import type { OperationProgress } from '#shared/domain/operation-progress.ts'
import { expirePayment } from '#shared/payments/expire-payment.ts'
import { resolveAttempt } from '#shared/payments/resolve-attempt.ts'
import type { Item, Message, Platform } from '#shared/platform/ports.ts'
import { AHEAD_MS } from '#shared/scheduling/sweep-windows.ts'
import { type BatchResult, type QueueRecord, workThrough } from '#shared/scheduling/worker-batch.ts'
import { cursorKey, type DueKind, due_kinds, shardsOf } from '#shared/store/keys.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { captureSubscription } from '#shared/subscriptions/capture-subscription.ts'
import { resumeOccurrence } from '#shared/subscriptions/resume-occurrence.ts'
import { History, simulationOf } from './history.ts'
import type { Mutant } from './platform.ts'
import { checkEnd } from './subscription-end-checks.ts'
import { type SubscriptionInvariant, subscription_invariants } from './subscription-invariants.ts'
import { Merchant } from './subscription-merchant.ts'
import { Model, missedOf } from './subscription-model.ts'
import { type SharedBySubscriptions, subscriptionPlatform } from './subscription-platform.ts'
import { DAY, HOUR, MINUTE, type Process, SECOND, World } from './world.ts'

/**
 * How long after the last fault all work is done: the inquiry schedule, three retries, and the daily sweep of lost
 * work.
 */
const SETTLED_AFTER = 12 * DAY

/** The duration of a history, and the periods of its subscriptions. */
interface Shape {
  readonly horizon: number
  readonly periods: readonly Period[]
}

const shapes: readonly Shape[] = [
  { horizon: 6 * HOUR, periods: ['weekly', 'monthly', 'yearly'] },
  { horizon: 10 * DAY, periods: ['weekly', 'monthly'] },
  { horizon: 45 * DAY, periods: ['weekly', 'weekly', 'monthly'] },
  { horizon: 190 * DAY, periods: ['monthly'] },
  { horizon: 1_500 * DAY, periods: ['yearly'] },
]

interface Span {
  readonly from: number
  readonly to: number
}

const NEVER: Span = { from: 0, to: 0 }

const isWithin = (at: number, { from, to }: Span): boolean => at >= from && at < to

type Act = (work: UnitOfWork, message: Message, progress: OperationProgress) => Promise<void>

/** The due work of this simulation, by kind, as the workers of captures and chores do it. */
const acts: Readonly<Partial<Record<DueKind, Act>>> = {
  subscription: captureSubscription,
  occurrence: (work, message) => resolveAttempt(work, message, resumeOccurrence),
  attempt: (work, message) => resolveAttempt(work, message),
  payment: expirePayment,
}

/**
 * Simulates the subscriptions of a merchant: requests, decisions of banks, sweeps and workers, with faults for a while
 * and then without, until all work is done.
 */
export const simulateSubscriptions = simulationOf((seed, mutant, trace) => {
  const world = new World(seed, trace)
  world.now = startOf(world)
  return new Subscriptions(world, mutant)
})

class Subscriptions extends History<SubscriptionInvariant> {
  readonly #model: Model
  readonly #shared: SharedBySubscriptions
  readonly #shape: Shape
  readonly #acts: Merchant
  /** The probability that the acquirer does not respond, and a span in which it responds to nothing. */
  readonly #silence: number
  #silent: Span = NEVER
  /** A span without sweeps, and the cursors at the start of that span. */
  #unswept: Span = NEVER
  #cursors: Item[] | undefined
  /** When the current spell of faults ends. */
  #faults_end_at = 0
  #is_beginning = false
  #is_over = false

  constructor(world: World, mutant: Mutant) {
    super(world, subscription_invariants, mutant)
    this.#shape = world.pick(shapes)
    this.#silence = world.chance(0.5) ? 0 : world.pick([0.02, 0.1, 0.4])
    this.#model = new Model(world, this.invariants, (subscription) => this.#interfere(subscription))
    this.#acts = new Merchant(world, this.#model, this.invariants)
    this.#shared = { ...this.shared, model: this.#model, isSilent: () => this.#isSilent() }
  }

  override figures(): [string, number][] {
    const plans = [...this.#model.plans.values()]
    const charges = [...this.#model.charges.values()]
    return [
      ['subscriptions', plans.length],
      ['suspended', plans.filter(({ status }) => status === 'suspended').length],
      ['deleted', plans.filter(({ status }) => status === 'deleted').length],
      ['captures', plans.reduce((sum, { paid }) => sum + paid.length, 0)],
      ['voided', this.#model.voided.size],
      ['declined', charges.filter(({ outcome }) => outcome === 'declined').length],
      ['never arrived', charges.filter(({ outcome }) => outcome === 'never_arrived').length],
    ]
  }

  override async play(): Promise<void> {
    const { world } = this
    await this.#begin()
    const { horizon, periods } = this.#shape
    const ends_at = world.now + horizon
    if (world.chance(0.15)) this.#silent = this.#span(world.pick([HOUR, HOUR, 3 * DAY, 60 * DAY]))
    if (world.chance(0.3)) this.#unswept = this.#span(world.pick([HOUR, 3 * DAY, horizon / 2, horizon / 2]))
    const create = () => this.request((work) => this.#acts.create(work, world.pick(periods)))
    world.after(0, create)
    this.plan(world.below(2), Math.min(horizon, 10 * DAY), create)
    this.plan(world.below(6), horizon, () => this.#acts.changeBank())
    this.plan(world.below(3), horizon, () => this.#change())
    this.plan(world.chance(0.3) ? 1 : 0, horizon, () => this.#delete())
    if (world.chance(0.15)) this.plan(1, horizon, () => this.#deleteCustomer(world.pick(this.#acts.customers)))
    await this.run(ends_at)
    this.#is_over = true
    world.is_calm = true
    this.#model.calm_since = world.now
    if (world.chance(0.5)) this.#acts.settleBanks()
    await this.run(ends_at + SETTLED_AFTER + this.#behind() * 1.2 * DAY)
    // Processes that have just begun get time to end.
    for (let minutes = 0; minutes < 30 && this.#isBusy(); minutes++) await this.run(world.now + MINUTE)
    const { invariants, merchant } = this
    if (!invariants.violation) checkEnd({ invariants, merchant, model: this.#model, shared: this.#shared })
  }

  protected override platform(process: Process): Platform {
    return subscriptionPlatform(this.#shared, process)
  }

  protected override handle(process: Process, records: QueueRecord[]): Promise<BatchResult> {
    return workThrough(this.platform(process), records, (work, message) => {
      const seeded = this.seeded(work)
      return retryOnConflict(seeded, (progress) => acts[message.kind as DueKind]!(seeded, message, progress))
    })
  }

  /** In a history of months, faults come in spells of minutes to hours that begin with a step or a sweep. */
  protected override before(next: number): void {
    const { world } = this
    if (this.#is_over || this.#is_beginning) return
    if (next > world.now + 30 * MINUTE && world.chance(0.6))
      this.#faults_end_at = next + world.pick([MINUTE, 10 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR])
    world.is_calm = next > this.#faults_end_at
  }

  protected override nextSweep(): number {
    const at = super.nextSweep()
    if (this.#is_over || !isWithin(at, this.#unswept)) return at
    this.#cursors ??= due_kinds.flatMap((kind) => this.#shared.memory.at(cursorKey(kind)) ?? [])
    return Math.ceil(this.#unswept.to / MINUTE) * MINUTE
  }

  /** The first sweep after an outage continues from the cursors at its begin. A kind with nothing due is left out. */
  protected override beginSweep(): DueKind[] {
    const { memory } = this.#shared
    const kinds = super.beginSweep()
    if (this.#cursors) memory.write(this.#cursors.map((put) => ({ put })))
    this.#cursors = undefined
    const until = this.world.now + AHEAD_MS
    return due_kinds.filter(
      (kind) => kinds.includes(kind) && shardsOf(kind).some((shard) => this.#firstDue(shard) <= until),
    )
  }

  #firstDue(shard: string): number {
    const [first] = this.#shared.memory.due_index.shards.get(shard) ?? []
    return first ? Date.parse(first.due_at) : Number.POSITIVE_INFINITY
  }

  #isBusy(): boolean {
    return this.world.running.size > 0 || this.#model.running.some(({ in_flight }) => in_flight)
  }

  /** Creates the merchant and its customers. */
  async #begin(): Promise<void> {
    const { world } = this
    await this.openMerchant()
    world.is_calm = true
    this.#is_beginning = true
    for (let made = 1 + world.below(2); made > 0; made--) this.request((work) => this.#acts.createCustomer(work))
    await this.run(world.now + 10 * SECOND)
    this.#is_beginning = false
    world.is_calm = false
    this.#faults_end_at = world.now + HOUR
  }

  #isSilent(): boolean {
    const { world } = this
    return !this.#is_over && (isWithin(world.now, this.#silent) || world.goesWrong(this.#silence))
  }

  /** At times the merchant changes or deletes something while a try is in flight. */
  #interfere(subscription: string): void {
    const { world } = this
    if (this.#is_over || !world.chance(0.1)) return
    const { customer } = this.#model.plans.get(subscription)!
    const soon = world.below(world.pick([SECOND / 20, SECOND / 5, MINUTE, HOUR]))
    const kind = world.below(10)
    if (kind < 4) world.after(soon, () => this.request((work) => this.#acts.delete(work, subscription)))
    else if (kind < 9) world.after(soon, () => this.request((work) => this.#acts.changeCustomer(work, customer)))
    else world.after(soon, () => this.#deleteCustomer(customer))
  }

  #change(): void {
    this.request((work) => this.#acts.changeCustomer(work, this.world.pick(this.#acts.customers)))
  }

  #delete(): void {
    const ids = [...this.#model.plans.keys()]
    if (ids.length > 0) this.request((work) => this.#acts.delete(work, this.world.pick(ids)))
  }

  #deleteCustomer(customer: string): void {
    const { world } = this
    const soon = () => world.below(SECOND / 20)
    world.after(soon(), () => this.request((work) => this.#acts.deleteCustomer(work, customer)))
    const { periods } = this.#shape
    if (world.chance(0.7))
      world.after(soon(), () => this.request((work) => this.#acts.create(work, world.pick(periods), customer)))
  }

  /** The number of missed intervals of the subscription that is furthest behind. */
  #behind(): number {
    return Math.max(0, ...this.#model.running.map((plan) => missedOf(plan, this.world.now)))
  }

  /** A random span of the history, of at most that many milliseconds. */
  #span(longest: number): Span {
    const { world } = this
    const from = world.now + world.below(this.#shape.horizon)
    return { from, to: from + world.below(longest) }
  }
}

/** Draws the start of a history: any day, and often one that not every month or year has. */
function startOf(world: World): number {
  const any = Date.UTC(2027, 0, 1) + world.below(5 * 365) * DAY
  const last = Date.UTC(2027 + world.below(5), 1 + world.below(12), 0) - world.below(3) * DAY
  const leap_day = Date.UTC(2028, 1, 29)
  const day = world.pick([any, any, last, last, last, leap_day])
  return day - 9 * HOUR + world.below(world.pick([DAY, MINUTE]))
}
