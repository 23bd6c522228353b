import type { Item, Write } from '#shared/platform/ports.ts'
import type { Mutant } from './platform.ts'
import type { Process } from './world.ts'

/**
 * The mutants of a simulation, by what each of them does, with the invariant that each of them breaks, and others that
 * some histories show to be broken first.
 */
export type Mutants<Name extends string> = Readonly<
  Record<string, Mutant & { readonly breaks: Name; readonly also_breaks?: readonly Name[] }>
>

/** A write that puts an item. */
export type Put = Write & { readonly put: Item }

/** A mutant that changes its transactions, and leaves a transaction out if no write remains. */
export const writing = (change: (writes: readonly Write[], process: Process) => Write[]): Mutant => ({
  table: (table, process) => ({
    ...table,
    write: async (writes, options) => {
      const changed = change(writes, process)
      if (changed.length > 0) await table.write(changed, options)
    },
  }),
})

/** A mutant that changes each item that it puts. */
export const putting = (change: (item: Item, process: Process) => Item): Mutant =>
  writing((writes, process) =>
    writes.map((write) => ('put' in write ? { ...write, put: change(write.put, process) } : write)),
  )

/** A mutant that leaves out some of its writes. */
export const omitting = (isOmitted: (write: Write, process: Process) => boolean): Mutant =>
  writing((writes, process) => writes.filter((write) => !isOmitted(write, process)))

/** A mutant whose transactions are split in two: first the chosen writes, then the others. */
export const splitting = (isFirst: (write: Write) => boolean): Mutant => ({
  table: (table) => ({
    ...table,
    write: async (writes, options) => {
      const { true: first = [], false: rest = [] } = Object.groupBy(writes, (write) => `${isFirst(write)}` as const)
      for (const some of [first, rest]) if (some.length > 0) await table.write(some, options)
    },
  }),
})

/** A mutant that changes each item that it reads by key. */
export const getting = (
  change: (item: Item | undefined, pk: string, process: Process) => Item | undefined,
): Mutant => ({
  table: (table, process) => ({
    ...table,
    get: async (keys) => (await table.get(keys)).map((item, index) => change(item, keys[index]!.pk, process)),
  }),
})

/** A mutant whose sweep never finds the items of some shards. */
export const unswept = (shards: string): Mutant => ({
  table: (table) => ({
    ...table,
    due: async (range) => (range.shard.startsWith(shards) ? { keys: [] } : table.due(range)),
  }),
})

/** A mutant that overwrites the records whose key begins with one of these kinds, without a version check. */
export const overwriting = (...kinds: readonly string[]): Mutant =>
  writing((writes) =>
    writes.map((write) => ('put' in write && kinds.includes(write.put.pk.split('#')[0]!) ? { put: write.put } : write)),
  )

/** Removes an item from the due index. */
export const undue = ({ due_at, due_shard, ...item }: Item): Item => item

/** Adds milliseconds to a time of an item. */
export const later = (time: unknown, by: number): string =>
  new Date(Date.parse(String(time)) + by).toISOString().replace('.000', '')
