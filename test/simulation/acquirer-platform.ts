import type { Item, LogEntry, Platform, Table, Write } from '#shared/platform/ports.ts'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import type { AcquirerModel } from './acquirer-model.ts'
import { API_HOST, API_KEY } from './acquirer-network.ts'
import { undue } from './mutants.ts'
import { commitTo, platformFor, type Shared, tableFor } from './platform.ts'
import type { Process } from './world.ts'

/** What all processes of a history of payments share. */
export interface SharedByPayments extends Shared {
  readonly model: AcquirerModel
  /** The secrets that sign the notifications of the provider. */
  readonly notification_secrets: readonly string[]
}

/** The name of the stage in the metadata of the provider's objects. */
const STAGE = 'simulation'

/** The share of due index queries that can meet a fault. A sweep makes thousands of them, and most must succeed. */
const FAULTY_QUERIES = 0.1

const nothing: ReturnType<Table['due']> = Promise.resolve({ keys: [] })

/** The platform of one process, whose live payments go to the provider. */
export function acquirerPlatform(shared: SharedByPayments, process: Process): Platform {
  const table = acquirerTable(shared, process)
  const platform = platformFor(shared, process, shared.mutant.table?.(table, process) ?? table)
  const secret = { api_key: API_KEY, notification_secrets: shared.notification_secrets }
  const secrets = { acquirer: async () => secret, refetch: async () => secret }
  return {
    ...platform,
    live_acquirer: 'stripe',
    provider_access: { secrets, stage: STAGE, host: API_HOST },
    log: (entry) => logged(shared, process, entry),
  }
}

/** Whether an item is left out here, because another simulation covers it. */
const isCoveredElsewhere = ({ pk, sk }: Item): boolean => sk === OUTBOX.sk || pk.startsWith('list#')

function acquirerTable(shared: SharedByPayments, process: Process): Table {
  const { world, memory, model } = shared
  const commitAll = commitTo(shared, (writes, before) => model.committed(writes, before))
  const table = tableFor(shared, process, (writes) => commitAll(writes.flatMap(simulated)))
  return {
    ...table,
    due: (range) => {
      if (world.chance(FAULTY_QUERIES)) return table.due(range)
      return memory.due_index.shards.get(range.shard)?.length ? memory.due(range) : nothing
    },
  }
}

/** The history itself decides when the list of events is polled, so that polls without new events are left out. */
function simulated(write: Write): Write[] {
  if (!('put' in write)) return 'delete' in write && isCoveredElsewhere(write.delete as Item) ? [] : [write]
  if (isCoveredElsewhere(write.put)) return []
  return [write.put.sk === 'provider_events' ? { ...write, put: undue(write.put) } : write]
}

/** The events of the log that say that the provider or the platform did not respond. */
const outages: ReadonlySet<string> = new Set(['charge_unresolved', 'acquirer_denied', 'notification_given_up'])

const temporary: ReadonlySet<string | undefined> = new Set([PlatformUnavailable.name, WriteConflict.name])

/** Counts the lines of the log, and checks those that an operator has to act on. */
function logged({ world, invariants, model }: SharedByPayments, process: Process, entry: LogEntry): void {
  const { level, event, status, error } = entry
  if (level === 'info') return
  world.happened(event === 'request' ? `status ${status}` : event)
  world.say(process, `logs ${event} ${status ?? ''} ${error ?? ''} ${entry.provider_code ?? ''}`)
  if (outages.has(event)) return
  if (event === 'request' ? status !== 500 : temporary.has(error)) return
  if (event === 'request' || event === 'work_failed')
    invariants.broken('processes_end', `${process.name} logs ${JSON.stringify(entry)}`)
  else model.alarmed(entry)
}
