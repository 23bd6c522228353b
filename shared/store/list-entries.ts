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

/** An entry that is older than this when it is written may come too late, and is written as one that does. */
const IN_TIME_MS = ENTRY_LATEST_MS / 2

/**
 * The writes that bring the entries of one record from `before` to `after` at `now`, for the transaction that writes the
 * record and so guards them, and the `latest` of that transaction. A delete from a counted list, and an entry that comes
 * long after its record's birth, make what was counted of the hour and day unknown, without reading it, so that none is
 * refused for the version that another left; the next reader counts again.
 */
export function entryWrites(
  before: readonly Entry[],
  after: readonly Entry[],
  now: number,
): { writes: Write[]; latest: number | undefined } {
  const changed = after.filter((entry) => !before.some((old) => isSame(old, entry) && old.facet === entry.facet))
  const gone = before.filter((old) => !after.some((entry) => isSame(old, entry)))
  const born = changed.filter((entry) => entry.list.counted && !before.some((old) => isSame(old, entry)))
  const isLate = ({ id }: Entry) => bornAt(id) + IN_TIME_MS < now
  const in_time = born.filter((entry) => !isLate(entry)).map(({ id }) => bornAt(id))
  const miscounted = [...born.filter(isLate), ...gone.filter((entry) => entry.list.counted)]
  return {
    writes: [
      ...changed.map(({ list, id, facet }) => ({ put: { pk: list.pk, sk: id, version: 1, facet } })),
      ...gone.map(({ list, id }) => ({ delete: { pk: list.pk, sk: id } })),
      ...miscounted.flatMap(({ list, id }) => forget(list, id)),
    ],
    latest: in_time.length > 0 ? Math.min(...in_time) + ENTRY_LATEST_MS : undefined,
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
