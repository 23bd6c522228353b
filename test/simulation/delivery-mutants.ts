import type { Delivery, Lease } from '#shared/domain/delivery.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item, Table, Write } from '#shared/platform/ports.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import type { DeliveryInvariant } from './delivery-invariants.ts'
import {
  getting,
  later,
  type Mutants,
  omitting,
  overwriting,
  type Put,
  putting,
  splitting,
  undue,
  unswept,
  writing,
} from './mutants.ts'
import { HOUR, type Process } from './world.ts'

/** Faulty versions of the delivery of events. */
export const delivery_mutants: Mutants<DeliveryInvariant> = {
  'fails on an inactive webhook': {
    breaks: 'processes_end',
    ...getting((item, _, { kind }) => {
      if (kind === 'deliver' && item?.active === false) throw new TypeError('the webhook is inactive')
      return item
    }),
  },
  'records an attempt without a version check': { breaks: 'no_lost_update', ...overwriting('delivery') },
  'takes a lease that never ends': {
    breaks: 'all_work_done',
    ...putting((item) => (isLeased(item) ? undue(item) : item)),
  },
  'never sweeps outbox rows': { breaks: 'all_work_done', ...unswept('due#outbox') },
  'never queues an overdue item again': {
    breaks: 'all_work_done',
    table: (table) => {
      const swept = new Set<string>()
      return {
        ...table,
        due: async (range) => {
          if (swept.has(range.shard)) return { keys: [] }
          swept.add(range.shard)
          return table.due(range)
        },
      }
    },
  },
  'makes random ids of deliveries': { breaks: 'one_delivery_per_receiver', table: withRandomIds },
  'removes the outbox row in the first of several transactions': {
    breaks: 'every_receiver_has_delivery',
    table: withEarlyRemoval,
  },
  'fans out to inactive webhooks': {
    breaks: 'only_subscribed_receivers',
    ...getting((item, _, { kind }) =>
      kind === 'fan_out' && item?.sk === 'webhook' ? { ...item, active: true } : item,
    ),
  },
  'deletes a delivery when it is delivered': {
    breaks: 'deliveries_kept',
    ...writing((writes) =>
      writes.map((write) => {
        if (!isDelivery(write) || write.put.status !== 'delivered') return write
        const { pk, sk } = write.put
        return { delete: { pk, sk }, was: write.was }
      }),
    ),
  },
  'drops the lease when a redelivery is requested': {
    breaks: 'lease_is_exclusive',
    ...putting((item) =>
      item.sk === 'delivery' && leaseOf(item)?.outdated
        ? { ...item, lease: null, due_at: String(item.next_attempt_at) }
        : item,
    ),
  },
  'takes a message for any attempt': {
    breaks: 'attempt_not_early',
    message: (message, memory) => {
      const item = memory.at(message)
      return item?.sk === 'delivery' && item.due_at && !leaseOf(item) ? { ...message, due_at: item.due_at } : message
    },
  },
  'makes retries an hour late': {
    breaks: 'attempt_in_time',
    ...putting((item) => (isRecorded(item) && item.due_at ? { ...item, due_at: later(item.due_at, HOUR) } : item)),
  },
  'posts without a lease': { breaks: 'post_under_lease', table: withoutLease },
  'renders the body anew for each attempt': {
    breaks: 'post_shows_event',
    ...getting((item, _, { kind, began_at }) =>
      kind === 'deliver' && item?.sk === 'event' ? { ...item, created_at: timestamp(began_at) } : item,
    ),
  },
  'caches webhooks': { breaks: 'post_to_current_url', table: withCachedWebhooks() },
  'records attempts without a fencing token': {
    breaks: 'recorded_by_lease_holder',
    // A worker repeats a record that was stored without an answer, and then records its attempt twice.
    also_breaks: ['attempts_match_posts'],
    table: withOneToken,
  },
  'records an attempt before its delivery': {
    breaks: 'recorded_with_delivery',
    ...splitting((write) => 'put' in write && write.put.sk.startsWith('attempt#')),
  },
  'counts attempts from 1': {
    breaks: 'attempts_match_posts',
    ...putting((item) =>
      item.sk.startsWith('attempt#')
        ? {
            ...item,
            number: Number(item.number) + 1,
            sk: `attempt#${String(Number(item.number) + 1).padStart(6, '0')}`,
          }
        : item,
    ),
  },
  'gives up after three attempts': {
    breaks: 'delivery_state',
    ...putting((item) =>
      isRecorded(item) && item.status === 'pending' && item.attempts_made === 3
        ? { ...undue(item), status: 'failed', next_attempt_at: null }
        : item,
    ),
  },
  'schedules retries an hour late': {
    breaks: 'retry_schedule',
    ...putting((item) => {
      if (!isRecorded(item) || !item.due_at) return item
      const due_at = later(item.due_at, HOUR)
      return { ...item, due_at, next_attempt_at: due_at }
    }),
  },
  'ends a recovery without redeliveries': {
    breaks: 'recovery_complete',
    ...writing((writes, { kind }) =>
      kind === 'chores' && writes.some((write) => isDelivery(write) && write.put.version > 1) ? [] : [...writes],
    ),
  },
  'leaves list entries as they were at first': {
    breaks: 'list_entries',
    ...omitting(
      (write, { kind }) => kind === 'deliver' && 'put' in write && write.put.pk.startsWith('list#') && !isCount(write),
    ),
  },
  'adds late deliveries without correcting the counts': {
    breaks: 'list_counts',
    ...omitting((write, { kind }) => kind !== 'merchant' && isCount(write)),
  },
}

