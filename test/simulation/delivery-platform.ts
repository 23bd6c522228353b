import type { AttemptOutcome, Delivery } from '#shared/domain/delivery.ts'
import { type Platform, PlatformUnavailable, type Table } from '#shared/platform/ports.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import type { PostRequest } from '#shared/webhooks/guarded-post.ts'
import type { Audit } from './delivery-audit.ts'
import type { HeldLease } from './delivery-posts.ts'
import type { Receivers } from './delivery-receivers.ts'
import { commitTo, platformFor, type Shared, tableFor } from './platform.ts'
import { type Process, SECOND } from './world.ts'

/** The time limit of a POST. */
const POST_MS = 15 * SECOND

/** What all processes of a history of deliveries share. */
export interface SharedByDeliveries extends Shared {
  readonly audit: Audit
  readonly receivers: Receivers
  /** Called when a receiver gets a delivery. */
  readonly onPost: (delivery: string) => void
}

/** The platform of one process, and its calls of receivers. */
export class DeliveryPlatform {
  readonly platform: Platform
  readonly #shared: SharedByDeliveries
  readonly #process: Process
  #lease: HeldLease | undefined

  constructor(shared: SharedByDeliveries, process: Process) {
    this.#shared = shared
    this.#process = process
    const { audit, mutant, queues, sweeps } = shared
    const commit = commitTo(shared, (writes, before) => {
      audit.committed(process, writes, before)
      for (const write of writes) if ('put' in write && write.put.sk === OUTBOX.sk) queues.stream(write.put)
    })
    const faulty = tableFor(shared, process, commit)
    const table: Table = {
      ...faulty,
      // Most shards are empty. Faults and delays in each of them would take most of the time of a history.
      due: async (range) => (sweeps.isQuiet(range.shard) ? { keys: [] } : faulty.due(range)),
    }
    this.platform = platformFor(shared, process, this.#watched(mutant.table?.(table, process) ?? table))
  }

  /** Calls a receiver. A fault of the call is an outcome of the attempt, not a failure of the worker. */
  readonly post = async (request: PostRequest): Promise<AttemptOutcome> => {
    const { world, audit } = this.#shared
    let serial: number | undefined
    const arrive = () => {
      serial ??= audit.posted(this.#process, request, this.#lease)
      return serial
    }
    try {
      await world.call(this.#process, 'posts', async () => arrive())
      const status_code = await this.#answer(request.url)
      const error = status_code === null ? 'timeout' : null
      return { status_code, error, response_body: null, latency_ms: arrive() }
    } catch (error) {
      if (!(error instanceof PlatformUnavailable)) throw error
      this.#process.hits--
      return { status_code: null, error: 'connection_failed', response_body: null, latency_ms: arrive() }
    }
  }

  /** The status of the receiver's response; null if none comes in time. */
  async #answer(url: string): Promise<number | null> {
    const { world, receivers, onPost } = this.#shared
    const { delivery, number } = this.#lease!
    const status_code = receivers.answer(url)
    onPost(delivery)
    const slow = world.chance(0.3) ? world.below(POST_MS) : world.latency()
    await world.turn(this.#process, status_code === null ? POST_MS : slow)
    const text = world.trace ? `gets the answer ${status_code} to attempt ${number} of ${delivery}` : ''
    return world.read(this.#process, text, () => status_code)
  }

  /** Records the lease that the process believes it holds. A mutant can make it differ from the lease in the table. */
  #watched(table: Table): Table {
    if (this.#process.kind !== 'deliver') return table
    return {
      ...table,
      write: async (writes, options) => {
        const { hits } = this.#process
        await table.write(writes, options)
        for (const write of writes) {
          if (!('put' in write) || write.put.sk !== 'delivery') continue
          const { lease, attempts_made } = write.put as unknown as Delivery
          const delivery = write.put.pk.split('#')[2]!
          if (lease) this.#lease = { delivery, number: attempts_made, hits }
        }
      },
    }
  }
}
