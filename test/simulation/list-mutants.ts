import { creationTimeOf, timeLetters } from '#shared/domain/ids.ts'
import type { Item, Table, Write } from '#shared/platform/ports.ts'
import { CLOSED_AFTER_MS } from '#shared/store/list-counts.ts'
import { type ListMutant, list } from './list-simulation.ts'

const isCount = (item: Item, level = '') => item.pk === `${list.pk}#count` && item.sk.startsWith(level)

/** Whether a write invalidates the count of a level, or the counter of deletions. */
const isInvalidation = (write: Write, level: string) =>
  'put' in write && isCount(write.put, level) && write.put.count === undefined

const isDeletion = (writes: readonly Write[]) => writes.some((write) => 'delete' in write)

const writing = (change: (writes: readonly Write[]) => readonly Write[]): ListMutant => ({
  table: (table) => ({ ...table, write: (writes, options) => table.write(change(writes), options) }),
})

const mutants: Readonly<Record<string, ListMutant>> = {
  'accepts an entry at any time': { table: (table) => ({ ...table, write: (writes) => table.write(writes) }) },
  'counts an hour as soon as it ends': { now: (now) => now + CLOSED_AFTER_MS },
  'ignores how long a request can travel': { now: (now) => now + 5 * 60_000 },
  'keeps the count of the hour after a delete': writing((writes) =>
    writes.filter((write) => !isInvalidation(write, 'hour')),
  ),
  'keeps the count of the day after a delete': writing((writes) =>
    writes.filter((write) => !isInvalidation(write, 'day')),
  ),
  'does not count deletions': writing((writes) => writes.filter((write) => !isInvalidation(write, 'deletions'))),
  'keeps the counts after a late entry': writing((writes) =>
    isDeletion(writes)
      ? writes
      : writes.filter((write) => !isInvalidation(write, 'hour') && !isInvalidation(write, 'day')),
  ),
  'does not count late entries as deletions': writing((writes) =>
    isDeletion(writes) ? writes : writes.filter((write) => !isInvalidation(write, 'deletions')),
  ),
  'stores a count without a version check': writing((writes) =>
    writes.map((write) => ('put' in write && isCount(write.put) ? { put: write.put } : write)),
  ),
  'counts the first millisecond after an hour': {
    table: (table) => ({
      ...table,
      count: (range) => table.count({ ...range, to: list.prefix + timeLetters(creationTimeOf(range.to!) + 1) }),
    }),
  },
  'reads the number of deletions once': { table: withOneReadOfDeletions },
}

function withOneReadOfDeletions(table: Table): Table {
  let first: ReturnType<Table['get']> | undefined
  return {
    ...table,
    get: (keys) => {
      if (keys[0]!.sk !== 'deletions') return table.get(keys)
      first ??= table.get(keys)
      return first
    },
  }
}

/** Faulty versions of lists. */
export const list_mutants = Object.fromEntries(
  Object.entries(mutants).map(([name, mutant]) => [name, { ...mutant, breaks: 'page_of_a_moment' }]),
)
