import {
  IDLE_LOOK_MS,
  looked,
  type Stop,
  stepOf,
  type TestClock,
  waitToList,
  withListing,
} from '#shared/domain/test-clock.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Message } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { type DueEntry, dueEntries } from '#shared/store/due-entries.ts'
import type { DueKind } from '#shared/store/keys.ts'
import { testClocks } from '#shared/store/test-clocks.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { listDueRecords } from './list-due-records.ts'
import { entryOf, queue_of, SOON_ON_TEST_CLOCK_MS } from './queue-messages.ts'

/** The most due records that are queued at one look, during an advance and without one. */
const QUEUED_MAX = 100
const QUEUED_IDLE_MAX = 1000

/** The kinds of records whose first due time is only a safeguard while the request that made them runs. */
const safeguards: ReadonlySet<DueKind> = new Set<DueKind>(['attempt', 'occurrence', 'file'])

/**
 * Looks at the test clock of a merchant. During an advance, it takes the next step and queues the merchant's work that
 * is due then, for the same workers as the sweep. Without an advance, it queues the work that falls due before the next
 * look, because the sweep goes by real time. A message with an outdated due time is dropped. A repeated look queues the
 * same work again, which its workers do once.
 */
export async function moveTestClock(work: UnitOfWork, { pk, sk, due_at }: Message): Promise<void> {
  const clock = await work.at(testClocks, { pk, sk })
  if (!clock || clock.next_look_at !== due_at) return
  const real_now = work.realNow()
  if (clock.target === null) {
    await queueDue(work, clock, real_now + clock.ahead_ms + IDLE_LOOK_MS)
    return work.commit([changed(testClocks, looked(clock, real_now))])
  }
  if (clock.listing) {
    const next = waitToList(clock, real_now) ?? withListing(clock, await listDueRecords(work, clock.listing), real_now)
    return work.commit([changed(testClocks, next)])
  }
  const next = stepOf(clock, await stopOf(work, clock, real_now), real_now)
  await work.commit([changed(testClocks, next)])
  // The workers must find the time of the new stop, so the step is committed before its work is queued. If this run
  // ends in between, the next look queues the work.
  await queueSome(work, next, await left(work, next, real_now))
}

/** What the clock of a merchant stops at. */
async function stopOf(work: UnitOfWork, clock: TestClock, real_now: number): Promise<Stop> {
  const now = timestamp(real_now + clock.ahead_ms)
  const [waiting, [next]] = await Promise.all([
    left(work, clock, real_now),
    dueEntries(work.platform.table, work.merchant, { after: now, limit: 1 }),
  ])
  return {
    has_work: waiting.length > 0,
    next_due_at: next?.due_at,
    is_in_progress: next !== undefined && safeguards.has(next.kind) && next.settles_at > real_now,
  }
}

/** The work that is due at the stop of a clock and for which the advance still waits. */
function left(work: UnitOfWork, { ahead_ms, given_up }: TestClock, real_now: number): Promise<DueEntry[]> {
  const until = timestamp(real_now + ahead_ms)
  return dueEntries(work.platform.table, work.merchant, { after: given_up ?? undefined, until, limit: QUEUED_MAX })
}

/** Queues all work of a merchant that is due by a time of its clock, also work that was queued before and was lost. */
async function queueDue(work: UnitOfWork, clock: TestClock, by: number): Promise<void> {
  const until = timestamp(by + (SOON_ON_TEST_CLOCK_MS - IDLE_LOOK_MS) / 2)
  await queueSome(work, clock, await dueEntries(work.platform.table, work.merchant, { until, limit: QUEUED_IDLE_MAX }))
}

async function queueSome({ platform }: UnitOfWork, { ahead_ms }: TestClock, some: readonly DueEntry[]): Promise<void> {
  const now = platform.clock.now() + ahead_ms
  const by_queue = Map.groupBy(some, ({ kind }) => queue_of[kind])
  await Promise.all(
    [...by_queue].map(([queue, entries]) =>
      platform.queues[queue].send(entries.map(({ kind, pk, sk, due_at }) => entryOf(kind, { pk, sk, due_at }, now))),
    ),
  )
}
