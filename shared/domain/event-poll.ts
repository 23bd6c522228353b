import type { Provider } from './payment.ts'
import { timestamp } from './timestamp.ts'

/** How often the event list of a provider is read. */
const POLL_EVERY_MS = 600_000

/** How far a poll reads back before the newest event that the last poll saw. Events can appear late in the list. */
const OVERLAP_MS = 300_000

/**
 * How far the event list of a provider has been read. A list is read in pages, newest event first, and can take several
 * runs.
 */
export interface EventPoll {
  readonly version: number
  readonly provider: Provider
  /** When the newest event was created that a complete poll has seen. */
  readonly cursor: string
  /** The page with which the next run continues; null if the next run begins with the newest event. */
  readonly page: string | null
  /** When the newest event of the poll in progress was created; null if none is in progress. */
  readonly newest: string | null
  /** When the list is read next. */
  readonly poll_at: string
}

/** One page of the event list, as far as a poll needs it. */
export interface PolledPage {
  readonly events: readonly { readonly created_at: string }[]
  /** The next page; null behind the oldest event. */
  readonly next: string | null
}

/** Returns a poll that begins with the events of `from` (epoch milliseconds) and is due at `now`. */
export const newEventPoll = (provider: Provider, from: number, now: number): EventPoll => ({
  version: 0,
  provider,
  cursor: timestamp(from),
  page: null,
  newest: null,
  poll_at: timestamp(now),
})

/** Returns the time from which a poll reads events. */
export const polledFrom = ({ cursor }: EventPoll): string => timestamp(Date.parse(cursor) - OVERLAP_MS)

/** Returns a poll after a page was read. The cursor moves once the whole list was read. */
export function afterPage(poll: EventPoll, { events, next }: PolledPage): EventPoll {
  const newest = [poll.newest ?? poll.cursor, ...events.map(({ created_at }) => created_at)].sort().at(-1)!
  return next === null ? { ...poll, cursor: newest, page: null, newest: null } : { ...poll, page: next, newest }
}

/** Returns a poll after a run. A list that was not read to its end is continued at once, any other in ten minutes. */
export const scheduled = (poll: EventPoll, now: number, is_unread: boolean): EventPoll => ({
  ...poll,
  poll_at: timestamp(is_unread ? now : now + POLL_EVERY_MS),
})