const isDelivery = (write: Write): write is Put => 'put' in write && write.put.sk === 'delivery'

const isCount = (write: Write): boolean => 'put' in write && write.put.pk.endsWith('#count')

const leaseOf = (item: Item): Lease | null => (item as unknown as Delivery).lease

/** Whether a delivery is written by a worker that takes the lease. */
const isLeased = (item: Item): boolean => item.sk === 'delivery' && leaseOf(item)?.outdated === false

/** Whether a delivery is written by a worker that records an attempt. */
const isRecorded = (item: Item): boolean =>
  item.sk === 'delivery' && Number(item.attempts_made) > 0 && leaseOf(item) === null && item.failed_at !== null

/** The lease is never written to the table. The worker still sees the lease that it took. */
function withoutLease(table: Table): Table {
  const leases = new Map<string, Lease>()
  return {
    ...table,
    async get(keys) {
      const items = await table.get(keys)
      return items.map(
        (item) => item && (leases.has(item.pk) ? ({ ...item, lease: leases.get(item.pk) } as Item) : item),
      )
    },
    async write(writes, options) {
      const [write] = writes
      if (!write || !isDelivery(write) || !isLeased(write.put)) return table.write(writes, options)
      leases.set(write.put.pk, leaseOf(write.put)!)
    },
  }
}

/** The worker sees its own token in every lease. */
function withOneToken(table: Table): Table {
  const tokens = new Map<string, string>()
  return {
    ...table,
    async get(keys) {
      const items = await table.get(keys)
      return items.map((item) => {
        const lease = item && leaseOf(item)
        return lease ? ({ ...item, lease: { ...lease, token: tokens.get(item.pk) ?? '' } } as unknown as Item) : item
      })
    },
    write(writes, options) {
      for (const write of writes)
        if (isDelivery(write) && isLeased(write.put)) tokens.set(write.put.pk, leaseOf(write.put)!.token)
      return table.write(writes, options)
    },
  }
}

/** The ids of new deliveries end with the number of their process. */
function withRandomIds(table: Table, { name }: Process): Table {
  const own = name.replace(/\D/g, '').padStart(8, '0')
  return {
    ...table,
    write(writes, options) {
      const made = writes.filter(isDelivery).filter(({ was }) => was === 0)
      const ids = made.map(({ put }) => put.pk.split('#')[2]!)
      const text = ids.reduce((all, id) => all.replaceAll(id, id.slice(0, -own.length) + own), JSON.stringify(writes))
      return table.write(made.length > 0 ? (JSON.parse(text) as Write[]) : writes, options)
    },
  }
}

function withEarlyRemoval(table: Table): Table {
  const removed = new Set<string>()
  const isRemoval = (write: Write) => 'delete' in write && write.delete.sk === OUTBOX.sk
  return {
    ...table,
    async write(writes, options) {
      const { put } = writes.find(isDelivery) ?? {}
      if (put?.version !== 1) return table.write(writes, options)
      const pk = `event#${put.pk.split('#')[1]}#${put.event}`
      const early: Write[] = removed.has(pk) ? [] : [{ delete: { pk, sk: OUTBOX.sk } }]
      await table.write([...early, ...writes.filter((write) => !isRemoval(write))], options)
      removed.add(pk)
    },
  }
}

/** All workers see the first version of a webhook that any worker has read. */
function withCachedWebhooks(): NonNullable<Mutants<string>[string]['table']> {
  const cache = new Map<string, Item>()
  return (table, { kind }) =>
    kind !== 'deliver'
      ? table
      : {
          ...table,
          get: async (keys) =>
            (await table.get(keys)).map((item) => {
              if (item?.sk !== 'webhook') return item
              if (!cache.has(item.pk)) cache.set(item.pk, item)
              return cache.get(item.pk)
            }),
        }
}
