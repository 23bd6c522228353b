import type { Key, Message, Queue, QueueName } from '#shared/platform/ports.ts'
import { queue_of } from '#shared/scheduling/queue-messages.ts'
import type { DueKind } from '#shared/store/keys.ts'
import { DAY, HOUR, MINUTE, type Process, SECOND, type World } from './world.ts'

/** The visibility timeout of a queue, and how often it delivers a message at most. */
const VISIBILITY = 6 * MINUTE
const RECEIVES_MAX = 5

/** The most messages or stream records of a worker's batch, by kind of worker. */
const BATCH = { deliver: 1, capture: 10, chores: 10, fan_out: 100 } as const

export type WorkerKind = keyof typeof BATCH

const worker_of: Readonly<Record<QueueName, WorkerKind>> = {
  deliveries: 'deliver',
  captures: 'capture',
  chores: 'chores',
  clocks: 'chores',
}

/** Starts a worker with a batch. `done` gets the indexes of the failed messages; a crashed worker never calls it. */
export type StartWorker = (
  kind: WorkerKind,
  batch: readonly Message[],
  done: (failed: ReadonlySet<number>) => void,
) => void

interface Sent {
  readonly message: Message
  readonly to: WorkerKind
  receives: number
  is_done: boolean
}

/** The queues and the table's stream. Their messages are lost, doubled, delayed and reordered. */
export class Queues {
  readonly #world: World
  readonly #batches: Readonly<Record<WorkerKind, Sent[]>> = { deliver: [], capture: [], chores: [], fan_out: [] }
  readonly #startWorker: StartWorker

  constructor(world: World, startWorker: StartWorker) {
    this.#world = world
    this.#startWorker = startWorker
  }

  /** The port of all queues, as one process sees it. */
  port(process: Process): Queue {
    return {
      send: (messages) =>
        this.#world.read(process, 'sends', () => {
          for (const { message, delay_seconds = 0 } of messages) this.#send(message, delay_seconds * SECOND)
        }),
    }
  }

  /** Puts the record of a new row into the stream. */
  stream({ pk, sk }: Key): void {
    this.#carry({ pk, sk, kind: '', due_at: '' }, 'fan_out', this.#world.faults.lost_record, 0)
  }

  #send(message: Message, delay: number): void {
    this.#carry(message, worker_of[queue_of[message.kind as DueKind]], this.#world.faults.lost, delay)
  }

  #carry(message: Message, to: WorkerKind, loss: number, delay: number): void {
    const world = this.#world
    const copies = world.goesWrong(loss) ? 0 : world.goesWrong(world.faults.doubled) ? 2 : 1
    if (copies !== 1) world.happened(copies === 0 ? 'lost' : 'doubled')
    for (let copy = 0; copy < copies; copy++) {
      const is_late = world.goesWrong(world.faults.late)
      const late = is_late ? world.below(world.pick([MINUTE, 10 * MINUTE, HOUR, 3 * DAY])) : world.latency()
      world.after(delay + late, () => this.#arrive({ message, to, receives: 0, is_done: false }))
    }
  }

  #arrive(sent: Sent): void {
    const batch = this.#batches[sent.to]
    if (batch.push(sent) > 1) return
    const start = () => {
      while (batch.length > 0) this.#start(sent.to, batch.splice(0, BATCH[sent.to]))
    }
    if (BATCH[sent.to] === 1) start()
    else this.#world.after(this.#world.below(SECOND), start)
  }

  #start(to: WorkerKind, batch: readonly Sent[]): void {
    // The stream delivers a record once. The sweep finds the outbox row of a failed one.
    if (to !== 'fan_out') for (const sent of batch) this.#deliverAgain(sent)
    this.#startWorker(
      to,
      batch.map(({ message }) => message),
      (failed) => {
        for (const [index, sent] of batch.entries()) sent.is_done = !failed.has(index)
      },
    )
  }

  #deliverAgain(sent: Sent): void {
    sent.receives++
    this.#world.after(VISIBILITY, () => {
      if (sent.is_done || sent.receives >= RECEIVES_MAX) return true
      this.#arrive(sent)
      return false
    })
  }
}
