import type { Delivery, Lease } from '#shared/domain/delivery.ts'
import type { Item, Table, Write } from '#shared/platform/ports.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import type { Mutant } from './delivery-platform.ts'
import type { Process } from './delivery-world.ts'

/** Protocols that lack one thing each. They are made from outside: what a process reads, writes or is handed is changed on the way. */
export const mutants: Readonly<Record<string, Mutant>> = {
  'without a lease': { table: withoutLease },
  'whose lease has no token: all workers write the same': { table: withOneToken },
  'whose lease never ends': writing((write) => (isHold(write) ? { ...write, put: undue(write.put) } : write)),
  'without a sweep of the outbox': {
    table: (table) => ({
      ...table,
      due: async (range) => (range.shard.startsWith('due#outbox') ? { keys: [] } : table.due(range)),
    }),
  },
  'whose sweep looks at each thing once': {
    table: (table) => {
      const seen = new Set<string>()
      return {
        ...table,
        due: async (range) => {
          const is_first = !seen.has(range.shard)
          seen.add(range.shard)
          return is_first ? table.due(range) : { keys: [] }
        },
      }
    },
  },
  'that makes random ids of deliveries': { table: withRandomIds },
  'whose workers take a message for any attempt': {
    message: (message, memory) => ({ ...message, due_at: memory.at(message)?.due_at ?? message.due_at }),
  },
  'that deletes the outbox row with the first of several transactions': { table: withEarlyOutbox },
  'that records an attempt whatever happened meanwhile': writing((write) =>
    'put' in write && (write.put.sk === 'delivery' ? isRecord(write.put) : write.put.sk.startsWith('attempt#'))
      ? { put: write.put }
      : write,
  ),
  'that records an attempt and its delivery one after the other': { table: withTwoRecords },
  'whose redelivery forgets who is at it': writing((write) => {
    if (!isDelivery(write) || !leaseOf(write.put)?.outdated) return write
    return { ...write, put: { ...write.put, lease: null, due_at: String(write.put.next_attempt_at) } }
  }),
  'whose late deliveries are not told to readers': {
    table: (table, { kind }) =>
      kind === 'merchant' ? table : filtering(table, (write) => !('put' in write && write.put.pk.endsWith('#count'))),
  },
}

function writing(change: (write: Write) => Write): Mutant {
  return { table: (table) => ({ ...table, write: (writes, options) => table.write(writes.map(change), options) }) }
}

const filtering = (table: Table, keep: (write: Write) => boolean): Table => ({
  ...table,
  write: (writes, options) => table.write(writes.filter(keep), options),
})

const isDelivery = (write: Write): write is { put: Item; was: number } => 'put' in write && write.put.sk === 'delivery'

const leaseOf = (item: Item | undefined): Lease | null | undefined => (item as unknown as Delivery | undefined)?.lease

/** A worker takes hold. */
const isHold = (write: Write): write is { put: Item; was: number } =>
  isDelivery(write) && leaseOf(write.put)?.outdated === false

/** A worker lets go. */
const isRecord = (item: Item): boolean => Number(item.attempts_made) > 0 && leaseOf(item) === null && item.version > 2

function undue({ due_at, due_shard, ...item }: Item): Item {
  return item
}

/** Each worker believes that it holds the delivery, and no other one sees it. */
function withoutLease(table: Table): Table {
  const held = new Map<string, Lease>()
  return {
    ...table,
    async get(keys) {
      const items = await table.get(keys)
      return items.map((item) => item && (held.has(item.pk) ? ({ ...item, lease: held.get(item.pk) } as Item) : item))
    },
    async write(writes, options) {
      const [write] = writes
      if (!write || !isHold(write)) return table.write(writes, options)
      held.set(write.put.pk, leaseOf(write.put)!)
    },
  }
}

/** Whoever reads a lease takes it for its own. */
function withOneToken(table: Table): Table {
  const tokens = new Map<string, string>()
  return {
    ...table,
    async get(keys) {
      const items = await table.get(keys)
      return items.map((item) => {
        const lease = leaseOf(item)
        return item && lease ? ({ ...item, lease: { ...lease, token: tokens.get(item.pk) ?? '' } } as Item) : item
      })
    },
    write(writes, options) {
      for (const write of writes) if (isHold(write)) tokens.set(write.put.pk, leaseOf(write.put)!.token)
      return table.write(writes, options)
    },
  }
}

/** Whoever makes a delivery gives it an id of its own. */
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

function withEarlyOutbox(table: Table): Table {
  const deleted = new Set<string>()
  const isEnd = (write: Write) => 'delete' in write && write.delete.sk === OUTBOX.sk
  return {
    ...table,
    async write(writes, options) {
      const { put } = writes.filter(isDelivery)[0] ?? {}
      const pk = put && `event#${put.pk.split('#')[1]}#${put.event}`
      const early: Write[] = pk && !deleted.has(pk) ? [{ delete: { pk, sk: OUTBOX.sk } }] : []
      const rest = writes.filter((write) => !isEnd(write))
      if (!put || rest.length === 0 || put.version !== 1) return table.write(writes, options)
      await table.write([...early, ...rest], options)
      if (pk) deleted.add(pk)
    },
  }
}

function withTwoRecords(table: Table): Table {
  return {
    ...table,
    async write(writes, options) {
      const isRow = (write: Write) => 'put' in write && write.put.sk.startsWith('attempt#')
      const rows = writes.filter(isRow)
      if (rows.length > 0) await table.write(rows, options)
      await table.write(
        writes.filter((write) => !isRow(write)),
        options,
      )
    },
  }
}
