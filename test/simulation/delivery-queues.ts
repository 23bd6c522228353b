import type { Key, Message } from '#shared/platform/ports.ts'
import { queue_of } from '#shared/scheduling/queue-messages.ts'
import type { DueKind } from '#shared/store/keys.ts'
import { DAY, HOUR, MINUTE, SECOND, type World } from './delivery-world.ts'

/** How long a queue waits for a worker before it hands its message to another one, and how often it does. */
const VISIBILITY = 6 * MINUTE
const RECEIVES_MAX = 5

/** Messages or records that a worker of that kind is handed at most. */
const BATCH = { deliver: 1, chores: 10, fan_out: 100 } as const

export type WorkerKind = keyof typeof BATCH

/** Lets a worker of that kind begin with a batch. It tells the places of those that it has not done, or never tells anything. */
export type Hand = (to: WorkerKind, batch: readonly Message[], done: (failed: ReadonlySet<number>) => void) => void

interface Sent {
  readonly message: Message
  readonly to: WorkerKind
  receives: number
  is_done: boolean
}

/** The queues and the table's stream, all of them unreliable: what they carry gets lost, comes twice, late or out of order. */
export class Queues {
  readonly #world: World
  readonly #batches: Readonly<Record<WorkerKind, Sent[]>> = { deliver: [], chores: [], fan_out: [] }
  readonly #hand: Hand

  constructor(world: World, hand: Hand) {
    this.#world = world
    this.#hand = hand
  }

  /** A message is sent, to arrive after so many seconds. */
  send(message: Message, delay_seconds: number): void {
    const to = queue_of[message.kind as DueKind] === 'deliveries' ? 'deliver' : 'chores'
    this.#carry(message, to, this.#world.faults.lost, delay_seconds * SECOND)
  }

  /** The stream tells of a row that was put. */
  tell({ pk, sk }: Key): void {
    this.#carry({ pk, sk, kind: '', due_at: '' }, 'fan_out', this.#world.faults.lost_record, 0)
  }

  #carry(message: Message, to: WorkerKind, loss: number, delay: number): void {
    const world = this.#world
    const copies = world.goesWrong(loss) ? 0 : world.goesWrong(world.faults.doubled) ? 2 : 1
    if (copies !== 1) world.happened(copies === 0 ? 'lost' : 'doubled')
    for (let copy = 0; copy < copies; copy++) {
      const is_late = world.goesWrong(world.faults.late)
      const late = is_late ? world.below(world.pick([MINUTE, 10 * MINUTE, HOUR, DAY])) : world.latency()
      world.after(delay + late, () => this.#arrive({ message, to, receives: 0, is_done: false }))
    }
  }

  #arrive(sent: Sent): void {
    const batch = this.#batches[sent.to]
    if (batch.push(sent) > 1) return
    const begin = () => {
      while (batch.length > 0) this.#begin(sent.to, batch.splice(0, BATCH[sent.to]))
    }
    if (BATCH[sent.to] === 1) begin()
    else this.#world.after(this.#world.below(SECOND), begin)
  }

  #begin(to: WorkerKind, batch: readonly Sent[]): void {
    // What the stream tells is told once.
    if (to !== 'fan_out') for (const sent of batch) this.#handAgain(sent)
    this.#hand(
      to,
      batch.map(({ message }) => message),
      (failed) => {
        batch.forEach((sent, place) => {
          sent.is_done = !failed.has(place)
        })
      },
    )
  }

  #handAgain(sent: Sent): void {
    sent.receives++
    this.#world.after(VISIBILITY, () => {
      if (sent.is_done || sent.receives >= RECEIVES_MAX) return true
      this.#arrive(sent)
      return false
    })
  }
}
