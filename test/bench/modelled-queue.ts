import type { VirtualTime } from '#test/partitions/virtual-time.ts'
import { assumed } from './usage.ts'

/** Works on a message in a batch of this size. `done` says whether the work succeeded. */
export type Act<M> = (message: M, batch: number, done: (is_done: boolean) => void) => void

/**
 * Lambda starts with five functions for a queue and adds up to 300 a minute:
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const FUNCTIONS_AT_FIRST = 5
const FUNCTIONS_A_MILLISECOND = 300 / 60_000

/** How often a queue with waiting messages looks for functions that were added, in milliseconds. */
const SCALE_EVERY_MS = 200

export interface QueueLimits {
  readonly functions_max: number
  readonly batch_max: number
  /** A failed message returns after this time. */
  readonly visibility_ms: number
  /** A message goes to the dead-letter queue after so many receives. */
  readonly receives_max: number
}

interface Waiting<M> {
  readonly message: M
  readonly receives: number
}

/** A queue with the functions that work on its messages. */
export class ModelledQueue<M> {
  /** The messages that returned to the queue, and those that went to the dead-letter queue. */
  returned = 0
  dead = 0
  readonly #time: VirtualTime
  readonly #limits: QueueLimits
  readonly #act: Act<M>
  #waiting: Waiting<M>[] = []
  #next = 0
  #functions = 0
  #began_at: number | undefined
  #is_scaling = false

  constructor(time: VirtualTime, limits: QueueLimits, act: Act<M>) {
    this.#time = time
    this.#limits = limits
    this.#act = act
  }

  /** Lets all functions exist already, as after minutes of the same load. */
  scaleOut(): void {
    this.#began_at = Number.NEGATIVE_INFINITY
  }

  send(message: M): void {
    this.#put({ message, receives: 0 })
  }

  #put(waiting: Waiting<M>): void {
    this.#began_at ??= this.#time.now
    this.#waiting.push(waiting)
    this.#work()
  }

  #work(): void {
    while (this.#next < this.#waiting.length && this.#functions < this.#functionsNow()) this.#begin(this.#take())
    const is_waiting = this.#next < this.#waiting.length && this.#functionsNow() < this.#limits.functions_max
    if (!is_waiting || this.#is_scaling) return
    this.#is_scaling = true
    this.#time.after(SCALE_EVERY_MS, () => {
      this.#is_scaling = false
      this.#work()
    })
  }

  #functionsNow(): number {
    const added = Math.floor((this.#time.now - this.#began_at!) * FUNCTIONS_A_MILLISECOND)
    return Math.min(this.#limits.functions_max, FUNCTIONS_AT_FIRST + added)
  }

  #take(): Waiting<M>[] {
    const batch = this.#waiting.slice(this.#next, this.#next + this.#limits.batch_max)
    this.#next += batch.length
    if (this.#next > 10_000) this.#waiting = this.#waiting.slice(this.#next)
    if (this.#next > 10_000) this.#next = 0
    return batch
  }

  #begin(batch: readonly Waiting<M>[]): void {
    this.#functions += 1
    let left = batch.length
    const end = (one: Waiting<M>, is_done: boolean) => {
      if (!is_done) this.#return(one)
      left -= 1
      if (left > 0) return
      this.#functions -= 1
      this.#work()
    }
    this.#time.after(assumed.own_ms, () => {
      for (const one of batch) this.#act(one.message, batch.length, (is_done) => end(one, is_done))
    })
  }

  #return({ message, receives }: Waiting<M>): void {
    if (receives + 1 >= this.#limits.receives_max) {
      this.dead += 1
      return
    }
    this.returned += 1
    this.#time.after(this.#limits.visibility_ms, () => this.#put({ message, receives: receives + 1 }))
  }
}
