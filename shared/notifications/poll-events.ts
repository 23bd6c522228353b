import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { EventReference, Reports } from '#shared/acquirer/reports.ts'
import { afterPage, type EventPoll, newEventPoll, polledFrom, scheduled } from '#shared/domain/event-poll.ts'
import type { Provider } from '#shared/domain/payment.ts'
import { type Message, type Platform, PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { eventPolls } from '#shared/store/event-polls.ts'
import { notificationKey } from '#shared/store/keys.ts'
import { serviceWork } from '#shared/store/service-work.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { storeNotification } from './store-notification.ts'

/** How long the provider may take to list one page of events, in milliseconds. */
const PAGE_WITHIN_MS = 10_000

/** How long a run reads pages, in milliseconds. Its last page can take as long as a page may take. */
const RUN_MS = 20_000

/**
 * Begins to poll the event list of a provider, from now on. Does nothing if the list is already polled. On a local run
 * whose clock was advanced, the provider still goes by real time.
 */
export async function startPolling(platform: Platform, provider: Provider): Promise<void> {
  const { clock } = platform
  const from = Math.min(clock.now(), clock.realNow?.() ?? clock.now())
  try {
    await serviceWork(platform).commit([changed(eventPolls, newEventPoll(provider, from, clock.now()))])
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error
  }
}

/**
 * Reads the event list of a provider since the last poll, and stores the events that never arrived as notifications. So
 * a lost notification delays its payment by ten minutes. The list is read page by page, and a long list in several
 * runs. While the provider does not respond, the cursor stays. A message with an outdated due time is dropped.
 */
export async function pollEvents(work: UnitOfWork, { pk, sk, due_at }: Message, reports: Reports): Promise<void> {
  const stored = await work.at(eventPolls, { pk, sk })
  if (!stored || stored.poll_at !== due_at) return
  let poll = stored
  let page = await pageOf(reports, poll)
  while (page) {
    await storeMissing(work, poll.provider, page.events)
    poll = afterPage(poll, page)
    if (page.next === null || work.now() >= work.began_at + RUN_MS) break
    page = await pageOf(reports, poll)
  }
  const is_unread = page !== undefined && page.next !== null
  await work.commit([changed(eventPolls, scheduled(poll, work.now(), is_unread))])
}

/** Returns the next page of a poll; undefined if the provider does not respond. */
async function pageOf(reports: Reports, poll: EventPoll) {
  try {
    return await reports.since(polledFrom(poll), poll.page, PAGE_WITHIN_MS)
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof PlatformUnavailable) return undefined
    throw error
  }
}

/** Stores the events that are not stored yet, with one read for all events of a page. */
async function storeMissing(work: UnitOfWork, provider: Provider, events: readonly EventReference[]): Promise<void> {
  if (events.length === 0) return
  const rows = await work.platform.table.get(events.map(({ id }) => notificationKey(provider, id)))
  for (const [index, event] of events.entries())
    if (!rows[index]) await storeNotification(serviceWork(work.platform), provider, event)
}
