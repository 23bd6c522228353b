import { randomInt } from 'node:crypto'
import { creationTimeOf } from '#shared/domain/ids.ts'
import type { Key, Write } from '#shared/platform/ports.ts'
import { dayRow, deletionsRow, hourRow, type List } from './list-keys.ts'

/**
 * A list entry records the membership of a record in a list. The list can be filtered by the facet without reading the
 * record.
 */
export interface Entry {
  readonly list: List
  readonly id: string
  readonly facet: string
}

/**
 * How long after the creation of its record an in-time entry may be sent to a counted list. A request commits within
 * seconds of the creation. A slower transaction is refused, and its retry uses a new id or writes a late entry. This
 * rule makes the past of a list safe to count: see `CLOSED_AFTER_MS`.
 */
export const ENTRY_LATEST_MS = 60_000

/**
 * An entry is in time if its record is at most this old when the entry is prepared, and late otherwise. A late entry
 * can reach an hour that is already closed, so it invalidates the counts.
 */
const IN_TIME_MS = ENTRY_LATEST_MS / 2

/**
 * The writes that bring the list entries of one record from `before` to `after` at `now`, and the `latest` of their
 * transaction. The transaction also writes the record, whose version check guards the entries. A delete from a counted
 * list and a late entry invalidate the stored counts of the hour and the day. They do so without a read or a version
 * check, so concurrent changes of a list do not conflict. The next reader counts again.
 */
export function entryWrites(
  before: readonly Entry[],
  after: readonly Entry[],
  now: number,
): { writes: Write[]; latest: number | undefined } {
  const changed = after.filter((entry) => !before.some((old) => isSame(old, entry) && old.facet === entry.facet))
  const gone = before.filter((old) => !after.some((entry) => isSame(old, entry)))
  const added = changed.filter((entry) => entry.list.counted && !before.some((old) => isSame(old, entry)))
  const isLate = ({ id }: Entry) => creationTimeOf(id) + IN_TIME_MS < now
  const in_time = added.filter((entry) => !isLate(entry)).map(({ id }) => creationTimeOf(id))
  const miscounted = [...added.filter(isLate), ...gone.filter((entry) => entry.list.counted)]
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

/**
 * Rows without a count and with a random version, which invalidate the stored counts. A concurrent count fails its
 * version check and is not stored.
 */
function forget(list: List, id: string): Write[] {
  const touched = (row: Key): Write => ({ put: { ...row, version: randomInt(1, 2 ** 48 - 1) } })
  return [hourRow(list, creationTimeOf(id)), dayRow(list, creationTimeOf(id)), deletionsRow(list)].map(touched)
}
