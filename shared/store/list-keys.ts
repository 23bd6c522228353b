import { timeLetters } from '#shared/domain/ids.ts'
import type { Key, Range } from '#shared/platform/ports.ts'

/**
 * A list of records, newest first. All its ids begin with `prefix`. A `counted` list answers any page at about the same
 * cost and takes an entry only at the birth of its record; one that is not is read whole, and is for few entries.
 */
export interface List {
  readonly pk: string
  readonly prefix: string
  readonly counted: boolean
}

/** A stretch of births in epoch milliseconds: `from` belongs to it, `to` does not. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Every birth that an id can tell. */
export const ALL_BIRTHS: Span = { from: 0, to: 32 ** 10 - 1 }

/** The entries of a list that were born within the span. The time alone sorts before every id that begins with it. */
export function entriesOf(list: List, { from, to }: Span): Range {
  return { pk: list.pk, from: list.prefix + timeLetters(from), to: list.prefix + timeLetters(to) }
}

/** Where the count of the UTC day that holds this moment is remembered. */
export function dayRow(list: List, at: number): Key {
  return { pk: `${list.pk}#count`, sk: `day#${new Date(at).toISOString().slice(0, 'yyyy-mm-dd'.length)}` }
}

/** Where the count of the UTC hour that holds this moment is remembered. */
export function hourRow(list: List, at: number): Key {
  return { pk: `${list.pk}#count`, sk: `hour#${new Date(at).toISOString().slice(0, 'yyyy-mm-ddThh'.length)}` }
}

/** The row whose version changes with every delete from the list. */
export function deletionsRow(list: List): Key {
  return { pk: `${list.pk}#count`, sk: 'deletions' }
}

/** The row whose version changes with every record that comes into a list where somebody has to know it. */
export function additionsRow(list: List): Key {
  return { pk: `${list.pk}#count`, sk: 'additions' }
}
