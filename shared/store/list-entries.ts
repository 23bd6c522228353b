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

/** How the entries of a record are counted. */
export interface EntryCounting {
  readonly lanes: LaneWrites
  /** The stamp of the record's entries before the change; undefined if they have none. */
  readonly stamp: string | undefined
}

/**
 * The writes that bring the list entries of one record from `before` to `after`, and the stamp of its entries
 * afterwards. The transaction also writes the record, whose version check guards the entries, and the lanes, in which
 * the additions to counted lists and the deletes from them are counted.
 */
export function entryWrites(
  before: readonly Entry[],
  after: readonly Entry[],
  { lanes, stamp }: EntryCounting,
): { writes: Write[]; stamp: string | undefined } {
  const gone = before.filter((old) => !after.some((entry) => isSame(old, entry)))
  for (const { list, id } of gone) if (list.counted) lanes.remove(list, id)
  let last = stamp
  const writes: Write[] = []
  for (const { list, id, facet } of after) {
    const old = before.find((one) => isSame(one, { list, id, facet }))
    if (old?.facet === facet) continue
    if (!old && list.counted) last = lanes.add(list, id)
    writes.push({ put: { pk: list.pk, sk: id, version: 1, facet, ...(list.counted && last && { counted_in: last }) } })
  }
  for (const { list, id } of gone) writes.push({ delete: { pk: list.pk, sk: id } })
  return { writes, stamp: last }
}

function isSame(one: Entry, other: Entry): boolean {
  return one.list.pk === other.list.pk && one.id === other.id
}
