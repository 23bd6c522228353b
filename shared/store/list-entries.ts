import type { Write } from '#shared/platform/ports.ts'
import type { List } from './list-keys.ts'
import type { LaneWrites } from './list-lanes.ts'

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
 * The stamps of a record's entries: of the transaction that added them to counted lists, and of the last one that
 * changed their facet. Absent: no transaction with lanes has done so.
 */
export interface Stamps {
  readonly counted_in?: string
  readonly moved_in?: string
}

/** How the entries of a record are counted. */
export interface EntryCounting {
  readonly lanes: LaneWrites
  /** The stamps of the record's entries before the change. */
  readonly stamps: Stamps
}

/**
 * The writes that bring the list entries of one record from `before` to `after`, and the stamps of its entries
 * afterwards. The transaction also writes the record, whose version check guards the entries, and the lanes, in which
 * the changes of counted lists are counted. An entry whose facet is counted keeps its facet before the last change, for
 * readers who read the lanes before this change.
 */
export function entryWrites(
  before: readonly Entry[],
  after: readonly Entry[],
  { lanes, stamps }: EntryCounting,
): { writes: Write[]; stamps: Stamps } {
  const gone = before.filter((old) => !after.some((entry) => isSame(old, entry)))
  for (const { list, id, facet } of gone) if (list.counted) lanes.remove(list, id, facet)
  let next = stamps
  const writes: Write[] = []
  for (const { list, id, facet } of after) {
    const old = before.find((one) => isSame(one, { list, id, facet }))
    if (old?.facet === facet) continue
    const put: Record<string, unknown> = { facet }
    if (list.counted) {
      if (!old) next = { ...next, counted_in: lanes.add(list, id, facet) }
      const moved_in = old && lanes.move(list, id, old.facet, facet)
      if (moved_in) {
        Object.assign(put, { facet_was: old.facet, ...(stamps.moved_in && { was_in: stamps.moved_in }) })
        next = { ...next, moved_in }
      }
      Object.assign(put, next)
    }
    writes.push({ put: { pk: list.pk, sk: id, version: 1, ...put } })
  }
  for (const { list, id } of gone) writes.push({ delete: { pk: list.pk, sk: id } })
  return { writes, stamps: next }
}

function isSame(one: Entry, other: Entry): boolean {
  return one.list.pk === other.list.pk && one.id === other.id
}
