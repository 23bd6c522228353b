import { nextTick } from 'node:process'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { randomOf } from '#test/faults/random.ts'
import { type CallFault, call_faults, drawFaults, type Faults, read_faults } from './fault-rates.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** How long a request can take to arrive: AWS rejects a request whose signature is older. */
const TRAVEL = 5 * MINUTE

export type ProcessKind = 'deliver' | 'capture' | 'chores' | 'fan_out' | 'sweep' | 'merchant'

/** One invocation of a function, or one request of the merchant. A crash or a freeze affects the whole process. */
export class Process {
  readonly kind: ProcessKind
  readonly name: string
  readonly began_at: number
  is_crashed = false
  frozen_until = 0
  /** The number of faults that the process has met. */
  hits = 0

  constructor(kind: ProcessKind, name: string, began_at: number) {
    this.kind = kind
    this.name = name
    this.began_at = began_at
  }
}

interface Waiting {
  readonly at: number
  /** Runs the step. Returns true if the step did nothing. */
  readonly go: () => unknown
  readonly process?: Process
}

/**
 * The clock and the randomness of a history. The clock jumps from one step to the next, and all random numbers come
 * from the seed. Every call that a process makes waits here for its turn, so a seed always gives the same history.
 */
export class World {
  readonly seed: number
  /** Epoch milliseconds. */
  now: number
  /** Whether faults have stopped. */
  is_calm = false
  readonly faults: Faults
  readonly trace: ((line: string) => void) | undefined
  /** The number of occurrences of each kind of step or fault, by name. */
  readonly happenings = new Map<string, number>()
  /** The processes that have not ended. */
  readonly running = new Set<Process>()
  readonly #random: () => number
  /** The waiting steps, in descending order of time. */
  readonly #waiting: Waiting[] = []
  #processes = 0

  constructor(seed: number, trace?: (line: string) => void) {
    this.seed = seed
    this.#random = randomOf(seed)
    this.trace = trace
    this.now = Date.UTC(2030, 0, 2) + this.below(2 * DAY)
    this.faults = drawFaults(this)
  }

  chance(probability: number): boolean {
    return this.#random() < probability
  }

  below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!
  }

  entropy(): Uint8Array {
    return Uint8Array.from({ length: 16 }, () => this.below(256))
  }

  /** Draws whether a fault of this probability happens now. */
  goesWrong(probability: number): boolean {
    return probability > 0 && !this.is_calm && this.chance(probability)
  }

  happened(name: string): void {
    this.happenings.set(name, (this.happenings.get(name) ?? 0) + 1)
  }

  say({ name }: { readonly name: string }, text: string): void {
    this.trace?.(`${new Date(this.now).toISOString()} ${name}: ${text}`)
  }

  newProcess(kind: ProcessKind): Process {
    const process = new Process(kind, `${kind} ${++this.#processes}`, this.now)
    this.running.add(process)
    return process
  }

  /** Runs `go` after a delay in milliseconds, unless its process has crashed by then. */
  after(milliseconds: number, go: () => unknown, process?: Process): void {
    // The fraction puts the steps of one millisecond into a random order.
    this.#push({ at: this.now + milliseconds + this.#random(), go, process })
  }

  turn(process: Process, milliseconds: number): Promise<void> {
    return new Promise((go) => this.after(milliseconds, () => go(), process))
  }

  /** Draws how long a call without a fault takes, in milliseconds. */
  latency(): number {
    const part = this.#random()
    return part < 0.8 ? part * 30 : part < 0.97 ? part * 300 : part * 2_000
  }

  /** The time of the next step; infinity if there is none. */
  get next_at(): number {
    return this.#waiting.at(-1)?.at ?? Number.POSITIVE_INFINITY
  }

  /** Turns the clock to the next step, runs it, and waits until every process waits again. */
  async step(): Promise<void> {
    const next = this.#waiting.pop()!
    this.now = Math.floor(next.at)
    const { process } = next
    if (process?.is_crashed) return
    if (process && process.frozen_until > this.now) {
      this.#push({ ...next, at: process.frozen_until + this.#random() })
      return
    }
    if (next.go() === true) return
    await this.settle()
  }

  /** Waits until every process waits for its turn. Node runs a tick once no promise has work left. */
  settle(): Promise<void> {
    return new Promise((settled) => nextTick(settled))
  }

  turnTo(at: number): void {
    this.now = Math.max(this.now, at)
  }

  /** A call that writes nothing. Most reads of a sweep wait for no turn, because a sweep makes many of them. */
  async read<T>(process: Process, name: string, act: () => T): Promise<Awaited<T>> {
    const waits = !this.is_calm && (process.kind !== 'sweep' || this.chance(0.2))
    return waits ? this.call(process, name, async () => act()) : await act()
  }

  /**
   * Makes a call of a process after a random latency. The call can meet a fault. `send` throws if it is too late to
   * send the request.
   */
  async call<T>(process: Process, name: string, act: () => Promise<T>, send?: () => void): Promise<Awaited<T>> {
    await this.turn(process, this.latency())
    const fault = this.is_calm ? undefined : this.#draw(send ? call_faults : read_faults)
    if (this.trace) this.say(process, fault ? `${name}: ${fault}` : name)
    if (fault === undefined) {
      send?.()
      return await act()
    }
    process.hits++
    this.happened(fault)
    if (fault === 'fail_before') throw new PlatformUnavailable('failed before the call was done')
    if (fault === 'conflict') throw new WriteConflict([])
    if (fault === 'crash_before') return this.crash(process)
    if (fault === 'freeze') await this.freeze(process)
    send?.()
    if (fault === 'travel') await this.turn(process, this.below(TRAVEL))
    const answer = await act()
    if (fault === 'crash_after') return this.crash(process)
    if (fault === 'fail_after') throw new PlatformUnavailable('failed after the call was done')
    return answer
  }

  /** Ends a process. Its call never returns. */
  crash(process: Process): Promise<never> {
    process.is_crashed = true
    this.running.delete(process)
    return new Promise(() => {})
  }

  freeze(process: Process): Promise<void> {
    // A lease lasts a minute.
    const just_beyond = MINUTE + this.below(10 * SECOND)
    const duration = this.pick([just_beyond, just_beyond, this.below(10 * MINUTE), this.below(6 * HOUR)])
    process.frozen_until = this.now + duration
    return this.turn(process, 0)
  }

  #draw(faults: readonly CallFault[]): CallFault | undefined {
    let rest = this.#random()
    for (const fault of faults) {
      rest -= this.faults.call[fault]
      if (rest < 0) return fault
    }
    return undefined
  }

  #push(waiting: Waiting): void {
    let [low, high] = [0, this.#waiting.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#waiting[middle]!.at > waiting.at) low = middle + 1
      else high = middle
    }
    this.#waiting.splice(low, 0, waiting)
  }
}
