import { timestamp } from '#shared/domain/timestamp.ts'
import { AHEAD_MS, RESEND_AFTER_MS } from '#shared/store/due.ts'

const DAY_MS = 86_400_000

/** What is asked of a table: the earliest `due_at` there is, strictly after a time if one is given. */
export interface DueTimes {
  earliestDue(after?: string): string | undefined
}

/**
 * The moment, in epoch milliseconds, at which a sweep next finds something to send, when the last one was at `swept_at`:
 * what falls due beyond its reach, what has by then been overdue long enough to be sent again, what is overdue for a day or
 * more at the turn of the day. Undefined while nothing is due ever. Before the first sweep it is the first thing that is due.
 */
export function nextSweep(table: DueTimes, swept_at: number | undefined): number | undefined {
  const first = parsed(table.earliestDue())
  if (swept_at === undefined || first === undefined) return first
  const dueAfter = (moment: number) => parsed(table.earliestDue(timestamp(Math.max(0, moment))))
  const again = RESEND_AFTER_MS.map((wait) => later(dueAfter(swept_at - wait), wait))
  return earliestOf([dueAfter(swept_at + AHEAD_MS), ...again, dayTurn(first, swept_at)])
}

/** The first sweep of a day is the one that reaches into it. */
function dayTurn(first: number, swept_at: number): number {
  const day = Math.max(Math.floor((swept_at + AHEAD_MS) / DAY_MS) + 1, Math.ceil((first + AHEAD_MS) / DAY_MS) + 1)
  return day * DAY_MS - AHEAD_MS
}

/** The smallest of the moments that are known. */
export function earliestOf(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((moment) => moment !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

const parsed = (due_at: string | undefined): number | undefined =>
  due_at === undefined ? undefined : Date.parse(due_at)

const later = (moment: number | undefined, by: number): number | undefined =>
  moment === undefined ? undefined : moment + by
