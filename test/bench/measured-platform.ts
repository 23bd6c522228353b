import type { LocalPlatform } from '#infra/local/local-platform.ts'
import type { LocalQueue } from '#infra/local/local-queue.ts'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import type { Use } from '#infra/local/units.ts'
import { logLine } from '#shared/platform/log-line.ts'
import type { Key, LogEntry, Table, Write } from '#shared/platform/ports.ts'

/** The platform calls of a request. */
export interface Cost {
  /** Calls that began after another one had ended. Concurrent calls count once. */
  waits: number
  calls: number
  read_units: number
  write_units: number
  /** Calls of the vault, calls that write or remove a file, and calls that send up to ten messages. */
  vault_calls: number
  bucket_calls: number
  queue_calls: number
  /** Of the sending calls, those with a message group. */
  fair_calls: number
  /** The bytes that the functions log. */
  log_bytes: number
}

/** The kinds of calls that are paid per call, not by units. */
type Billed = 'vault_calls' | 'bucket_calls' | 'queue_calls' | 'fair_calls'

type Messages = Parameters<LocalQueue['send']>[0]

/** The maximum number of messages per sending call. */
const BATCH_MAX = 10

/** The costs of the service, and those of the sandbox acquirer's ledger, which would be the acquirer's own. */
export interface Costs {
  readonly service: Cost
  readonly acquirer: Cost
}

/**
 * Counts the calls of table, vault, bucket and queues, and the units of the table. Every call ends when all concurrent
 * calls have ended, so that all take equally long.
 */
export class PlatformMeter {
  #costs: Costs = noCosts()
  #payer: Cost = this.#costs.service
  #rounds = new Map<Cost, Round>()

  /** Returns the costs since the last `take`. */
  take(): Costs {
    const taken = this.#costs
    this.#costs = noCosts()
    this.#payer = this.#costs.service
    return taken
  }

  /** The platform under this meter, with an empty table in memory. */
  around(platform: LocalPlatform): LocalPlatform {
    const { clock, vault, bucket, queues, stream } = platform
    const onUse = ({ read_units, write_units }: Use): void => {
      this.#payer.read_units += read_units
      this.#payer.write_units += write_units
    }
    const table = new SqliteTable({ file: ':memory:', clock, onUse, onCommit: stream.committed })
    const counted: Table & Pick<SqliteTable, 'items' | 'earliestDue' | 'scan'> = {
      get: (keys) => this.#counts(keys[0]!, () => table.get(keys)),
      query: (range) => this.#counts(range, () => table.query(range)),
      count: (range) => this.#counts(range, () => table.count(range)),
      write: (writes, options) => this.#counts(keyOf(writes[0]!), () => table.write(writes, options)),
      due: (range) => this.#counts({ pk: range.shard }, () => table.due(range)),
      // Only operators scan, so no request pays for it.
      scan: (range) => table.scan(range),
      items: () => table.items(),
      earliestDue: (after, skipped) => table.earliestDue(after, skipped),
    }
    const queue = (name: keyof typeof queues) =>
      new Proxy(queues[name], {
        get: (target, property) => {
          if (property === 'send')
            return (messages: Messages) => this.#counts(ours, () => target.send(messages), billedFor(messages))
          const value: unknown = Reflect.get(target, property, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    return {
      ...platform,
      table: counted as unknown as SqliteTable,
      vault: {
        seal: (plain, context) => this.#counts(ours, () => vault.seal(plain, context), { vault_calls: 1 }),
        open: (sealed, context) => this.#counts(ours, () => vault.open(sealed, context), { vault_calls: 1 }),
      },
      bucket: new Proxy(bucket, {
        get: (target, property) => {
          const value: unknown = Reflect.get(target, property, target)
          if (typeof value !== 'function') return value
          const call = value.bind(target)
          // A link is signed without a call.
          return property === 'put' || property === 'remove'
            ? (...given: unknown[]) => this.#counts(ours, () => call(...given), { bucket_calls: 1 })
            : call
        },
      }),
      queues: {
        deliveries: queue('deliveries'),
        captures: queue('captures'),
        chores: queue('chores'),
        clocks: queue('clocks'),
      },
      log: (entry: LogEntry) => {
        this.#costs.service.log_bytes += Buffer.byteLength(logLine(entry))
        platform.log(entry)
      },
    }
  }

  /** Counts a call of an acquirer that is no part of the platform. */
  ofAcquirer<T>(call: () => Promise<T>): Promise<T> {
    return this.#counts(ledger, call)
  }

  async #counts<T>(
    { pk }: { readonly pk: string },
    call: () => Promise<T>,
    billed: Partial<Record<Billed, number>> = {},
  ): Promise<T> {
    const payer = pk.startsWith(ledger.pk) ? this.#costs.acquirer : this.#costs.service
    const round = this.#rounds.get(payer) ?? this.#begin(payer)
    round.running += 1
    payer.calls += 1
    for (const [kind, calls] of Object.entries(billed)) payer[kind as Billed] += calls
    // Calls that begin in the same turn of the event loop count as concurrent.
    await new Promise(setImmediate)
    this.#payer = payer
    try {
      return await call()
    } finally {
      round.running -= 1
      if (round.running === 0) {
        this.#rounds.delete(payer)
        round.end()
      }
      await round.ended
    }
  }

  #begin(payer: Cost): Round {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const round = { running: 0, ended, end }
    this.#rounds.set(payer, round)
    payer.waits += 1
    return round
  }
}

interface Round {
  running: number
  readonly ended: Promise<void>
  readonly end: () => void
}

function noCosts(): Costs {
  return { service: noCost(), acquirer: noCost() }
}

/** The cost of no calls. */
export function noCost(): Cost {
  const billed = { vault_calls: 0, bucket_calls: 0, queue_calls: 0, fair_calls: 0 }
  return { waits: 0, calls: 0, read_units: 0, write_units: 0, ...billed, log_bytes: 0 }
}

const ours = { pk: '' }
const ledger = { pk: 'sandbox#' }

function billedFor(messages: Messages): Partial<Record<Billed, number>> {
  const queue_calls = Math.ceil(messages.length / BATCH_MAX)
  return { queue_calls, fair_calls: messages.some(({ group }) => group !== undefined) ? queue_calls : 0 }
}

const keyOf = (write: Write): Key => ('put' in write ? write.put : 'delete' in write ? write.delete : write.check)
