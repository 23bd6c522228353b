import { backoffMs, client_options, TRIES_MAX } from '#shared/platform/aws/calls.ts'
import type { Consumption, Partitions } from '#test/partitions/partitions.ts'
import type { VirtualTime } from '#test/partitions/virtual-time.ts'
import {
  type CallTemplate,
  type ItemTemplate,
  lettersAt,
  positionIn,
  type Replayed,
  type Rounds,
} from './replay-templates.ts'
import { assumed } from './usage.ts'

/** How a work ends. `throttled`: a call was throttled in all its tries. `conflict`: another write won each time. */
export type Outcome = 'done' | 'throttled' | 'conflict'

/** A work to replay. */
export interface Work {
  readonly rounds: Rounds
  /** The number of its payment, which gives its items keys of their own. */
  readonly number: number
  /** The time of its payment in virtual milliseconds. */
  readonly born: number
  /** The messages that one function works on at the same time. They share its processor. */
  readonly batch: number
  /** How often the work is repeated after a write conflict. A call outside of the platform is never repeated. */
  readonly tries_max: number
  /** Called at the beginning of each round. */
  readonly onRound?: (round: number) => void
  readonly onEnd: (outcome: Outcome) => void
}

/** The SDK's wait after a throttled read, in milliseconds, before its jitter. */
const READ_BACKOFF_MS = 500

/** A transaction takes two steps: prepare and commit. */
const transaction_ms = 2 * assumed.wait_ms

/** What the partitions answered to all calls so far. */
export interface Answers {
  readonly throttled: { read: number; write: number }
  conflicts: number
}

/** Replays works against partitions, with the retries of the AWS adapters. */
export class Replay {
  readonly answers: Answers = { throttled: { read: 0, write: 0 }, conflicts: 0 }
  readonly #time: VirtualTime
  readonly #table: Partitions
  readonly #index: Partitions
  /** Until when transactions occupy the items that several works share, and when these items were last written. */
  readonly #occupied = new Map<string, number>()
  readonly #written = new Map<string, number>()

  constructor(time: VirtualTime, table: Partitions, index: Partitions) {
    this.#time = time
    this.#table = table
    this.#index = index
  }

  play(work: Work): void {
    new Play(this, this.#time, work).begin()
  }

  /**
   * Makes a call. `occupied`: a transaction is in progress on one of its items. `changed`: an item whose version it
   * checks was written after `began_at`.
   */
  call(call: CallTemplate, replayed: Replayed, began_at: number): 'done' | 'throttled' | 'occupied' | 'changed' {
    const { now } = this.#time
    const { operation, items, index } = call
    const isOccupied = ({ shared }: ItemTemplate) => shared !== undefined && (this.#occupied.get(shared) ?? 0) > now
    const isChanged = ({ shared, is_checked }: ItemTemplate) =>
      is_checked && shared !== undefined && (this.#written.get(shared) ?? -1) > began_at
    if (operation === 'write') {
      const refused = items.some(isOccupied) ? 'occupied' : items.some(isChanged) ? 'changed' : undefined
      if (refused) {
        this.answers.conflicts += 1
        return refused
      }
    }
    const [own, followed] = [items, index].map((some) => consumptionOf(some, replayed)) as [
      Consumption[],
      Consumption[],
    ]
    if (!this.#table.serve(operation, own, now) || !this.#index.serve('write', followed, now)) {
      this.answers.throttled[operation] += 1
      return 'throttled'
    }
    this.#table.consume(operation, own, now)
    this.#index.consume('write', followed, now)
    if (operation === 'write') this.#noteWrite(call, now)
    return 'done'
  }

  #noteWrite({ items, is_transaction }: CallTemplate, now: number): void {
    for (const { shared, collection, units } of items) {
      if (collection) collection.write_units += units
      if (shared === undefined) continue
      const until = now + (is_transaction ? transaction_ms : assumed.wait_ms)
      if (is_transaction) this.#occupied.set(shared, until)
      this.#written.set(shared, until)
    }
  }
}

/** One work on its way through its rounds. */
class Play {
  readonly #replay: Replay
  readonly #time: VirtualTime
  readonly #work: Work
  readonly #replayed: Replayed
  #began_at = 0
  #tries = 0
  #first = 0
  #round = 0
  #running = 0
  #outcome: Outcome = 'done'

  constructor(replay: Replay, time: VirtualTime, work: Work) {
    this.#replay = replay
    this.#time = time
    this.#work = work
    this.#replayed = { number: work.number, letters: lettersAt(work.born) }
  }

  begin(): void {
    this.#tries += 1
    this.#began_at = this.#time.now
    this.#round = this.#first
    this.#next()
  }

  #next(): void {
    const round = this.#work.rounds[this.#round]
    if (!round) {
      this.#work.onEnd('done')
      return
    }
    this.#work.onRound?.(this.#round)
    this.#round += 1
    const { calls, elsewhere_ms } = round
    if (elsewhere_ms > 0) this.#first = this.#round
    this.#outcome = 'done'
    this.#running = 1
    for (const call of calls) this.#send(call, 1)
    const own_ms = Math.max(1, calls.length) * assumed.call_ms * this.#work.batch
    this.#time.after(own_ms + (elsewhere_ms || assumed.wait_ms), () => this.#endCall('done'))
  }

  #send(call: CallTemplate, tries: number): void {
    if (tries === 1) this.#running += 1
    const answer = this.#replay.call(call, this.#replayed, this.#began_at)
    const takes_ms = call.is_transaction ? transaction_ms : assumed.wait_ms
    if (answer === 'done' || answer === 'changed' || tries >= triesOf(call)) {
      const outcome = answer === 'done' || answer === 'throttled' ? answer : 'conflict'
      this.#time.after(takes_ms, () => this.#endCall(outcome))
    } else this.#time.after(takes_ms + waitOf(call, tries), () => this.#send(call, tries + 1))
  }

  #endCall(outcome: Outcome): void {
    this.#running -= 1
    if (this.#outcome === 'done') this.#outcome = outcome
    if (this.#running > 0) return
    if (this.#outcome === 'done') this.#next()
    else if (this.#outcome === 'conflict' && this.#tries < this.#work.tries_max) this.begin()
    else this.#work.onEnd(this.#outcome)
  }
}

const triesOf = ({ operation }: CallTemplate): number =>
  operation === 'write' ? TRIES_MAX : client_options.maxAttempts

const waitOf = ({ operation }: CallTemplate, tries: number): number =>
  operation === 'write' ? backoffMs(tries) : Math.random() * READ_BACKOFF_MS * 2 ** tries

const consumptionOf = (items: readonly ItemTemplate[], replayed: Replayed): Consumption[] =>
  items.map((item) => ({ position: positionIn(replayed, item), units: item.units }))
