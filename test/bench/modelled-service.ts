import { worker_seconds } from '#shared/background.ts'
import { stageOf } from '#test/fixtures/stages.ts'
import type { Partition } from '#test/partitions/partition.ts'
import { Partitions } from '#test/partitions/partitions.ts'
import { published } from '#test/partitions/published-limits.ts'
import { VirtualTime } from '#test/partitions/virtual-time.ts'
import { ModelledQueue } from './modelled-queue.ts'
import { ModelledStream } from './modelled-stream.ts'
import { type Outcome, Replay } from './replay.ts'
import { lettersAt, positionIn, type Rounds, type Template, writeUnitsOf } from './replay-templates.ts'

/** The stage whose limits the model has. */
const prod = stageOf('prod')

/** How often a message is received before it goes to the dead-letter queue, and how long it stays invisible. */
const RECEIVES_MAX = 5
const VISIBILITY_TO_WORKER = 6

/** The sweep queues an outbox row a minute after its event. */
const OUTBOX_MS = 60_000

/** How often work is repeated after a write conflict: see `retryOnConflict`. */
const TRIES_MAX = 5

/** A payment whose events are fanned out and delivered. */
export interface Order {
  readonly number: number
  readonly template: Template
  /** When its request began, and when its events were committed, in virtual milliseconds. */
  readonly paid_at: number
  readonly born: number
}

interface FanOut {
  readonly order: Order
  readonly index: number
}

interface Delivery {
  readonly order: Order
  readonly rounds: Rounds
  is_posted: boolean
}

/**
 * The partitions of prod's table: enough to write the payments that the stage admits. They are the table's warm
 * throughput.
 */
export const partitionsFor = ({ payment }: Template): number =>
  Math.ceil((prod.requestsPerSecond * writeUnitsOf(payment)) / published.write_units_per_second.value)

/** A service on partitions: requests, stream, queues and workers. Its works are replayed, and time is virtual. */
export class ModelledService {
  readonly time = new VirtualTime()
  readonly table: Partitions
  readonly index: Partitions
  readonly replay: Replay
  readonly chores: ModelledQueue<FanOut>
  readonly deliveries: ModelledQueue<Delivery>
  /** What has ended so far. */
  readonly ended = { payments: 0, failed_payments: 0, fan_outs: 0, failed_fan_outs: 0, deliveries: 0, second_posts: 0 }
  /** Called when the first attempt of a delivery is made. */
  onFirstPost: (order: Order) => void = () => {}
  readonly #stream: ModelledStream<FanOut>

  constructor(partitions: number) {
    const { time } = this
    this.table = new Partitions({ count: partitions })
    this.index = new Partitions({ count: partitions })
    this.replay = new Replay(time, this.table, this.index)
    const limits = (functions_max: number, batch_max: number, seconds: number) => ({
      ...{ functions_max, batch_max, receives_max: RECEIVES_MAX },
      visibility_ms: VISIBILITY_TO_WORKER * seconds * 1000,
    })
    this.chores = new ModelledQueue(time, limits(prod.workersPerQueue, 10, worker_seconds.chores), (one, batch, done) =>
      this.#fanOut(one, batch, (outcome) => done(outcome === 'done')),
    )
    this.deliveries = new ModelledQueue(
      time,
      limits(prod.deliveriesAtOnce, 1, worker_seconds.deliveries),
      (one, _, done) => this.#deliver(one, (outcome) => done(outcome === 'done')),
    )
    this.#stream = new ModelledStream(time, (one, batch, done) =>
      this.#fanOut(one, batch, (outcome) => {
        if (outcome !== 'done') this.#leaveToSweep(one)
        done(true)
      }),
    )
  }

  /** Lets all workers run already, as after minutes of the same load. */
  scaleOut(): void {
    this.chores.scaleOut()
    this.deliveries.scaleOut()
  }

  /** Consumes what all partitions retain for bursts. */
  spendBursts(): void {
    this.table.spendBursts(this.time.now)
    this.index.spendBursts(this.time.now)
  }

  /** Makes a payment, whose events the stream passes on. */
  pay(number: number, template: Template): void {
    const { payment: rounds, fan_outs } = template
    const paid_at = this.time.now
    const last_write = rounds.findLastIndex(({ calls }) => calls.some(({ operation }) => operation === 'write'))
    const onCommit = () => {
      const order = { number, template, paid_at, born: this.time.now }
      for (const index of fan_outs.keys()) this.#stream.add(this.#partitionOf(order, index), { order, index })
    }
    this.replay.play({
      ...{ rounds, number, born: paid_at, batch: 1, tries_max: TRIES_MAX },
      onRound: (round) => {
        if (round === last_write + 1) onCommit()
      },
      onEnd: (outcome) => {
        if (outcome === 'done' && last_write === rounds.length - 1) onCommit()
        this.ended[outcome === 'done' ? 'payments' : 'failed_payments'] += 1
      },
    })
  }

  /** The partition of the outbox row of an event, in whose shard of the stream its record appears. */
  #partitionOf({ number, template, born }: Order, index: number): Partition {
    const [first] = template.fan_outs[index]!.rounds
    const row = first!.calls[0]!.items.at(-1)!
    return this.table.at(positionIn({ number, letters: lettersAt(born) }, row))
  }

  #fanOut(fan_out: FanOut, batch: number, done: (outcome: Outcome) => void): void {
    const { order, index } = fan_out
    const { rounds, deliveries } = order.template.fan_outs[index]!
    const onEnd = (outcome: Outcome) => {
      this.ended[outcome === 'done' ? 'fan_outs' : 'failed_fan_outs'] += 1
      if (outcome === 'done') this.#sendDeliveries(order, deliveries)
      done(outcome)
    }
    this.replay.play({ rounds, number: order.number, born: order.born, batch, tries_max: TRIES_MAX, onEnd })
  }

  #sendDeliveries(order: Order, count: number): void {
    const { deliveries } = order.template
    for (let at = 0; at < count; at++) {
      const rounds = deliveries[(order.number + at) % deliveries.length]!
      this.deliveries.send({ order, rounds, is_posted: false })
    }
  }

  #leaveToSweep(fan_out: FanOut): void {
    const due_in = Math.max(0, fan_out.order.born + OUTBOX_MS - this.time.now)
    this.time.after(due_in, () => this.chores.send(fan_out))
  }

  #deliver(delivery: Delivery, done: (outcome: Outcome) => void): void {
    const { order, rounds } = delivery
    const post = rounds.findIndex(({ elsewhere_ms }) => elsewhere_ms > 0)
    const onRound = (round: number) => {
      if (round !== post) return
      if (delivery.is_posted) this.ended.second_posts += 1
      else this.onFirstPost(order)
      delivery.is_posted = true
    }
    const onEnd = (outcome: Outcome) => {
      if (outcome === 'done') this.ended.deliveries += 1
      done(outcome)
    }
    this.replay.play({ rounds, number: order.number, born: order.born, batch: 1, tries_max: TRIES_MAX, onRound, onEnd })
  }
}
