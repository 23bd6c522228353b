import { creationTimeOf, timeLetters } from '#shared/domain/ids.ts'
import type { Item, Table, Write } from '#shared/platform/ports.ts'
import { headKey } from '#shared/store/list-keys.ts'
import type { Lane } from '#shared/store/list-lanes.ts'
import { CLOSED_AFTER_MS } from '#shared/store/list-tally.ts'
import { type ListMutant, list } from './list-simulation.ts'

const head_sk = headKey(list).sk

const isLane = (item: Item): boolean => item.sk.startsWith('lane#') && item.sk !== head_sk

/** A mutant that changes every write. Undefined removes the write. */
const writing = (change: (write: Write, writes: readonly Write[]) => Write | undefined): ListMutant => ({
  table: (table) => ({
    ...table,
    write: (writes, options) => {
      const changed = writes.flatMap((write) => change(write, writes) ?? [])
      return changed.length > 0 ? table.write(changed, options) : Promise.resolve()
    },
  }),
})

/** A mutant that changes every item that is written. */
const putting = (change: (item: Item, write: Write) => Item): ListMutant =>
  writing((write) => ('put' in write ? { ...write, put: change(write.put, write) } : write))

/** A mutant whose lanes miss some cells. */
const lanesWithout = (isMissing: (cell: string) => boolean): ListMutant =>
  putting((item) => {
    if (!isLane(item)) return item
    const cells = Object.entries((item as Lane).added).filter(([cell]) => !isMissing(cell))
    return { ...item, added: Object.fromEntries(cells) }
  })

const isDeletion = (writes: readonly Write[]) => writes.some((write) => 'delete' in write)

const isAdvance = (write: Write, writes: readonly Write[]) =>
  'put' in write &&
  write.put.stored !== undefined &&
  writes.length > 1 &&
  'put' in writes[0]! &&
  writes[0].put.sk === head_sk

const mutants: Readonly<Record<string, ListMutant>> = {
  'accepts an entry at any time': { table: (table) => ({ ...table, write: (writes) => table.write(writes) }) },
  'closes an hour as soon as it ends': { now: (now) => now + CLOSED_AFTER_MS },
  'ignores how long a request can travel': { now: (now) => now + 5 * 60_000 },
  'does not count deletes in lanes': writing((write, writes) =>
    isDeletion(writes) && 'put' in write && isLane(write.put) ? undefined : write,
  ),
  'does not number deletes': putting((item) => (isLane(item) ? { ...item, gone: {} } : item)),
  'does not count changes of facets': lanesWithout((cell) => cell.endsWith('=b')),
  'does not number changes of entries of earlier hours': lanesWithout((cell) => cell.endsWith('=~')),
  'shows the facet of an entry that was changed during the read': putting((item) =>
    item.pk === list.pk ? { ...item, moved_in: undefined } : item,
  ),
  'forgets that the facet before was new as well': putting((item) =>
    item.pk === list.pk ? { ...item, was_in: undefined } : item,
  ),
  'leaves entries without a stamp': putting((item) => ({ ...item, counted_in: undefined })),
  'forgets the stamp when the facet changes': putting((item) =>
    item.pk === list.pk && item.facet === 'b' ? { ...item, counted_in: undefined } : item,
  ),
  'drops lanes without adding them to stored counts': writing((write, writes) =>
    isAdvance(write, writes) ? undefined : write,
  ),
  'stores a count without a version check': writing((write) =>
    'put' in write && (write.put.stored !== undefined || write.put.sk === head_sk) ? { put: write.put } : write,
  ),
  'stores a count while the head changes': writing((write, writes) =>
    'put' in write && write.put.sk === head_sk && writes.length > 1 && !writes.some((one) => isAdvance(one, writes))
      ? undefined
      : write,
  ),
  'counts the first millisecond after an hour': {
    table: (table) => ({
      ...table,
      count: (range) => table.count({ ...range, to: list.prefix + timeLetters(creationTimeOf(range.to!) + 1) }),
    }),
  },
  'reads the lanes once': { table: withOneReadOfLanes },
}

/** A table whose later reads of the lanes repeat the first one. After a write, a reader looks for its own lanes. */
function withOneReadOfLanes(table: Table): Table {
  let first: ReturnType<Table['query']> | undefined
  return {
    ...table,
    query: (range) => {
      if (range.to !== head_sk) return table.query(range)
      first ??= table.query(range)
      return first
    },
    write: (writes, options) => {
      first = undefined
      return table.write(writes, options)
    },
  }
}

/** Faulty versions of lists. */
export const list_mutants = Object.fromEntries(
  Object.entries(mutants).map(([name, mutant]) => [name, { ...mutant, breaks: 'page_of_a_moment' }]),
)
