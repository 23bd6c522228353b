import type { Context, SQSEvent } from 'aws-lambda'
import { handler as doChores } from '#functions/background/chores.ts'
import { handler as fanOut } from '#functions/background/fan-out.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { idOf } from '#shared/domain/ids.ts'
import { type Message, PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { sweep } from '#shared/scheduling/sweep.ts'
import { type BatchResult, workThrough } from '#shared/scheduling/worker-batch.ts'
import { merchantKey } from '#shared/store/keys.ts'
import { CLOSED_AFTER_MS } from '#shared/store/list-counts.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { deliver } from '#shared/webhooks/deliver.ts'
import { Audit } from './delivery-audit.ts'
import { Merchant } from './delivery-merchant.ts'
import { type Mutant, Outside, type Shared } from './delivery-platform.ts'
import { Queues, type WorkerKind } from './delivery-queues.ts'
import { type Health, Receivers } from './delivery-receivers.ts'
import { Sweeps } from './delivery-sweeps.ts'
import { Verdict } from './delivery-verdict.ts'
import { DAY, HOUR, MINUTE, type ProcessKind, SECOND, World } from './delivery-world.ts'
import { MemoryTable } from './memory-table.ts'

/** When all is well, all is done by then: the 25 days of a delivery's schedule, and a day for the look at what was lost. */
const SETTLED_AFTER = 27 * DAY

/** How many events at most there are for how many webhooks at least, and how their receivers do. */
interface Shape {
  readonly events: number
  readonly webhooks: number
  readonly health: Health
}

const few: Shape = { events: 2, webhooks: 1, health: 'mixed' }

/** So much for one webhook that its deliveries take several pages. */
const busy: Shape = { events: 8, webhooks: 1, health: 'mixed' }

/** More webhooks than deliveries fit one transaction. */
const many: Shape = { events: 1, webhooks: 20, health: 'well' }

/** Receivers that all 26 attempts go to in vain. */
const dead: Shape = { events: 1, webhooks: 1, health: 'dead' }

const shapes: readonly Shape[] = [...Array<Shape>(27).fill(few), busy, many, many, dead]

/**
 * Plays one history of the whole pipeline: what a merchant does, the fan-out, the sweeps and the workers, until the faults
 * stop and all is settled. Answers the first thing that was wrong, or undefined.
 */
export async function simulate(
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

class Simulation {
  readonly #world: World
  readonly #memory = new MemoryTable()
  readonly #audit: Audit
  readonly #sweeps: Sweeps
  readonly #shared: Shared
  readonly #shape: Shape
  readonly #merchant: string
  readonly #acts: Merchant
  readonly #verdict: Verdict

  constructor(seed: number, mutant: Mutant, trace?: (line: string) => void) {
    const world = new World(seed, trace)
    this.#shape = world.pick(shapes)
    const receivers = new Receivers(world, this.#shape.health)
    this.#world = world
    this.#audit = new Audit(world)
    this.#sweeps = new Sweeps(world, this.#memory)
    this.#merchant = idOf('merchant', world.now, world.entropy())
    this.#acts = new Merchant(world, this.#audit, receivers.urls)
    this.#verdict = new Verdict(this.#audit, this.#memory, world, this.#merchant)
    this.#shared = {
      world,
      memory: this.#memory,
      audit: this.#audit,
      sweeps: this.#sweeps,
      receivers,
      mutant,
      queues: new Queues(world, (to, batch, done) => this.#work(to, batch, done)),
      onPost: (delivery) => this.#watch(delivery),
    }
  }

  get wrong(): string | undefined {
    return this.#audit.wrong
  }

  addTo(tally: Map<string, number>): void {
    for (const [name, times] of [...this.#world.happenings, ...this.#audit.figures()])
      tally.set(name, (tally.get(name) ?? 0) + times)
  }

  async play(): Promise<void> {
    const world = this.#world
    await this.#begin()
    const horizon = world.pick([10 * MINUTE, 6 * HOUR, 3 * DAY, 27 * DAY])
    const faults_end_at = world.now + horizon
    const within = world.chance(0.5) ? HOUR : horizon
    this.#plan(1 + world.below(this.#shape.events), Math.min(within, horizon / 2), () => {
      this.#act((work) => this.#acts.happen(work))
      // Just when the hour is counted for good: what is told later is too late for it.
      world.after(HOUR - (world.now % HOUR) + CLOSED_AFTER_MS, () => this.#verdict.counted())
    })
    this.#plan(world.below(4), horizon, () => this.#act((work) => this.#acts.manage(work)))
    this.#plan(world.below(2), horizon, () => this.#verdict.counted())
    await this.#run(faults_end_at)
    world.is_calm = true
    await this.#run(faults_end_at + SETTLED_AFTER)
    await this.#verdict.reach()
  }

  /** The merchant, and webhooks that were there before everything: few as a rule, and more than a transaction takes at times. */
  async #begin(): Promise<void> {
    const world = this.#world
    const row = { version: 1, id: this.#merchant, account: 'acc_1', mode: 'test', created_by: null }
    await this.#memory.write([{ put: { ...merchantKey(this.#merchant), ...row } }])
    const { webhooks } = this.#shape
    const made = webhooks + world.below(webhooks + 1)
    world.is_calm = true
    for (let number = 0; number < made; number++) this.#act((work) => this.#acts.createWebhook(work, { ping: false }))
    await this.#run(world.now + 10 * SECOND)
    world.is_calm = false
  }

  #plan(times: number, within: number, act: () => unknown): void {
    for (let time = 0; time < times; time++) this.#world.after(this.#world.below(within), act)
  }

  /** Lets everything happen in its order until nothing is left, or the time has come. */
  async #run(until: number): Promise<void> {
    const world = this.#world
    while (!this.wrong) {
      const next = world.next_at
      const sweep_at = this.#sweeps.soonest < next ? this.#sweeps.next() : Number.POSITIVE_INFINITY
      if (Math.min(next, sweep_at) > until) break
      if (next < sweep_at) {
        await world.step()
        continue
      }
      world.turnTo(sweep_at)
      this.#sweep()
      await world.settle()
    }
  }

  #sweep(): void {
    const world = this.#world
    const kinds = this.#sweeps.begin()
    if (world.goesWrong(world.faults.sweep_missed)) {
      world.happened('sweep missed')
      return
    }
    const sweepers = world.goesWrong(world.faults.sweep_doubled) ? 2 : 1
    for (let sweeper = 0; sweeper < sweepers; sweeper++)
      this.#spawn('sweep', async ({ platform }) => {
        await Promise.allSettled([...kinds].map((kind) => sweep(platform, kind)))
      })
  }

  #act(act: (work: UnitOfWork) => Promise<void>): void {
    this.#spawn('merchant', ({ platform }) => act(new UnitOfWork({ platform, merchant: this.#merchant, mode: 'test' })))
  }

  #spawn(kind: ProcessKind, run: (outside: Outside) => Promise<void>): void {
    const world = this.#world
    const process = world.newProcess(kind)
    const ended = (error?: unknown) => {
      world.running.delete(process)
      if (error === undefined || errors.some((expected) => error instanceof expected)) return
      this.#audit.complain(`${process.name} fails with ${error}`)
    }
    run(new Outside(this.#shared, process)).then(() => ended(), ended)
  }

  /** At times the merchant sees that a delivery is under way, and does something about it. */
  #watch(delivery: string): void {
    const world = this.#world
    if (world.is_calm || world.chance(0.96)) return
    world.after(world.below(15 * SECOND), () => this.#act((work) => this.#acts.insist(work, delivery)))
  }

  #work(to: WorkerKind, messages: readonly Message[], done: (failed: ReadonlySet<number>) => void): void {
    this.#spawn(to, async (outside) => {
      const { batchItemFailures } = await this.#handled(to, messages, outside)
      done(new Set(batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier))))
    })
  }

  async #handled(to: WorkerKind, messages: readonly Message[], { platform, post }: Outside): Promise<BatchResult> {
    const context = { platform } as unknown as Context
    const handed = messages.map((message) => this.#shared.mutant.message?.(message, this.#memory) ?? message)
    const Records = handed.map((message, index) => ({ messageId: String(index), body: JSON.stringify(message) }))
    if (to === 'deliver') return workThrough(platform, Records, (work, message) => deliver(work, message, post))
    if (to === 'chores') return doChores({ Records } as SQSEvent, context)
    const keys = messages.map(({ pk, sk }) => ({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } }))
    await fanOut({ Records: keys }, context)
    return { batchItemFailures: [] }
  }
}

/** What a process may end with. */
const errors = [PlatformUnavailable, WriteConflict, Refusal]
