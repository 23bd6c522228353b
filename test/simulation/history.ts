import { Refusal } from '#shared/domain/errors.ts'
import { idOf } from '#shared/domain/ids.ts'
import { type Message, type Platform, PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { sweep } from '#shared/scheduling/sweep.ts'
import type { BatchResult, QueueRecord } from '#shared/scheduling/worker-batch.ts'
import { type DueKind, merchantKey } from '#shared/store/keys.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { Invariants, type process_invariants, type Violation } from './invariants.ts'
import { MemoryTable } from './memory-table.ts'
import type { Mutant, Shared } from './platform.ts'
import { Queues, type WorkerKind } from './queues.ts'
import { Sweeps } from './sweeps.ts'
import type { Process, ProcessKind, World } from './world.ts'

export interface SimulationOptions {
  readonly mutant?: Mutant
  /** Collects the statistics of the histories: a count for each name. */
  readonly tally?: Map<string, number>
  /** Gets the history line by line. */
  readonly trace?: (line: string) => void
}

/** Simulates the history of a seed, until the first violation or the end. Returns the violation, if there is one. */
export type Simulate = (seed: number, options?: SimulationOptions) => Promise<Violation | undefined>

/**
 * A history of one merchant: requests, sweeps and workers, each a process, over a table in memory. A subclass defines
 * what the merchant does, how a worker handles its batch, and the invariants.
 */
export abstract class History<Name extends string> {
  merchant = ''
  readonly world: World
  readonly invariants: Invariants<Name | keyof typeof process_invariants>
  protected readonly shared: Shared

  constructor(world: World, rules: Readonly<Record<Name | keyof typeof process_invariants, string>>, mutant: Mutant) {
    const memory = new MemoryTable()
    this.world = world
    this.invariants = new Invariants(world, rules)
    this.shared = {
      ...{ world, memory, mutant, invariants: this.invariants, sweeps: new Sweeps(world, memory) },
      queues: new Queues(world, (kind, batch, done) => this.#startWorker(kind, batch, done)),
    }
  }

  /** Runs the history to its end, and checks what must hold then. */
  abstract play(): Promise<void>

  /** Returns the statistics of the subclass, each as a name and a count. */
  abstract figures(): [string, number][]

  protected abstract platform(process: Process): Platform

  /** Handles the batch of a worker, as the handler of its function does. */
  protected abstract handle(process: Process, records: QueueRecord[]): Promise<BatchResult>

  addTo(tally: Map<string, number>): void {
    for (const [name, times] of [...this.world.happenings, ...this.figures()])
      tally.set(name, (tally.get(name) ?? 0) + times)
  }

  /** Stores the merchant. */
  protected async openMerchant(): Promise<void> {
    this.merchant = idOf('merchant', this.world.now, this.world.entropy())
    const row = { version: 1, id: this.merchant, account: 'acc_1', mode: 'test', created_by: null }
    await this.shared.memory.write([{ put: { ...merchantKey(this.merchant), ...row } }])
  }

  /** Runs `act` a number of times, at random moments within the given milliseconds. */
  protected plan(times: number, within: number, act: () => unknown): void {
    for (let time = 0; time < times; time++) this.world.after(this.world.below(within), act)
  }

  /** Starts a request of the merchant. */
  protected request(act: (work: UnitOfWork) => Promise<void>): void {
    this.spawn('merchant', (process) => {
      const work = new UnitOfWork({ platform: this.platform(process), merchant: this.merchant, mode: 'test' })
      return act(this.seeded(work))
    })
  }

  protected spawn(kind: ProcessKind, run: (process: Process) => Promise<void>): void {
    const { world } = this
    const process = world.newProcess(kind)
    const end = (error?: unknown) => {
      world.running.delete(process)
      if (error instanceof Refusal) world.say(process, `is refused: ${error.code}`)
      if (error === undefined || expected_errors.some((expected) => error instanceof expected)) return
      const seen = error instanceof Error ? error.stack : error
      this.invariants.broken('processes_end', `${process.name} fails with ${seen}`)
    }
    run(process).then(() => end(), end)
  }

  /** Makes the ids of a unit of work depend on the seed. */
  protected seeded(work: UnitOfWork): UnitOfWork {
    work.newId = (kind) => idOf(kind, this.world.now, this.world.entropy())
    return work
  }

  /** Runs all steps and sweeps in the order of time, until that time or the first violation. */
  protected async run(until: number): Promise<void> {
    const { world } = this
    const { sweeps } = this.shared
    await world.settle()
    while (!this.invariants.violation) {
      const step_at = world.next_at
      const sweep_at = sweeps.soonest < step_at ? this.nextSweep() : Number.POSITIVE_INFINITY
      const next = Math.min(step_at, sweep_at)
      if (next > until) break
      this.before(next)
      if (step_at < sweep_at) {
        await world.step()
        continue
      }
      world.turnTo(sweep_at)
      this.#sweep()
      await world.settle()
    }
    world.turnTo(until)
  }

  /** Called before the clock is turned to the next step or sweep. */
  protected before(_next: number): void {}

  protected nextSweep(): number {
    return this.shared.sweeps.next()
  }

  /** Begins a sweep, and returns the kinds that it covers. */
  protected beginSweep(): DueKind[] {
    return [...this.shared.sweeps.begin()]
  }

  #sweep(): void {
    const { world } = this
    const kinds = this.beginSweep()
    if (world.goesWrong(world.faults.sweep_missed)) {
      world.happened('sweep missed')
      return
    }
    const sweepers = world.goesWrong(world.faults.sweep_doubled) ? 2 : 1
    for (let sweeper = 0; sweeper < sweepers; sweeper++)
      this.spawn('sweep', async (process) => {
        const platform = this.platform(process)
        await Promise.allSettled(kinds.map((kind) => sweep(platform, kind)))
      })
  }

  #startWorker(kind: WorkerKind, batch: readonly Message[], done: (failed: ReadonlySet<number>) => void): void {
    const { mutant, memory } = this.shared
    this.spawn(kind, async (process) => {
      const messages = batch.map((message) => mutant.message?.(message, memory) ?? message)
      const records = messages.map((message, index) => ({ messageId: String(index), body: JSON.stringify(message) }))
      const { batchItemFailures } = await this.handle(process, records)
      done(new Set(batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier))))
    })
  }
}

/** Returns the simulation that plays one history of this kind per seed. */
export function simulationOf(
  historyOf: (seed: number, mutant: Mutant, trace: SimulationOptions['trace']) => History<string>,
): Simulate {
  return async (seed, { mutant = {}, tally = new Map(), trace } = {}) => {
    const history = historyOf(seed, mutant, trace)
    await history.play()
    history.addTo(tally)
    // Other timers of this process, such as the time limit of a test, run between two histories.
    await new Promise((resolve) => setImmediate(resolve))
    return history.invariants.violation
  }
}

/** The errors with which a process may end. */
const expected_errors = [PlatformUnavailable, WriteConflict, Refusal]
