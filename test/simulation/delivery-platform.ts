import { keyOf } from '#infra/local/dynamodb-limits.ts'
import type { AttemptOutcome, Delivery } from '#shared/domain/delivery.ts'
import {
  type Message,
  type Platform,
  PlatformUnavailable,
  type Queue,
  type Range,
  type Table,
  type Write,
  WriteConflict,
} from '#shared/platform/ports.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import type { PostRequest } from '#shared/webhooks/guarded-post.ts'
import type { Audit } from './delivery-audit.ts'
import type { Hold } from './delivery-posts.ts'
import type { Queues } from './delivery-queues.ts'
import type { Receivers } from './delivery-receivers.ts'
import type { Sweeps } from './delivery-sweeps.ts'
import { type Process, SECOND, type World } from './delivery-world.ts'
import type { MemoryTable } from './memory-table.ts'

/** Items on a page where no limit is asked for, and where one is: as if they were so large that no more fit. */
const PAGE = 10
const SHORT_PAGE = 2

/** How long a call waits for a receiver that does not answer. */
const POST_MS = 15 * SECOND

/** What a broken protocol does differently. */
export interface Mutant {
  /** The table as a process sees it. */
  readonly table?: (table: Table, process: Process) => Table
  /** What a worker is handed in place of the message that it was sent. */
  readonly message?: (message: Message, table: MemoryTable) => Message
}

/** What all processes of a history share. */
export interface Shared {
  readonly world: World
  readonly memory: MemoryTable
  readonly audit: Audit
  readonly sweeps: Sweeps
  readonly receivers: Receivers
  readonly queues: Queues
  readonly mutant: Mutant
  /** Tells the merchant of a delivery that is just being made. */
  readonly onPost: (delivery: string) => void
}

/** The platform as one process sees it: every call waits for its turn, and may go wrong. */
export class Outside {
  readonly platform: Platform
  readonly #shared: Shared
  readonly #process: Process
  /** What the process holds. */
  #hold: Hold | undefined

  constructor(shared: Shared, process: Process) {
    this.#shared = shared
    this.#process = process
    const { world, audit, mutant } = shared
    const table = this.#table()
    const queue = this.#queue()
    const nothing = async () => {
      throw new Error('nobody may ask for this here')
    }
    this.platform = {
      table: this.#watched(mutant.table ? mutant.table(table, process) : table),
      queues: { deliveries: queue, chores: queue, captures: { send: nothing } },
      vault: { seal: nothing, open: nothing },
      bucket: { put: nothing, remove: nothing, link: nothing },
      clock: { now: () => world.now, wait: nothing },
      resolve: nothing,
      log({ level, error = '' }) {
        if (level === 'info') return
        if (error !== PlatformUnavailable.name && error !== WriteConflict.name)
          audit.complain(`${process.name} fails with ${error}`)
      },
      live_acquirer: 'none',
      loopback_webhooks: false,
      isOwnServer: () => false,
    }
  }

  /** The call of a receiver. One that is cut off is no failure of the worker: it is what an attempt can come to. */
  readonly post = async (request: PostRequest): Promise<AttemptOutcome> => {
    const { world, audit } = this.#shared
    let serial: number | undefined
    const arrive = () => {
      serial ??= audit.posted(this.#process, request, this.#hold)
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

  /** The status that a receiver answers at last; null for none. */
  async #answer(url: string): Promise<number | null> {
    const { world, receivers, onPost } = this.#shared
    const status_code = receivers.answer(url)
    onPost(this.#hold!.delivery)
    const slow = world.chance(0.3) ? world.below(POST_MS) : world.latency()
    await world.turn(this.#process, status_code === null ? POST_MS : slow)
    const { delivery, number } = this.#hold!
    const what = world.trace ? `is answered ${status_code} to attempt ${number} of ${delivery}` : ''
    return world.read(this.#process, what, () => status_code)
  }

  /** Notes what the process holds, as it sees it: below a mutant it may look otherwise. */
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
          if (lease) this.#hold = { delivery, number: attempts_made, hits }
        }
      },
    }
  }

  #table(): Table {
    const { world, memory, sweeps } = this.#shared
    const read = <T>(what: string, act: () => T) => world.read(this.#process, what, act)
    const short = (range: Range) => ({ ...range, limit: range.limit ? Math.min(range.limit, SHORT_PAGE) : PAGE })
    return {
      get: (keys) =>
        read('gets', () =>
          keys[0]!.pk.startsWith('cursor#') ? sweeps.cursors(keys) : keys.map((key) => memory.at(key)),
        ),
      query: (range) => read('queries', () => memory.query(short(range))),
      count: (range) => read('counts', () => memory.count(range)),
      due: async (range) => {
        // Most shards of a kind are quiet; faults and delays in each of them would cost most of a history.
        if (sweeps.isQuiet(range.shard)) return { keys: [] }
        return read('asks what is due', () =>
          world.goesWrong(world.faults.stale) ? sweeps.stale(range) : memory.due({ ...range, limit: PAGE }),
        )
      },
      write: (writes, { latest = Number.POSITIVE_INFINITY } = {}) =>
        world.call(
          this.#process,
          world.trace ? `writes ${writes.map(shown).join(', ')}` : '',
          () => this.#commit(writes),
          () => {
            if (world.now > latest) throw new WriteConflict([])
          },
        ),
    }
  }

  async #commit(writes: readonly Write[]): Promise<void> {
    const { memory, sweeps, audit, queues } = this.#shared
    const before = writes.map((write) => memory.at(keyOf(write)))
    const lost = writes.some(({ was }, index) => was !== undefined && (before[index]?.version ?? 0) !== was)
    if (!lost) sweeps.committing(writes, before)
    await memory.write(writes)
    audit.committed(this.#process, writes, before)
    for (const write of writes) if ('put' in write && write.put.sk === OUTBOX.sk) queues.tell(write.put)
  }

  #queue(): Queue {
    const { world, queues } = this.#shared
    return {
      send: (messages) =>
        world.read(this.#process, 'sends', () => {
          for (const { message, delay_seconds = 0 } of messages) queues.send(message, delay_seconds)
        }),
    }
  }
}

const shown = (write: Write): string => {
  const { pk, sk } = keyOf(write)
  return `${'put' in write ? '' : 'no '}${pk} ${sk}`
}
