import { keyOf } from '#infra/local/dynamodb-limits.ts'
import {
  type Item,
  type Message,
  type Platform,
  PlatformUnavailable,
  type Range,
  type Table,
  type Write,
  WriteConflict,
} from '#shared/platform/ports.ts'
import { HOUR_LETTERS, LANE_PREFIX } from '#shared/store/list-keys.ts'
import type { Invariants, process_invariants } from './invariants.ts'
import type { MemoryTable } from './memory-table.ts'
import type { Queues } from './queues.ts'
import type { Sweeps } from './sweeps.ts'
import type { Process, World } from './world.ts'

/**
 * The most items of a page: `PAGE` without a limit of the reader, `SHORT_PAGE` with one. Short pages represent large
 * items.
 */
const PAGE = 10
const SHORT_PAGE = 2

/** A deliberate fault in the service, made by changing what its processes read, write and receive. */
export interface Mutant {
  /** Returns the table as a process of the mutant sees it. */
  readonly table?: (table: Table, process: Process) => Table
  /** Returns the message that a worker receives in place of the given one. */
  readonly message?: (message: Message, table: MemoryTable) => Message
}

/** What all processes of a history share. */
export interface Shared {
  readonly world: World
  readonly memory: MemoryTable
  readonly sweeps: Sweeps
  readonly queues: Queues
  readonly invariants: Invariants<keyof typeof process_invariants>
  readonly mutant: Mutant
}

/** Writes a transaction to the table in memory. */
export type Commit = (writes: readonly Write[]) => Promise<void>

/** Returns a commit that checks versions, and calls `committed` with the items before the transaction. */
export function commitTo(
  { memory, sweeps, invariants }: Shared,
  committed: (writes: readonly Write[], before: readonly (Item | undefined)[]) => void,
): Commit {
  return async (writes) => {
    const before = writes.map((write) => memory.at(keyOf(write)))
    const conflicts = writes.some(({ was }, index) => was !== undefined && (before[index]?.version ?? 0) !== was)
    if (!conflicts) sweeps.committing(writes, before)
    await memory.write(writes)
    for (const [index, write] of writes.entries())
      if ('put' in write && !isUnversioned(write.put)) {
        const { pk, sk, version } = write.put
        const was = before[index]?.version ?? 0
        invariants.check('no_lost_update', version === was + 1, () => `${pk} ${sk}: version ${was} to ${version}`)
      }
    committed(writes, before)
  }
}

/** Whether an item needs no version check of its own, or begins at a random version. */
const isUnversioned = ({ pk }: Item): boolean => /^(list|cursor|card)#/.test(pk)

/** The table as one process sees it: each call waits for its turn and can meet a fault. */
export function tableFor({ world, memory, sweeps }: Shared, process: Process, commit: Commit): Table {
  const read = <T>(name: string, act: () => T) => world.read(process, name, act)
  const short = (range: Range) => ({ ...range, limit: range.limit ? Math.min(range.limit, SHORT_PAGE) : PAGE })
  return {
    get: (keys) =>
      read('gets', () =>
        keys[0]!.pk.startsWith('cursor#') ? sweeps.cursors(keys) : keys.map((key) => memory.at(key)),
      ),
    query: (range) => read('queries', () => memory.query(short(range))),
    count: (range) => read('counts', () => memory.count(range)),
    due: (range) =>
      read('queries the due index', () =>
        world.goesWrong(world.faults.stale) ? sweeps.stale(range) : memory.due({ ...range, limit: PAGE }),
      ),
    write: (writes, { latest = Number.POSITIVE_INFINITY } = {}) =>
      world.call(
        process,
        shown(world, writes),
        () => commit(writes),
        () => {
          if (world.now > latest) throw new WriteConflict([])
        },
      ),
  }
}

/** The platform of one process over its table. The vault does not encrypt. */
export function platformFor({ world, queues, invariants }: Shared, process: Process, table: Table): Platform {
  const queue = queues.port(process)
  const same = async (bytes: Uint8Array) => bytes
  const unused = () => Promise.reject(new Error('the simulated work does not use this port'))
  return {
    table,
    queues: { deliveries: queue, chores: queue, captures: queue, clocks: queue },
    vault: { seal: same, open: same },
    bucket: { put: unused, get: unused, remove: unused, link: unused },
    clock: {
      now: () => world.now,
      wait: (milliseconds, signal) =>
        new Promise((resolve) => {
          const end = () => (signal?.aborted ? true : resolve())
          world.after(Math.max(0, milliseconds), end, process)
        }),
    },
    resolve: unused,
    log({ level, event, error = '' }) {
      if (level === 'info') return
      if (event === 'charge_unresolved') world.happened(event)
      else if (error !== PlatformUnavailable.name && error !== WriteConflict.name)
        invariants.broken('processes_end', `${process.name} logs ${event} with ${error}`)
    },
    provider_access: null,
    live_acquirer: 'none',
    loopback_webhooks: false,
    isOwnServer: () => false,
  }
}

/** The description of a write in a trace; empty without a trace. */
export const shown = ({ trace }: World, writes: readonly Write[]): string =>
  trace ? `writes ${writes.map(shownWrite).join(', ')}` : ''

/** The name of a lane is random, so only its hour is shown. */
const shownWrite = (write: Write): string => {
  const { pk, sk } = keyOf(write)
  const shown = sk.startsWith(LANE_PREFIX) ? sk.slice(0, LANE_PREFIX.length + HOUR_LETTERS) : sk
  return `${'put' in write ? '' : 'no '}${pk} ${shown}`
}
