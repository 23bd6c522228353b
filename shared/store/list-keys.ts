import { timeLetters } from '#shared/domain/ids.ts'
import type { Key, Range } from '#shared/platform/ports.ts'

/**
 * A list of records, newest first. All its ids begin with `prefix`. A `counted` list returns any page at about the same
 * cost, because its counts are stored. A late entry, written long after the creation of its record, invalidates the
 * stored counts. A list that is not counted is read whole, so it must have few entries.
 */
export interface List {
  readonly pk: string
  readonly prefix: string
  readonly counted: boolean
}

/** A span of creation times in epoch milliseconds: `from` is inclusive, `to` is exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Every creation time that an id can express. */
export const ALL_TIMES: Span = { from: 0, to: 32 ** 10 - 1 }

/**
 * The entries of a list that were created within the span. A time without random letters sorts before every id of its
 * millisecond, so `to` is exclusive although the end of a `Range` is inclusive.
 */
export function entriesOf(list: List, { from, to }: Span): Range {
  return { pk: list.pk, from: list.prefix + timeLetters(from), to: list.prefix + timeLetters(to) }
}

/** The key of the stored count of the UTC day that contains this moment. */
export function dayRow(list: List, at: number): Key {
  return { pk: `${list.pk}#count`, sk: `day#${new Date(at).toISOString().slice(0, 'yyyy-mm-dd'.length)}` }
}

/** The key of the stored count of the UTC hour that contains this moment. */
export function hourRow(list: List, at: number): Key {
  return { pk: `${list.pk}#count`, sk: `hour#${new Date(at).toISOString().slice(0, 'yyyy-mm-ddThh'.length)}` }
}

/** The key of the row whose version changes with every delete from the list and with every late entry. */
export function deletionsRow(list: List): Key {
  return { pk: `${list.pk}#count`, sk: 'deletions' }
}

/**
 * The key of the row whose version changes with every record that is added to the list. Only lists whose additions must
 * be detected have this row.
 */
export function additionsRow(list: List): Key {
  return { pk: `${list.pk}#count`, sk: 'additions' }
}
