import type { Page } from '#shared/resources/list.ts'
import type { AnyRecord, Kind } from './kind.ts'
import type { List } from './list-keys.ts'
import { createdBetween, pageOf } from './list-page.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** The page of a list that a merchant requests. Times are epoch milliseconds, both exclusive. */
export interface PageRequest {
  readonly page: number
  readonly per_page: number
  readonly start_time?: number
  readonly end_time?: number
}

/** How often a page is read at most when a record on it is deleted during the read. */
const READS_MAX = 3

/** One page of a merchant's records of a kind, from one of their lists. */
export async function pageOfRecords<R extends AnyRecord & { readonly id: string }>(
  work: UnitOfWork,
  kind: Kind<R>,
  list: List,
  { page, per_page, start_time, end_time }: PageRequest,
  accepts?: (facet: string) => boolean,
): Promise<Page<R>> {
  const times = createdBetween(start_time, end_time)
  for (let reads = 1; ; reads++) {
    const load = (ids: readonly string[]) => Promise.all(ids.map((id) => work.find(kind, id)))
    const wanted = { page, per_page, ...times, accepts, now: work.realNow(), load }
    const { total, ids } = await pageOf(work.platform.table, list, wanted)
    const records = await load(ids)
    const data = records.filter((record) => record !== undefined)
    if (data.length === ids.length || reads === READS_MAX) return { total, page, per_page, data }
    work.forget()
  }
}
