import type { Period } from '#shared/domain/calendar.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { idOf } from '#shared/domain/ids.ts'
import type { OperationProgress } from '#shared/domain/operation-progress.ts'
import { expirePayment } from '#shared/payments/expire-payment.ts'
import { resolveAttempt } from '#shared/payments/resolve-attempt.ts'
import { type Item, type Message, PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { queue_of } from '#shared/scheduling/queue-messages.ts'
import { sweep } from '#shared/scheduling/sweep.ts'
import { AHEAD_MS } from '#shared/scheduling/sweep-windows.ts'
import { workThrough } from '#shared/scheduling/worker-batch.ts'
import { cursorKey, type DueKind, due_kinds, merchantKey, shardsOf } from '#shared/store/keys.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { captureSubscription } from '#shared/subscriptions/capture-subscription.ts'
import { Sweeps } from './delivery-sweeps.ts'
import { DAY, HOUR, MINUTE, type Process, type ProcessKind, SECOND, World } from './delivery-world.ts'
import { MemoryTable } from './memory-table.ts'
import { Merchant } from './subscription-merchant.ts'
import { Model, missedOf } from './subscription-model.ts'
import { type Mutant, platformFor, type Shared } from './subscription-platform.ts'
import { judge } from './subscription-verdict.ts'

/** How long a queue waits for a worker before it hands its message to another one, and how often it does. */
const VISIBILITY = 6 * MINUTE
const RECEIVES_MAX = 5

/** Messages that a worker is handed at most. */
const BATCH = 10

/** When all is well, all that was left is done by then: the ladder of inquiries, three retries, and the look at what was lost. */
const SETTLED_AFTER = 12 * DAY

/** How long a history lasts, and the periods of its subscriptions. */
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

interface Stretch {
  readonly from: number
  readonly to: number
}

const NEVER: Stretch = { from: 0, to: 0 }

const isWithin = (at: number, { from, to }: Stretch): boolean => at >= from && at < to

type Act = (work: UnitOfWork, message: Message, progress: OperationProgress) => Promise<void>

const acts: Readonly<Partial<Record<DueKind, Act>>> = {
  subscription: captureSubscription,
  occurrence: (work, message) => resolveAttempt(work, message),
  attempt: (work, message) => resolveAttempt(work, message),
  payment: expirePayment,
}

interface Queued {
  readonly message: Message
  receives: number
  is_done: boolean
}

/**
 * Plays one history of subscriptions: what a merchant and its customers' banks do, the sweeps and the workers, until the
 * faults stop and all is settled. Answers the first thing that was wrong, or undefined.
 */
export async function simulateSubscriptions(
  seed: number,
  tally: Map<string, number>,
  { mutant = {}, trace }: { readonly mutant?: Mutant; readonly trace?: (line: string) => void } = {},
): Promise<string | undefined> {
  const simulation = new Simulation(seed, mutant, trace)
  await simulation.play()
  simulation.addTo(tally)
  // Timers of whoever waits for many histories would never have their turn otherwise.
  await new Promise((resolve) => setImmediate(resolve))
  return simulation.wrong && `seed ${seed}: ${simulation.wrong}`
}

/** What happened in the history of a seed, line by line. */
export async function historyOf(seed: number): Promise<string> {
  const lines: string[] = []
  await simulateSubscriptions(seed, new Map(), { trace: (line) => lines.push(line) })
  return lines.join('\n')
}

class Simulation {
  readonly #world: World
  readonly #memory = new MemoryTable()
  readonly #model: Model
  readonly #sweeps: Sweeps
  readonly #shared: Shared
  readonly #shape: Shape
  readonly #merchant: string
  readonly #acts: Merchant
  readonly #batches: Record<'captures' | 'chores', Queued[]> = { captures: [], chores: [] }
  /** How likely the acquirer gives no answer, and from when to when it never does. */
  readonly #silence: number
  #silent: Stretch = NEVER
  /** From when to when nothing is swept at all. */
  #unswept: Stretch = NEVER
  /** Where the cursors stood then. */
  #cursors: Item[] | undefined
  /** How long it goes wrong what can. */
  #storm_ends_at = 0
  #is_beginning = false
  #is_over = false

  constructor(seed: number, mutant: Mutant, trace?: (line: string) => void) {
    const world = new World(seed, trace)
    world.now = beginning(world)
    this.#world = world
    this.#shape = world.pick(shapes)
    this.#silence = world.chance(0.5) ? 0 : world.pick([0.02, 0.1, 0.4])
    this.#model = new Model(world)
    this.#sweeps = new Sweeps(world, this.#memory)
    this.#merchant = idOf('merchant', world.now, world.entropy())
    this.#acts = new Merchant(world, this.#model)
    this.#model.begins.push((subscription) => this.#interfere(subscription))
    this.#shared = {
      world,
      memory: this.#memory,
      model: this.#model,
      sweeps: this.#sweeps,
      mutant,
      isSilent: () => this.#isSilent(),
      queued: (message, delay_seconds) => this.#send(message, delay_seconds * SECOND),
    }
  }

  get wrong(): string | undefined {
    return this.#model.wrong
  }

  addTo(tally: Map<string, number>): void {
    const plans = [...this.#model.plans.values()]
    const charges = [...this.#model.charges.values()]
    const figures: [string, number][] = [
      ['subscriptions', plans.length],
      ['suspended', plans.filter(({ status }) => status === 'suspended').length],
      ['deleted', plans.filter(({ status }) => status === 'deleted').length],
      ['captures', plans.reduce((sum, { paid }) => sum + paid.length, 0)],
      ['given back', this.#model.voided.size],
      ['declined', charges.filter(({ outcome }) => outcome === 'declined').length],
      ['never arrived', charges.filter(({ outcome }) => outcome === 'never_arrived').length],
    ]
    for (const [name, times] of [...this.#world.happenings, ...figures]) tally.set(name, (tally.get(name) ?? 0) + times)
  }

  async play(): Promise<void> {
    const world = this.#world
    await this.#begin()
    const { horizon, periods } = this.#shape
    const ends_at = world.now + horizon
    if (world.chance(0.15)) this.#silent = this.#stretch(world.pick([HOUR, HOUR, 3 * DAY, 60 * DAY]))
    if (world.chance(0.3)) this.#unswept = this.#stretch(world.pick([HOUR, 3 * DAY, horizon / 2, horizon / 2]))
    const create = () => this.#act((work) => this.#acts.create(work, world.pick(periods)))
    world.after(0, create)
    this.#plan(world.below(2), Math.min(horizon, 10 * DAY), create)
    this.#plan(world.below(6), horizon, () => this.#acts.changeBank())
    this.#plan(world.below(3), horizon, () => this.#change())
    this.#plan(world.chance(0.3) ? 1 : 0, horizon, () => this.#delete())
    if (world.chance(0.15)) this.#plan(1, horizon, () => this.#deleteCustomer(world.pick(this.#acts.customers)))
    await this.#run(ends_at)
    this.#is_over = true
    world.is_calm = true
    this.#model.calm_since = world.now
    if (world.chance(0.5)) this.#acts.settleBanks()
    await this.#run(ends_at + SETTLED_AFTER + this.#behind() * 1.2 * DAY)
    // What has just begun may end.
    for (let minutes = 0; minutes < 30 && this.#isBusy(); minutes++) await this.#run(world.now + MINUTE)
    if (!this.wrong) judge(this.#model, this.#memory, world, this.#merchant)
  }

  #isBusy(): boolean {
    return this.#world.running.size > 0 || this.#model.living.some(({ in_flight }) => in_flight)
  }

  /** The merchant and its customers. */
  async #begin(): Promise<void> {
    const world = this.#world
    const row = { version: 1, id: this.#merchant, account: 'acc_1', mode: 'test', created_by: null }
    await this.#memory.write([{ put: { ...merchantKey(this.#merchant), ...row } }])
    world.is_calm = true
    this.#is_beginning = true
    for (let made = 1 + world.below(2); made > 0; made--) this.#act((work) => this.#acts.createCustomer(work))
    await this.#run(world.now + 10 * SECOND)
    this.#is_beginning = false
    world.is_calm = false
    this.#storm_ends_at = world.now + HOUR
  }

  #isSilent(): boolean {
    const world = this.#world
    return !this.#is_over && (isWithin(world.now, this.#silent) || world.goesWrong(this.#silence))
  }

  /** Somebody does something just when a try is out. */
  #interfere(subscription: string): void {
    const world = this.#world
    if (this.#is_over || !world.chance(0.1)) return
    const { customer } = this.#model.plans.get(subscription)!
    const soon = world.below(world.pick([SECOND / 20, SECOND / 5, MINUTE, HOUR]))
    const what = world.below(10)
    if (what < 4) world.after(soon, () => this.#act((work) => this.#acts.delete(work, subscription)))
    else if (what < 9) world.after(soon, () => this.#act((work) => this.#acts.changeCustomer(work, customer)))
    else world.after(soon, () => this.#deleteCustomer(customer))
  }

  #change(): void {
    this.#act((work) => this.#acts.changeCustomer(work, this.#world.pick(this.#acts.customers)))
  }

  #delete(): void {
    const ids = [...this.#model.plans.keys()]
    if (ids.length > 0) this.#act((work) => this.#acts.delete(work, this.#world.pick(ids)))
  }

  #deleteCustomer(customer: string): void {
    const world = this.#world
    const soon = () => world.below(SECOND / 20)
    world.after(soon(), () => this.#act((work) => this.#acts.deleteCustomer(work, customer)))
    if (world.chance(0.7))
      world.after(soon(), () => this.#act((work) => this.#acts.create(work, world.pick(this.#shape.periods), customer)))
  }

  #plan(times: number, within: number, act: () => unknown): void {
    for (let time = 0; time < times; time++) this.#world.after(this.#world.below(within), act)
  }

  /** How many intervals have begun and are not captured, of the subscription that is most behind. */
  #behind(): number {
    return Math.max(0, ...this.#model.living.map((plan) => missedOf(plan, this.#world.now)))
  }

  #stretch(longest: number): Stretch {
    const world = this.#world
    const from = world.now + world.below(this.#shape.horizon)
    return { from, to: from + world.below(longest) }
  }

  /** In a history of months what goes wrong, goes wrong for hours, and when something happens. */
  #changeWeather(next: number): void {
    const world = this.#world
    if (this.#is_over || this.#is_beginning) return
    if (next > world.now + 30 * MINUTE && world.chance(0.6))
      this.#storm_ends_at = next + world.pick([MINUTE, 10 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR])
    world.is_calm = next > this.#storm_ends_at
  }

  /** When the next sweep comes that finds something; in an outage none comes. */
  #nextSweep(next: number): number {
    const { soonest } = this.#sweeps
    if (soonest >= next) return Number.POSITIVE_INFINITY
    const at = this.#sweeps.next()
    if (this.#is_over || !isWithin(at, this.#unswept)) return at
    this.#cursors ??= due_kinds.flatMap((kind) => this.#memory.at(cursorKey(kind)) ?? [])
    return Math.ceil(this.#unswept.to / MINUTE) * MINUTE
  }

  /** Lets everything happen in its order until nothing is left, or the time has come. */
  async #run(until: number): Promise<void> {
    const world = this.#world
    await world.settle()
    while (!this.wrong) {
      const next = world.next_at
      const sweep_at = this.#nextSweep(next)
      if (Math.min(next, sweep_at) > until) break
      this.#changeWeather(Math.min(next, sweep_at))
      if (next < sweep_at) {
        await world.step()
        continue
      }
      world.turnTo(sweep_at)
      this.#sweep()
      await world.settle()
    }
    world.turnTo(until)
  }

  #sweep(): void {
    const world = this.#world
    const kinds = this.#sweeps.begin()
    if (this.#cursors) this.#memory.write(this.#cursors.map((put) => ({ put })))
    this.#cursors = undefined
    if (world.goesWrong(world.faults.sweep_missed)) {
      world.happened('sweep missed')
      return
    }
    world.happened('sweeps')
    // A sweep of what is not due yet finds nothing.
    const isDue = (kind: DueKind) => kinds.has(kind) && shardsOf(kind).some((shard) => this.#firstDue(shard) <= until)
    const until = world.now + AHEAD_MS
    const due = due_kinds.filter(isDue)
    const sweepers = world.goesWrong(world.faults.sweep_doubled) ? 2 : 1
    for (let sweeper = 0; sweeper < sweepers; sweeper++)
      this.#spawn('sweep', async (process) => {
        const platform = platformFor(this.#shared, process)
        await Promise.allSettled(due.map((kind) => sweep(platform, kind)))
      })
  }

  #firstDue(shard: string): number {
    const [first] = this.#memory.due_index.shards.get(shard) ?? []
    return first ? Date.parse(first.due_at) : Number.POSITIVE_INFINITY
  }

  #act(act: (work: UnitOfWork) => Promise<void>): void {
    this.#spawn('merchant', (process) => {
      const platform = platformFor(this.#shared, process)
      return act(this.#seeded(new UnitOfWork({ platform, merchant: this.#merchant, mode: 'test' })))
    })
  }

  #spawn(kind: ProcessKind, run: (process: Process) => Promise<void>): void {
    const world = this.#world
    const process = world.newProcess(kind)
    const ended = (error?: unknown) => {
      world.running.delete(process)
      if (error instanceof Refusal) world.say(process, `is refused: ${error.code}`)
      if (error === undefined || errors.some((expected) => error instanceof expected)) return
      this.#model.complain(`${process.name} fails with ${error instanceof Error ? error.stack : error}`)
    }
    run(process).then(() => ended(), ended)
  }

  /** The same seed makes the same ids. */
  #seeded(work: UnitOfWork): UnitOfWork {
    work.newId = (kind) => idOf(kind, this.#world.now, this.#world.entropy())
    return work
  }

  #send(message: Message, delay: number): void {
    const world = this.#world
    const copies = world.goesWrong(world.faults.lost) ? 0 : world.goesWrong(world.faults.doubled) ? 2 : 1
    if (copies !== 1) world.happened(copies === 0 ? 'lost' : 'doubled')
    for (let copy = 0; copy < copies; copy++) {
      const is_late = world.goesWrong(world.faults.late)
      const late = is_late ? world.below(world.pick([MINUTE, 10 * MINUTE, HOUR, 3 * DAY])) : world.latency()
      const queued = { message, receives: 0, is_done: false }
      world.after(delay + late, () => this.#arrive(queued))
    }
  }

  #arrive(queued: Queued): void {
    const queue = queue_of[queued.message.kind as DueKind] as 'captures' | 'chores'
    if (this.#batches[queue].push(queued) > 1) return
    this.#world.after(this.#world.below(SECOND), () => {
      while (this.#batches[queue].length > 0) this.#hand(this.#batches[queue].splice(0, BATCH))
    })
  }

  #hand(batch: readonly Queued[]): void {
    for (const queued of batch) {
      queued.receives++
      this.#world.after(VISIBILITY, () => {
        if (queued.is_done || queued.receives >= RECEIVES_MAX) return true
        this.#arrive(queued)
        return false
      })
    }
    this.#spawn('chores', async (process) => {
      const Records = batch.map(({ message }, index) => ({ messageId: String(index), body: JSON.stringify(message) }))
      const { batchItemFailures } = await workThrough(platformFor(this.#shared, process), Records, (work, message) => {
        const seeded = this.#seeded(work)
        return retryOnConflict(seeded, (progress) => acts[message.kind as DueKind]!(seeded, message, progress))
      })
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier)))
      batch.forEach((queued, index) => {
        queued.is_done = !failed.has(index)
      })
    })
  }
}

/** A moment of any day, and often of one that not every month or year has. */
function beginning(world: World): number {
  const any = Date.UTC(2027, 0, 1) + world.below(5 * 365) * DAY
  const last = Date.UTC(2027 + world.below(5), 1 + world.below(12), 0) - world.below(3) * DAY
  const leap_day = Date.UTC(2028, 1, 29)
  const day = world.pick([any, any, last, last, last, leap_day])
  return day - 9 * HOUR + world.below(world.pick([DAY, MINUTE]))
}

/** What a process may end with. */
const errors = [PlatformUnavailable, WriteConflict, Refusal]
