import { describe, expect, test } from 'vitest'
import { creationTimeOf, timeLetters } from '#shared/domain/ids.ts'
import type { Item, Table, Write } from '#shared/platform/ports.ts'
import { CLOSED_AFTER_MS } from '#shared/store/list-counts.ts'
import { list, type Mutant, simulate, type Tally } from '#test/simulation/list-simulation.ts'

const SEEDS = 500

const noTally = (): Tally => ({ reads: 0, created: 0, deleted: 0, late: 0, refused: 0, crossed: 0 })

test(`each of the pages read in ${SEEDS} histories is the list at a moment while it was read`, {
  timeout: SEEDS * 300,
}, async () => {
  const tally = noTally()
  for (let seed = 1; seed <= SEEDS; seed++) expect(await simulate(seed, tally)).toBeUndefined()
  expect(tally.reads).toBe(SEEDS * 7)
  for (const times of [tally.crossed, tally.created, tally.deleted, tally.late, tally.refused])
    expect(times).toBeGreaterThan(SEEDS / 10)
})

describe('the same histories catch a protocol', () => {
  const isCount = (item: Item, level = '') => item.pk === `${list.pk}#count` && item.sk.startsWith(level)
  const isTouch = (write: Write, level: string) =>
    'put' in write && isCount(write.put, level) && write.put.count === undefined
  const isDeletion = (writes: readonly Write[]) => writes.some((write) => 'delete' in write)
  const writing = (change: (writes: readonly Write[]) => Write[]): Mutant => ({
    table: (table) => ({ ...table, write: (writes, options) => table.write(change(writes), options) }),
  })

  const mutants: Record<string, Mutant> = {
    'in which an entry may be sent at any time': {
      table: (table) => ({ ...table, write: (writes) => table.write(writes) }),
    },
    'that closes an hour when it ends': { now: (now) => now + CLOSED_AFTER_MS },
    'that forgets how long a request can travel': { now: (now) => now + 5 * 60_000 },
    'whose deletes leave the count of the hour': writing((writes) => writes.filter((write) => !isTouch(write, 'hour'))),
    'whose deletes leave the count of the day': writing((writes) => writes.filter((write) => !isTouch(write, 'day'))),
    'whose deletes do not tell readers': writing((writes) => writes.filter((write) => !isTouch(write, 'deletions'))),
    'whose late entries leave the counts': writing((writes) =>
      isDeletion(writes) ? [...writes] : writes.filter((write) => !isTouch(write, 'hour') && !isTouch(write, 'day')),
    ),
    'whose late entries do not tell readers': writing((writes) =>
      isDeletion(writes) ? [...writes] : writes.filter((write) => !isTouch(write, 'deletions')),
    ),
    'that remembers a count whatever happened meanwhile': writing((writes) =>
      writes.map((write) => ('put' in write && isCount(write.put) ? { put: write.put } : write)),
    ),
    'that counts the first millisecond behind an hour': {
      table: (table) => ({
        ...table,
        count: (range) => table.count({ ...range, to: list.prefix + timeLetters(creationTimeOf(range.to!) + 1) }),
      }),
    },
    'that does not ask again whether a delete crossed': { table: withOneLookAtDeletes },
  }

  test.each(Object.entries(mutants))('%s', { timeout: 60_000 }, async (_, mutant) => {
    let wrong: string | undefined
    for (let seed = 1; !wrong && seed <= SEEDS; seed++) wrong = await simulate(seed, noTally(), mutant)
    expect(wrong).toBeDefined()
  })
})

function withOneLookAtDeletes(table: Table): Table {
  let seen: ReturnType<Table['get']> | undefined
  return {
    ...table,
    get: (keys) => {
      if (keys[0]!.sk !== 'deletions') return table.get(keys)
      seen ??= table.get(keys)
      return seen
    },
  }
}
