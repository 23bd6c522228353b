import { nextTick } from 'node:process'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { type CallFault, call_faults, drawFaults, type Faults, read_faults } from './delivery-faults.ts'
import { randomFrom } from './list-simulation.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A request that AWS takes arrives within so long of its signature. */
const TRAVEL = 5 * MINUTE

export type ProcessKind = 'deliver' | 'chores' | 'fan_out' | 'sweep' | 'merchant'

/** One invocation of a function, or one request of the merchant: what crashes and freezes as a whole. */
export class Process {
  readonly kind: ProcessKind
  readonly name: string
  readonly began_at: number
  is_dead = false
  frozen_until = 0
  /** How many faults have hit it. */
  hits = 0

  constructor(kind: ProcessKind, name: string, began_at: number) {
    this.kind = kind
    this.name = name
    this.began_at = began_at
  }
}

interface Waiting {
  readonly at: number
  /** Answers true when it did nothing at all. */
  readonly go: () => unknown
  readonly process?: Process
}

/**
 * A clock that goes from one happening to the next, and chance that depends on the seed alone. Whatever a process asks
 * of the outside waits here for its turn, so one seed is one history, the same each time.
 */
export class World {
  /** Epoch milliseconds. */
  now: number
  /** Nothing goes wrong any more. */
  is_calm = false
  readonly faults: Faults
  readonly trace: ((line: string) => void) | undefined
  /** How often what went wrong. */
  readonly happenings = new Map<string, number>()
  /** What is under way. */
  readonly running = new Set<Process>()
  readonly #random: () => number
  /** The earliest last. */
  readonly #waiting: Waiting[] = []
  #processes = 0

  constructor(seed: number, trace?: (line: string) => void) {
    this.#random = randomFrom(seed)
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

  /** Whether something goes wrong now that has this chance. */
  goesWrong(probability: number): boolean {
    return probability > 0 && !this.is_calm && this.chance(probability)
  }

  happened(name: string): void {
    this.happenings.set(name, (this.happenings.get(name) ?? 0) + 1)
  }

  say(who: { readonly name: string }, what: string): void {
    this.trace?.(`${new Date(this.now).toISOString()} ${who.name}: ${what}`)
  }

  newProcess(kind: ProcessKind): Process {
    const process = new Process(kind, `${kind} ${++this.#processes}`, this.now)
    this.running.add(process)
    return process
  }

  /** Lets something happen after so many milliseconds, unless its process has ended by then. */
  after(milliseconds: number, go: () => unknown, process?: Process): void {
    // What happens in the same millisecond happens in any order.
    this.#push({ at: this.now + milliseconds + this.#random(), go, process })
  }

  turn(process: Process, milliseconds: number): Promise<void> {
    return new Promise((go) => this.after(milliseconds, () => go(), process))
  }

  /** How long a call takes that nothing happens to. */
  latency(): number {
    const part = this.#random()
    return part < 0.8 ? part * 30 : part < 0.97 ? part * 300 : part * 2_000
  }

  /** When the next thing happens; infinity when there is none. */
  get next_at(): number {
    return this.#waiting.at(-1)?.at ?? Number.POSITIVE_INFINITY
  }

  /** Turns the clock to the next happening and lets everything go on that waited for it alone. */
  async step(): Promise<void> {
    const next = this.#waiting.pop()!
    this.now = Math.floor(next.at)
    const { process } = next
    if (process?.is_dead) return
    if (process && process.frozen_until > this.now) {
      this.#push({ ...next, at: process.frozen_until + this.#random() })
      return
    }
    if (next.go() === true) return
    await this.settle()
  }

  /** Lets everything go on until all of it waits. Node runs what was ticked once no promise has anything left to do. */
  settle(): Promise<void> {
    return new Promise((settled) => nextTick(settled))
  }

  turnTo(at: number): void {
    this.now = Math.max(this.now, at)
  }

  /** A call that writes nothing. A sweep makes many of them, and most of these wait for no turn. */
  async read<T>(process: Process, what: string, act: () => T): Promise<Awaited<T>> {
    const waits = !this.is_calm && (process.kind !== 'sweep' || this.chance(0.2))
    return waits ? this.call(process, what, async () => act()) : await act()
  }

  /** A call of a process: done at a moment of its own, with what may go wrong. `send` looks whether it is not too late. */
  async call<T>(process: Process, what: string, act: () => Promise<T>, send?: () => void): Promise<Awaited<T>> {
    await this.turn(process, this.latency())
    const fault = this.is_calm ? undefined : this.#draw(send ? call_faults : read_faults)
    if (this.trace) this.say(process, fault ? `${what}: ${fault}` : what)
    if (fault === undefined) {
      send?.()
      return await act()
    }
    process.hits++
    this.happened(fault)
    if (fault === 'fail_before') throw new PlatformUnavailable('cut off before it was done')
    if (fault === 'conflict') throw new WriteConflict([])
    if (fault === 'crash_before') return this.crash(process)
    if (fault === 'freeze') await this.freeze(process)
    send?.()
    if (fault === 'travel') await this.turn(process, this.below(TRAVEL))
    const answer = await act()
    if (fault === 'crash_after') return this.crash(process)
    if (fault === 'fail_after') throw new PlatformUnavailable('cut off after it was done')
    return answer
  }

  /** The process ends here: nobody ever learns what became of the call. */
  crash(process: Process): Promise<never> {
    process.is_dead = true
    this.running.delete(process)
    return new Promise(() => {})
  }

  freeze(process: Process): Promise<void> {
    // A minute is how long a worker holds a delivery.
    const just_beyond = MINUTE + this.below(10 * SECOND)
    const long = this.pick([just_beyond, just_beyond, this.below(10 * MINUTE), this.below(6 * HOUR)])
    process.frozen_until = this.now + long
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
