import type { Event } from '#shared/domain/event.ts'
import type { Movement } from '#shared/domain/movement.ts'
import {
  nextWeek,
  SETTLED_AFTER_MS,
  type Settlement,
  type Settling,
  type Sums,
  settleAt,
  weekStart,
  withMovement,
} from '#shared/domain/settlement.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Message } from '#shared/platform/ports.ts'
import { changed, removed } from '#shared/store/change.ts'
import { settlingKey } from '#shared/store/keys.ts'
import { attributesOf } from '#shared/store/kind.ts'
import { movementsBetween } from '#shared/store/movements.ts'
import { settlementId, settlements, settlings } from '#shared/store/settlements.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** The types of events that report a movement of money. */
const money_events: ReadonlySet<string> = new Set(['payment.captured', 'payment.refund.created'])

/** Schedules the settlement of the week in which an event moved money. A second call for an event changes nothing. */
export async function scheduleSettlement(
  work: UnitOfWork,
  { created_at, type }: Pick<Event, 'created_at' | 'type'>,
): Promise<void> {
  if (!money_events.has(type)) return
  // An event is never dated before its movement. A clock that is ahead may date the event into the following week, so
  // an event in the first ten minutes of a week schedules the week before as well.
  const at = Date.parse(created_at)
  const [from, to] = [weekStart(at - SETTLED_AFTER_MS), weekStart(at)]
  const before = await work.at(settlings, settlingKey(work.merchant))
  const last = Math.max(before?.last ?? to, to)
  if (before && before.last >= to && before.first <= from) return
  const first = Math.min(before?.first ?? from, from)
  await work.commit([changed(settlings, { id: work.merchant, version: before?.version ?? 0, first, last })])
}

/** The most settlements, one per currency, that fit into one transaction with their events and list entries. */
const AT_A_TIME = 15

/**
 * Settles the earliest unsettled week of a merchant, with one settlement per currency in which money moved. Settlements
 * that exist already are skipped. A message with an outdated due time is dropped.
 */
export async function settleWeek(work: UnitOfWork, { pk, sk, due_at }: Message): Promise<void> {
  const settling = await work.at(settlings, { pk, sk })
  if (!settling || settleAt(settling.first) !== due_at || Date.parse(due_at) > work.now()) return
  const made = await withoutKnown(work, await settlementsOf(work, settling.first))
  do {
    const some = made.splice(0, AT_A_TIME).map((settlement) => changed(settlements, settlement, ['settlement.created']))
    await work.commit(made.length > 0 ? some : [...some, scheduleNextWeek(settling)])
  } while (made.length > 0)
}

/** Returns the change that schedules the next week, or removes the schedule if the settled week was the last one. */
function scheduleNextWeek(settling: Settling) {
  if (settling.first === settling.last) return removed(settlings, settling)
  return changed(settlings, { ...settling, first: nextWeek(settling.first) })
}

async function settlementsOf(work: UnitOfWork, week: number): Promise<Settlement[]> {
  const sums = await sumsOf(work, week)
  return [...sums].map(([currency, sum]) => ({
    ...sum,
    id: settlementId(work.merchant, week, currency),
    version: 0,
    currency,
    period_start: timestamp(week),
    period_end: timestamp(nextWeek(week)),
    created_at: timestamp(work.now()),
  }))
}

async function sumsOf(work: UnitOfWork, week: number): Promise<Map<string, Sums>> {
  const range = movementsBetween(work.merchant, week, nextWeek(week))
  const sums = new Map<string, Sums>()
  let after: string | undefined
  do {
    const page = await work.platform.table.query({ ...range, after })
    for (const item of page.items) {
      const movement = attributesOf<Movement>(item)
      sums.set(movement.currency, withMovement(sums.get(movement.currency), movement))
    }
    after = page.next
  } while (after !== undefined)
  return sums
}

async function withoutKnown(work: UnitOfWork, all: readonly Settlement[]): Promise<Settlement[]> {
  const known = await Promise.all(all.map(({ id }) => work.find(settlements, id)))
  return all.filter((_, index) => !known[index])
}
