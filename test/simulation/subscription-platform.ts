import { keyOf } from '#infra/local/dynamodb-limits.ts'
import {
  type Key,
  type Message,
  type Platform,
  PlatformUnavailable,
  type Queue,
  type Table,
  type Write,
  WriteConflict,
} from '#shared/platform/ports.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import type { Sweeps } from './delivery-sweeps.ts'
import { MINUTE, type Process, type World } from './delivery-world.ts'
import type { MemoryTable } from './memory-table.ts'
import type { Model } from './subscription-model.ts'

/** Items on a page: as if they were so large that no more fit. */
const PAGE = 10

const LOOKS_CLOSELY = 0.1

const nothing: ReturnType<Table['due']> = Promise.resolve({ keys: [] })

/** What a broken protocol does differently. */
export interface Mutant {
  /** The table as a process sees it. */
  readonly table?: (table: Table, process: Process) => Table
}

/** What all processes of a history share. */
export interface Shared {
  readonly world: World
  readonly memory: MemoryTable
  readonly model: Model
  readonly sweeps: Sweeps
  readonly mutant: Mutant
  /** Whether the acquirer gives no answer now. */
  readonly isSilent: () => boolean
  readonly queued: (message: Message, delay_seconds: number) => void
}

/** The platform as one process sees it: every call waits for its turn, and may go wrong. The acquirer's ledger is in its table. */
export function platformFor(shared: Shared, process: Process): Platform {
  const { world, model, mutant } = shared
  const table = tableFor(shared, process)
  const queue = queueFor(shared, process)
  const same = async (bytes: Uint8Array) => bytes
  const nobody = () => Promise.reject(new Error('nobody may ask for this here'))
  return {
    table: mutant.table ? mutant.table(table, process) : table,
    queues: { deliveries: queue, chores: queue, captures: queue },
    vault: { seal: same, open: same },
    bucket: { put: nobody, remove: nobody, link: nobody },
    clock: {
      now: () => world.now,
      wait: (milliseconds, signal) =>
        new Promise((resolve) => {
          const end = () => (signal?.aborted ? true : resolve())
          world.after(Math.max(0, milliseconds), end, process)
        }),
    },
    resolve: nobody,
    log({ level, event, error = '' }) {
      if (level === 'info') return
      if (event === 'charge_unresolved') world.happened(event)
      else if (error !== PlatformUnavailable.name && error !== WriteConflict.name)
        model.complain(`${process.name} fails with ${error}`)
    },
    live_acquirer: 'none',
    loopback_webhooks: false,
    isOwnServer: () => false,
  }
}

const isLedger = ({ pk }: Key): boolean => pk.startsWith('sandbox#')

/** Rows that nobody reads here: other simulations have them for their subject. */
const isForOthers = ({ pk, sk }: Key): boolean =>
  sk === OUTBOX.sk || pk.startsWith('list#event') || pk.startsWith('list#payment')

function tableFor(shared: Shared, process: Process): Table {
  const { world, memory, sweeps } = shared
  const read = <T>(what: string, act: () => T) => world.read(process, what, act)
  const found = (keys: readonly Key[]) =>
    keys[0]!.pk.startsWith('cursor#') ? sweeps.cursors(keys) : keys.map((key) => memory.at(key))
  return {
    get: (keys) =>
      keys.some(isLedger)
        ? acquirer(shared, process, 'asks the acquirer', async () => found(keys))
        : read('gets', () => found(keys)),
    query: (range) => read('queries', () => memory.query({ ...range, limit: PAGE })),
    count: (range) => read('counts', () => memory.count(range)),
    due: (range) => {
      // Of the thousands of calls of a sweep only some can go wrong, so that few sweeps come to nothing.
      if (!world.chance(LOOKS_CLOSELY))
        return memory.due_index.shards.get(range.shard)?.length ? memory.due(range) : nothing
      return read('asks what is due', () =>
        world.goesWrong(world.faults.stale) ? sweeps.stale(range) : memory.due({ ...range, limit: PAGE }),
      )
    },
    write: (writes, { latest = Number.POSITIVE_INFINITY } = {}) => {
      const what = world.trace ? `writes ${writes.map(shown).join(', ')}` : ''
      if (writes.some((write) => isLedger(keyOf(write))))
        return acquirer(shared, process, what, () => commit(shared, process, writes))
      const inTime = () => {
        if (world.now > latest) throw new WriteConflict([])
      }
      return world.call(process, what, () => commit(shared, process, writes), inTime)
    },
  }
}

/** A call of the acquirer: it may give no answer, whether the order has arrived, will arrive late, or never does. */
async function acquirer<T>(shared: Shared, process: Process, what: string, act: () => Promise<T>): Promise<Awaited<T>> {
  const { world } = shared
  if (!shared.isSilent()) return world.call(process, what, act)
  const fate = world.pick(['lost', 'late', 'done'])
  world.happened(`acquirer ${fate}`)
  world.say(process, `${what}: ${fate}, and no answer`)
  if (fate === 'done') await act().catch(() => undefined)
  if (fate === 'late')
    world.after(world.below(world.pick([MINUTE, 10 * MINUTE])), () => void act().catch(() => undefined))
  return new Promise<never>(() => {})
}

async function commit({ memory, sweeps, model }: Shared, process: Process, all: readonly Write[]): Promise<void> {
  const writes = all.filter((write) => !('put' in write) || !isForOthers(write.put))
  const before = writes.map((write) => memory.at(keyOf(write)))
  const lost = writes.some(({ was }, index) => was !== undefined && (before[index]?.version ?? 0) !== was)
  if (!lost) sweeps.committing(writes, before)
  await memory.write(writes)
  model.committed(process, writes, before)
}

function queueFor({ world, queued }: Shared, process: Process): Queue {
  return {
    send: (messages) =>
      world.read(process, 'sends', () => {
        for (const { message, delay_seconds = 0 } of messages) queued(message, delay_seconds)
      }),
  }
}

const shown = (write: Write): string => {
  const { pk, sk } = keyOf(write)
  return `${'put' in write ? '' : 'no '}${pk} ${sk}`
}
