import { randomInt } from 'node:crypto'
import { bornAt } from '#shared/domain/ids.ts'
import type { Key, Write } from '#shared/platform/ports.ts'
import { dayRow, deletionsRow, hourRow, type List } from './list-keys.ts'

/** That a record stands in a list. The facet is what the list can be filtered by without reading the record. */
export interface Entry {
  readonly list: List
  readonly id: string
  readonly facet: string
}

/**
 * How long after its record's birth an entry may still be sent to a counted list. A request that begins with the birth
 * commits within seconds; one that was held up for longer is refused and tried again with a new id. That makes the past
 * of a list safe to count: see `CLOSED_AFTER_MS`.
 */
export const ENTRY_LATEST_MS = 60_000

/**
 * The writes that bring the entries of one record from `before` to `after`, for the transaction that writes the record and
 * so guards them, and the `latest` of that transaction. A delete from a counted list makes what was counted of its hour
 * and day unknown, without reading it, so that no delete is refused for the version that another left; the next reader
 * counts again.
 */
export function entryWrites(
  before: readonly Entry[],
  after: readonly Entry[],
): { writes: Write[]; latest: number | undefined } {
  const changed = after.filter((entry) => !before.some((old) => isSame(old, entry) && old.facet === entry.facet))
  const gone = before.filter((old) => !after.some((entry) => isSame(old, entry)))
  const born = changed.filter((entry) => entry.list.counted && !before.some((old) => isSame(old, entry)))
  return {
    writes: [
      ...changed.map(({ list, id, facet }) => ({ put: { pk: list.pk, sk: id, version: 1, facet } })),
      ...gone.flatMap(({ list, id }) => [
        { delete: { pk: list.pk, sk: id } },
        ...(list.counted ? forget(list, id) : []),
      ]),
    ],
    latest: born.length > 0 ? Math.min(...born.map(({ id }) => bornAt(id))) + ENTRY_LATEST_MS : undefined,
  }
}

function isSame(one: Entry, other: Entry): boolean {
  return one.list.pk === other.list.pk && one.id === other.id
}

/** Rows without a count. Their version was never there before, so whoever is counting loses the row. */
function forget(list: List, id: string): Write[] {
  const touched = (row: Key): Write => ({ put: { ...row, version: randomInt(1, 2 ** 48 - 1) } })
  return [hourRow(list, bornAt(id)), dayRow(list, bornAt(id)), deletionsRow(list)].map(touched)
}
