import { base32, creationTimeOf, timeLetters } from '#shared/domain/ids.ts'
import type { Key, Range } from '#shared/platform/ports.ts'

/**
 * A list of records, newest first. All its ids begin with `prefix`. A `counted` list returns any page at about the same
 * cost, because its entries are counted: see [README.md](README.md). A list that is not counted is read whole, so it
 * must have few entries.
 */
export interface List {
  readonly pk: string
  readonly prefix: string
  readonly counted: boolean
  /**
   * The lanes that count the entries, and the name of the list in them. A transaction that writes entries of several
   * lists writes one lane if they have the same lanes. Absent: the list has lanes of its own.
   */
  readonly lanes?: { readonly pk: string; readonly name: string }
  /**
   * The part of an entry's facet by which its entries are counted, so that a page of the entries with some facets costs
   * about as much as a page of all. Absent: the entries are not counted by facet.
   */
  readonly facetOf?: (facet: string) => string
}

/** The `facetOf` of a list whose entries are counted by their whole facet. */
export const wholeFacet = (facet: string): string => facet

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

export const HOUR_MS = 60 * 60_000

/** A UTC hour as five letters, so that text order is the order of time. */
export const hourLetters = (at: number): string => base32(Math.floor(at / HOUR_MS), HOUR_LETTERS)

export const HOUR_LETTERS = 5

/** The start of an hour in epoch milliseconds, from its letters. */
export const startOfLetters = (letters: string): number => creationTimeOf(`_00000${letters}`) * HOUR_MS

/** The `sk` of every lane begins with this prefix, followed by the letters of an hour. */
export const LANE_PREFIX = 'lane#'

/** The `pk` of the lanes that count the entries of a list. */
export const lanesPk = ({ pk, lanes }: List): string => `${lanes?.pk ?? pk}#count`

/** The name of a list in its lanes; empty for a list that has lanes of its own. */
export const nameInLanes = ({ lanes }: List): string => lanes?.name ?? ''

/** The `sk` of every head begins with this prefix, which sorts after all lanes. One query reads lanes and heads. */
export const HEAD_PREFIX = `${LANE_PREFIX}~`

/** The key of the head of a list, in the item collection of its lanes. */
export const headKey = (list: List): Key => ({ pk: lanesPk(list), sk: HEAD_PREFIX + nameInLanes(list) })

/**
 * The key of the row whose version changes with every record that is added to the list. Only lists whose additions must
 * be detected have this row.
 */
export function additionsRow(list: List): Key {
  return { pk: `${list.pk}#count`, sk: 'additions' }
}
