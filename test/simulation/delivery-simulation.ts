import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda'
import { handler as doChores } from '#functions/background/chores.ts'
import { handler as fanOut } from '#functions/background/fan-out.ts'
import type { Message, Platform } from '#shared/platform/ports.ts'
import { type BatchResult, type QueueRecord, workThrough } from '#shared/scheduling/worker-batch.ts'
import { deliveryList } from '#shared/store/deliveries.ts'
import { CLOSED_AFTER_MS } from '#shared/store/list-tally.ts'
import { deliver } from '#shared/webhooks/deliver.ts'
import { Audit } from './delivery-audit.ts'
import { checkCounts, checkEnd } from './delivery-end-checks.ts'
import { type DeliveryInvariant, delivery_invariants } from './delivery-invariants.ts'
import { Merchant } from './delivery-merchant.ts'
import { DeliveryPlatform, type SharedByDeliveries } from './delivery-platform.ts'
import { type Health, Receivers } from './delivery-receivers.ts'
import { History, simulationOf } from './history.ts'
import type { Mutant } from './platform.ts'
import { DAY, HOUR, MINUTE, type Process, SECOND, World } from './world.ts'

/**
 * How long after the last fault all work is done: the 25 days of a retry schedule, a day for lost work, and a spare
 * day.
 */
const SETTLED_AFTER = 27 * DAY

/** The most events and the fewest webhooks of a history, and the health of its receivers. */
interface Shape {
  readonly events: number
  readonly webhooks: number
  readonly health: Health
}

const few: Shape = { events: 2, webhooks: 1, health: 'mixed' }

/** So many events for one webhook that its deliveries take several pages. */
const busy: Shape = { events: 8, webhooks: 1, health: 'mixed' }

/** More webhooks than one transaction of the fan-out can hold. */
const many: Shape = { events: 1, webhooks: 20, health: 'healthy' }

/** Receivers that fail all 26 attempts. */
const failing: Shape = { events: 1, webhooks: 1, health: 'failing' }

const shapes: readonly Shape[] = [...Array<Shape>(27).fill(few), busy, many, many, failing]

/**
 * Simulates the deliveries of a merchant's events: requests, fan-out, sweeps and workers, with faults for a while and
 * then without, until all work is done.
 */
export const simulateDeliveries = simulationOf((seed, mutant, trace) => new Deliveries(new World(seed, trace), mutant))

class Deliveries extends History<DeliveryInvariant> {
  readonly #audit: Audit
  readonly #shape: Shape
  readonly #shared: SharedByDeliveries
  readonly #acts: Merchant

  constructor(world: World, mutant: Mutant) {
    super(world, delivery_invariants, mutant)
    this.#shape = world.pick(shapes)
    const receivers = new Receivers(world, this.#shape.health)
    this.#audit = new Audit(world, this.invariants)
    this.#acts = new Merchant(world, this.#audit, receivers.urls)
    this.#shared = {
      ...this.shared,
      audit: this.#audit,
      receivers,
      onPost: (delivery) => this.#interfere(delivery),
    }
  }

  override figures(): [string, number][] {
    return this.#audit.figures()
  }

  override async play(): Promise<void> {
    const { world } = this
    await this.#begin()
    const horizon = world.pick([10 * MINUTE, 6 * HOUR, 3 * DAY, 27 * DAY])
    const faults_end_at = world.now + horizon
    const within = world.chance(0.5) ? HOUR : horizon
    this.plan(1 + world.below(this.#shape.events), Math.min(within, horizon / 2), () => {
      this.request((work) => this.#acts.emit(work))
      // This check runs after the hour is closed and stores the count of the hour. A delivery that is created later
      // must correct the count.
      world.after(HOUR - (world.now % HOUR) + CLOSED_AFTER_MS, () => this.#checkCounts())
    })
    this.plan(world.below(4), horizon, () => this.request((work) => this.#acts.manage(work)))
    this.plan(world.below(2), horizon, () => this.#checkCounts())
    await this.run(faults_end_at)
    world.is_calm = true
    await this.run(faults_end_at + SETTLED_AFTER)
    const { invariants, merchant } = this
    if (!invariants.violation) await checkEnd({ invariants, merchant, audit: this.#audit, shared: this.#shared })
  }

  protected override platform(process: Process): Platform {
    return new DeliveryPlatform(this.#shared, process).platform
  }

  protected override async handle(process: Process, Records: QueueRecord[]): Promise<BatchResult> {
    const { platform, post } = new DeliveryPlatform(this.#shared, process)
    const context = { platform } as unknown as Context
    if (process.kind === 'deliver')
      return workThrough(platform, Records, (work, message) => deliver(work, message, post))
    if (process.kind === 'chores') return doChores({ Records } as SQSEvent, context)
    const rows = Records.map(({ body }) => JSON.parse(body) as Message)
    const stream = rows.map(({ pk, sk }) => ({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } }))
    await fanOut({ Records: stream } as DynamoDBStreamEvent, context)
    return { batchItemFailures: [] }
  }

  /** Creates the merchant and its first webhooks: usually a few, and at times more than one transaction can hold. */
  async #begin(): Promise<void> {
    const { world } = this
    await this.openMerchant()
    const { webhooks } = this.#shape
    const made = webhooks + world.below(webhooks + 1)
    world.is_calm = true
    for (let number = 0; number < made; number++)
      this.request((work) => this.#acts.createWebhook(work, { ping: false }))
    await this.run(world.now + 10 * SECOND)
    world.is_calm = false
  }

  /** At times the merchant requests a redelivery or a recovery while a delivery is in flight. */
  #interfere(delivery: string): void {
    const { world } = this
    if (world.is_calm || world.chance(0.96)) return
    world.after(world.below(15 * SECOND), () => this.request((work) => this.#acts.insist(work, delivery)))
  }

  #checkCounts(): Promise<void> {
    return checkCounts({ invariants: this.invariants, shared: this.#shared }, [deliveryList(this.merchant)])
  }
}
