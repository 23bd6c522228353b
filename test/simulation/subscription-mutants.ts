import type { Item, Key, Table, Write } from '#shared/platform/ports.ts'
import { DAY } from './delivery-world.ts'
import type { Mutant } from './subscription-platform.ts'

/** Protocols that lack one thing each. They are made from outside: what a process reads or writes is changed on the way. */
export const mutants: Readonly<Record<string, Mutant>> = {
  'that overwrites what has changed since it was read': writing((write) =>
    'put' in write && !write.put.pk.startsWith('sandbox#') && !write.put.pk.startsWith('cursor#')
      ? { put: write.put }
      : write,
  ),
  'whose acquirer knows no order again': { table: withForgetfulAcquirer },
  'that counts intervals from the last capture': { table: withDrift },
  'whose deletion leaves open what is out': {
    table: (table) => ({
      ...table,
      write: (writes, options) => {
        const deletes = writes.some((write) => isSubscription(write) && write.put.status === 'deleted')
        const isPayment = (write: Write) => 'put' in write && write.put.sk === 'payment'
        return table.write(deletes ? writes.filter((write) => !isPayment(write)) : writes, options)
      },
    }),
  },
  'whose sweep looks at each thing once': {
    table: (table) => ({
      ...table,
      due: async (range) => (range.after < range.until && isRecent(range) ? table.due(range) : { keys: [] }),
    }),
  },
}

/** More of them. */
export const more_mutants: Readonly<Record<string, Mutant>> = {
  'that retries after an hour': writing((write) => {
    if (!isSubscription(write) || !write.put.retry_at) return write
    const at = new Date(Date.parse(write.put.retry_at as string) - (23 / 24) * DAY).toISOString().replace('.000', '')
    return { ...write, put: { ...write.put, retry_at: at, due_at: write.put.due_at && at } }
  }),
  'that never gives back what was charged too late': undue('due#attempt'),
  'that never asks for what it was not told of': undue('due#occurrence'),
}

/** Whether a stretch of the due index is what is new, and not what is looked at again. */
const isRecent = ({ after, until }: { after: string; until: string }): boolean =>
  after !== '' && Date.parse(until) - Date.parse(after) <= DAY

type Put = Write & { readonly put: Item }

const isSubscription = (write: Write): write is Put => 'put' in write && write.put.sk === 'subscription'

/** A table that writes something else. */
function writing(change: (write: Write) => Write): Mutant {
  return { table: (table) => ({ ...table, write: (writes, options) => table.write(writes.map(change), options) }) }
}

/** A table in whose due index nobody finds what is in these shards. */
function undue(shards: string): Mutant {
  const due =
    (table: Table): Table['due'] =>
    async (range) =>
      range.shard.startsWith(shards) ? { keys: [] } : table.due(range)
  return { table: (table) => ({ ...table, due: due(table) }) }
}

/** Never the same number twice. */
let orders = 0

function withForgetfulAcquirer(table: Table): Table {
  const isLedger = ({ pk }: Key) => pk.startsWith('sandbox#')
  return {
    ...table,
    get: async (keys) => (keys.some(isLedger) ? (await table.get(keys)).map(() => undefined) : table.get(keys)),
    write: (writes, options) => {
      const renamed = writes.map((write) =>
        'put' in write && isLedger(write.put)
          ? { ...write, put: { ...write.put, pk: `${write.put.pk}-${orders++}` } }
          : write,
      )
      return table.write(renamed, options)
    },
  }
}

function withDrift(table: Table): Table {
  return {
    ...table,
    write(writes, options) {
      const captured = writes.find((write) => 'put' in write && write.put.sk === 'payment' && write.put.captured_at)
      const at = captured && 'put' in captured ? (captured.put.captured_at as string) : undefined
      const drifting = (write: Write): Write =>
        at && isSubscription(write) && write.put.version > 2
          ? { ...write, put: { ...write.put, created_at: at } }
          : write
      return table.write(writes.map(drifting), options)
    },
  }
}
