import { keyOf } from '#infra/local/dynamodb-limits.ts'
import type { Key, Platform, Table } from '#shared/platform/ports.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import { commitTo, platformFor, type Shared, shown, tableFor } from './platform.ts'
import type { Model } from './subscription-model.ts'
import { MINUTE, type Process } from './world.ts'

/**
 * The share of due index queries that can meet a fault. A sweep makes thousands of them, and most sweeps must succeed.
 */
const FAULTY_QUERIES = 0.1

const nothing: ReturnType<Table['due']> = Promise.resolve({ keys: [] })

/** What all processes of a history of subscriptions share. */
export interface SharedBySubscriptions extends Shared {
  readonly model: Model
  /** Whether the acquirer gives no answer now. */
  readonly isSilent: () => boolean
}

/** The platform of one process. The acquirer's ledger is in its table. */
export function subscriptionPlatform(shared: SharedBySubscriptions, process: Process): Platform {
  const table = subscriptionTable(shared, process)
  return platformFor(shared, process, shared.mutant.table?.(table, process) ?? table)
}

const isLedger = ({ pk }: Key): boolean => pk.startsWith('sandbox#')

/** Whether an item is left out here, because another simulation covers it. */
const isCoveredElsewhere = ({ pk, sk }: Key): boolean =>
  sk === OUTBOX.sk || pk.startsWith('list#event') || pk.startsWith('list#payment')

function subscriptionTable(shared: SharedBySubscriptions, process: Process): Table {
  const { world, memory, model } = shared
  const commitAll = commitTo(shared, (writes, before) => model.committed(process, writes, before))
  const commit: typeof commitAll = (writes) =>
    commitAll(writes.filter((write) => !('put' in write) || !isCoveredElsewhere(write.put)))
  const table = tableFor(shared, process, commit)
  return {
    ...table,
    get: (keys) =>
      keys.some(isLedger)
        ? callAcquirer(shared, process, 'asks the acquirer', async () => keys.map((key) => memory.at(key)))
        : table.get(keys),
    due: (range) => {
      if (world.chance(FAULTY_QUERIES)) return table.due(range)
      return memory.due_index.shards.get(range.shard)?.length ? memory.due(range) : nothing
    },
    write: (writes, options) =>
      writes.some((write) => isLedger(keyOf(write)))
        ? callAcquirer(shared, process, shown(world, writes), () => commit(writes))
        : table.write(writes, options),
  }
}

/** Calls the acquirer. While the acquirer does not respond, the order is lost, arrives late, or arrives at once. */
async function callAcquirer<T>(
  shared: SharedBySubscriptions,
  process: Process,
  name: string,
  act: () => Promise<T>,
): Promise<Awaited<T>> {
  const { world } = shared
  if (!shared.isSilent()) return world.call(process, name, act)
  const fate = world.pick(['lost', 'late', 'done'])
  world.happened(`acquirer ${fate}`)
  world.say(process, `${name}: ${fate}, and no answer`)
  if (fate === 'done') await act().catch(() => undefined)
  if (fate === 'late')
    world.after(world.below(world.pick([MINUTE, 10 * MINUTE])), () => void act().catch(() => undefined))
  return new Promise<never>(() => {})
}
