import type { EventType } from '#shared/domain/event.ts'
import { creationTimeOf } from '#shared/domain/ids.ts'
import type { Attempt, Payment } from '#shared/domain/payment.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item, WholePlatform } from '#shared/platform/ports.ts'
import { workOn } from '#shared/scheduling/worker-batch.ts'
import { attempts } from '#shared/store/attempts.ts'
import { deliveries, deliveryAttempts, deliveryList } from '#shared/store/deliveries.ts'
import { eventList } from '#shared/store/events.ts'
import { itemsOf } from '#shared/store/items-of.ts'
import { recordOf } from '#shared/store/kind.ts'
import { entriesOf } from '#shared/store/list-keys.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { isEventAbout } from '#shared/store/writes-of-change.ts'

/** One thing that happened to a payment. */
export interface TimelineEntry {
  /** The time in epoch milliseconds. Times of records that store whole seconds are rounded down. */
  readonly at: number
  readonly what: string
}

/**
 * A summary of one payment, and everything that happened to the payment. A timeline contains no card number, no secret
 * and no customer address.
 */
export interface Timeline {
  readonly payment: Readonly<Record<string, string | number | null>>
  readonly entries: readonly TimelineEntry[]
}

/** Collects everything that happened to the payment that is stored in `item`, in order of time. */
export async function timelineOf(platform: WholePlatform, item: Item): Promise<Timeline> {
  const work = await workOn(platform, item)
  const payment = recordOf(payments, item)
  const parts = await Promise.all([
    eventsAbout(work, payment, Number(item.changed_at)),
    attemptsOf(work, item.pk),
    deliveriesOf(work, payment.id),
  ])
  const entries = parts.flat().toSorted((one, other) => one.at - other.at)
  return { payment: summaryOf(work, payment), entries }
}

function summaryOf({ merchant, mode }: UnitOfWork, payment: Payment): Timeline['payment'] {
  const { id, version, status, total, currency, amount_refunded, customer, session, occurrence } = payment
  const { created_at, payment_deadline, failure, in_flight } = payment
  return {
    ...{ id, merchant, mode, status, version, type: payment.payment_details.type, total, currency, amount_refunded },
    ...{ customer, session, subscription: occurrence?.subscription ?? null, created_at, payment_deadline, failure },
    in_flight: in_flight.map(({ operation, attempt }) => `${operation} ${attempt}`).join(', ') || null,
  }
}

/**
 * Returns the events of a payment. The id of an event is derived from its record, so the entries of the merchant's
 * event list identify the events of the payment, and no event is read.
 */
async function eventsAbout(work: UnitOfWork, { id, version }: Payment, changed_at: number): Promise<TimelineEntry[]> {
  const range = entriesOf(eventList(work.merchant), { from: creationTimeOf(id), to: changed_at + 1 })
  const found: TimelineEntry[] = []
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page = await work.platform.table.query({ ...range, after })
    for (const { sk, facet } of page.items) {
      const event = { id: sk, type: facet as EventType }
      if (isEventAbout(event, { kind: 'payment', id, version }))
        found.push({ at: creationTimeOf(sk), what: `event ${facet} ${sk}` })
    }
    after = page.next
  }
  return found
}

async function attemptsOf(work: UnitOfWork, pk: string): Promise<TimelineEntry[]> {
  const items = await itemsOf(work.platform.table, { pk, from: 'attempt#', to: 'attempt#~' })
  return items.map((item) => {
    const attempt = recordOf(attempts, item)
    const what = `${attempt.operation} ${attempt.number} of ${attempt.amount} sent as ${attempt.key}: ${outcomeOf(attempt)}`
    return { at: momentOf(attempt.sent_at, attempt.payment), what }
  })
}

function outcomeOf({ outcome, inquiries, inquire_at }: Attempt): string {
  if (outcome) return outcome.result === 'declined' ? `declined, ${outcome.code}` : outcome.result
  return `unknown after ${inquiries} inquiries, next ${inquire_at ?? 'by an operator'}`
}

async function deliveriesOf(work: UnitOfWork, payment: string): Promise<TimelineEntry[]> {
  const { table } = work.platform
  const entries = await itemsOf(table, { pk: deliveryList(work.merchant, { by: 'payment', value: payment }).pk })
  const lists = await Promise.all(entries.map(({ sk }) => deliveryOf(work, sk)))
  return lists.flat()
}

async function deliveryOf(work: UnitOfWork, id: string): Promise<TimelineEntry[]> {
  const delivery = await work.find(deliveries, id)
  if (!delivery) return []
  const { pk } = deliveries.key(work.merchant, delivery)
  const items = await itemsOf(work.platform.table, { pk, from: 'attempt#', to: 'attempt#~' })
  const to = delivery.webhook ?? `webhook ${delivery.entry} of the payment`
  const next = delivery.next_attempt_at ? `, next ${delivery.next_attempt_at}` : ''
  return [
    {
      at: creationTimeOf(id),
      what: `delivery of ${delivery.event_type} to ${to} ${id}: ${delivery.status}${next}`,
    },
    ...items.map((item) => {
      const { number, attempted_at, status_code, error, latency_ms } = recordOf(deliveryAttempts, item)
      const what = `attempt ${number + 1} of ${id}: ${status_code ?? error} in ${latency_ms} ms`
      return { at: momentOf(attempted_at, id), what }
    }),
  ]
}

/**
 * Returns a stored time in epoch milliseconds. Most times are rounded down to whole seconds when they are stored. A
 * time that is therefore before the creation of the record is replaced by the time of creation.
 */
const momentOf = (at: string, of: string): number => Math.max(Date.parse(at), creationTimeOf(of))

/** Formats an entry of a timeline as one line. */
export const lineOf = ({ at, what }: TimelineEntry): string => `${timestamp(at)}  ${what}`
