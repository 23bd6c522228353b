import { timestamp } from '#shared/domain/timestamp.ts'
import { AHEAD_MS, RESEND_AFTER_MS } from '#shared/scheduling/sweep-windows.ts'

const DAY_MS = 86_400_000

/** A source of due times. `earliestDue` returns the earliest `due_at`, strictly later than `after` if given. */
export interface DueTimes {
  earliestDue(after?: string): string | undefined
}

/**
 * Returns when a sweep next finds something to send, in epoch milliseconds, if the last sweep was at `swept_at`. This
 * is the earliest of these moments: the next item beyond the reach of the last sweep falls due; an item has been
 * overdue long enough to be sent again; a day begins while an item is overdue by a day or more. Without `swept_at`, it
 * is the earliest due time. Returns undefined if no item has a due time.
 */
export function nextSweep(table: DueTimes, swept_at: number | undefined): number | undefined {
  const first = parsed(table.earliestDue())
  if (swept_at === undefined || first === undefined) return first
  const dueAfter = (moment: number) => parsed(table.earliestDue(timestamp(Math.max(0, moment))))
  const again = RESEND_AFTER_MS.map((wait) => later(dueAfter(swept_at - wait), wait))
  return earliestOf([dueAfter(swept_at + AHEAD_MS), ...again, dayTurn(first, swept_at)])
}

/**
 * Returns when a sweep next sends items again that are overdue by a day: once a day, as soon as it reaches into a new
 * day.
 */
function dayTurn(first: number, swept_at: number): number {
  const day = Math.max(Math.floor((swept_at + AHEAD_MS) / DAY_MS) + 1, Math.ceil((first + AHEAD_MS) / DAY_MS) + 1)
  return day * DAY_MS - AHEAD_MS
}

/** Returns the earliest of the moments that are defined; undefined if there is none. */
export function earliestOf(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((moment) => moment !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

const parsed = (due_at: string | undefined): number | undefined =>
  due_at === undefined ? undefined : Date.parse(due_at)

const later = (moment: number | undefined, by: number): number | undefined =>
  moment === undefined ? undefined : moment + by
