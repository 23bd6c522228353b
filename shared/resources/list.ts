import * as v from 'valibot'
import { integer, moment, optional } from './fields.ts'

/** Far behind any last page, and its records can still be counted exactly. */
const PAGE_MAX = 1_000_000_000

/** The parameters of every list. The times are epoch milliseconds, both exclusive. */
export const list_fields = {
  page: v.optional(integer(1, PAGE_MAX), 1),
  per_page: v.optional(integer(1, 100), 10),
  start_time: optional(moment),
  end_time: optional(moment),
}

/** One page of kept records, and how many there are in all. */
export interface Page<Kept> {
  readonly total: number
  readonly page: number
  readonly per_page: number
  readonly data: readonly Kept[]
}

/** The view of a page of records, each shown through `view`. */
export function listOf<Kept, Shown>(view: (record: Kept) => Shown) {
  return ({ total, page, per_page, data }: Page<Kept>) => ({
    resource: 'list' as const,
    total,
    page,
    per_page,
    last_page: Math.ceil(total / per_page),
    data: data.map((record) => view(record)),
  })
}
