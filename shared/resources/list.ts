import * as v from 'valibot'
import { integer, moment, optional } from './fields.ts'

/** Higher than the last page of any list. The position of a record on this page is still an exact integer. */
const PAGE_MAX = 1_000_000_000

/** The parameters of every list. Both times are exclusive, in epoch milliseconds. */
export const list_fields = {
  page: v.pipe(v.optional(integer(1, PAGE_MAX), 1), v.description('The number of the page, from 1.')),
  per_page: v.pipe(v.optional(integer(1, 100), 10), v.description('The number of records on a page, at most 100.')),
  start_time: v.pipe(optional(moment), v.description('Lists only records that were created after this time.')),
  end_time: v.pipe(
    optional(moment),
    v.description(
      'Lists only records that were created before this time. Send the same time with every page to read a list that grows.',
    ),
  ),
}

/** One page of stored records, and the number of records on all pages. */
export interface Page<Stored> {
  readonly total: number
  readonly page: number
  readonly per_page: number
  readonly data: readonly Stored[]
}

/** Builds the view of a page of records, in which `view` shows each record. */
export function listOf<Stored, Shown>(view: (record: Stored) => Shown) {
  return ({ total, page, per_page, data }: Page<Stored>) => ({
    resource: 'list' as const,
    total,
    page,
    per_page,
    last_page: Math.ceil(total / per_page),
    data: data.map((record) => view(record)),
  })
}
