import { timestamp } from '#shared/domain/timestamp.ts'

/**
 * How far ahead a sweep looks. An item that falls due within this time is queued at once, with the remaining time as
 * delay. This time is less than a minute, so an item that is written during a sweep and falls due a minute later is
 * left to the next sweep. The next sweep finds the item even if the index lags.
 */
export const AHEAD_MS = 55_000

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * How long after its due time an item that is still due is queued again. Its message or its worker may have been lost.
 * After a day, such an item is queued again once a day.
 */
export const RESEND_AFTER_MS = [5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS)

/** A range of due times: `after` is exclusive, `until` is inclusive. */
export type Window = {
  readonly after: string
  readonly until: string
}

/** The position of a shard that was never swept. */
export const NEVER = 0

/**
 * The windows of a sweep at `now`, by the position of a shard. They are cached, because nearly all shards have the same
 * position.
 */
export function windowsAt(now: number): (from: number) => readonly Window[] {
  const known = new Map<number, readonly Window[]>()
  return (from) => {
    const windows = known.get(from) ?? windowsOf(from, now + AHEAD_MS)
    known.set(from, windows)
    return windows
  }
}

/**
 * The ranges of due times that a sweep reads: what is new since the previous sweep, and what has been overdue for some
 * time.
 */
function windowsOf(before: number, until: number): Window[] {
  if (before === NEVER) return [{ after: '', until: timestamp(until) }]
  // An item that is new to the sweep is queued once, however overdue it is.
  const overdue = (wait: number) => timestamp(Math.min(before, until - AHEAD_MS - wait))
  const again = RESEND_AFTER_MS.map((wait) => ({ after: timestamp(before - AHEAD_MS - wait), until: overdue(wait) }))
  const isNewDay = Math.floor(before / DAY_MS) < Math.floor(until / DAY_MS)
  const daily = isNewDay ? [{ after: '', until: overdue(DAY_MS) }] : []
  return [{ after: timestamp(before), until: timestamp(until) }, ...again, ...daily]
}
