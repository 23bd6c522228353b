import * as v from 'valibot'
import { described, resourceName, shown_count } from './answer-fields.ts'
import { integer, moment, optional } from './fields.ts'
import { type View, viewOf } from './view.ts'

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

/** The schema of a page of resources. */
const listResource = <Schema extends v.GenericSchema>(item: Schema) =>
  v.strictObject({
    resource: resourceName('list'),
    total: described(shown_count, 'Number of all records that match the filters, on all pages.'),
    page: described(v.pipe(shown_count, v.minValue(1)), 'Number of this page, from 1.'),
    per_page: described(
      v.pipe(shown_count, v.minValue(1), v.maxValue(100)),
      'The most records on a page, from 1 to 100.',
    ),
    last_page: described(shown_count, 'Number of the last page. 0 for an empty list.'),
    data: described(v.array(item), 'The records of this page, newest first. Empty past the last page.'),
  })

/** Builds the view of a page of records, in which `view` shows each record. */
export const listOf = <Stored, Schema extends v.GenericSchema>(view: View<readonly [Stored], Schema>) =>
  viewOf(listResource(view.schema), ({ total, page, per_page, data }: Page<Stored>) => ({
    resource: 'list' as const,
    total,
    page,
    per_page,
    last_page: Math.ceil(total / per_page),
    data: data.map((record) => view(record)),
  }))
