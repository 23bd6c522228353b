import type { Case, Check } from './check.ts'

/** Each event that the state of a record requires is stored exactly once. */
const recordsHaveEvents: Check = {
  name: 'records have the events that their states require',
  violations(found) {
    const { id, of, record } = found
    const expected = expected_events[id.slice(0, 4)]
    if (!record || !expected) return undefined
    const types: string[] = of('event').map(({ type }) => type)
    const count = (type: string) => types.filter((other) => other === type).length
    return Object.entries(expected(found)).flatMap(([type, times]) =>
      count(type) === Number(times)
        ? []
        : [`${id} should have ${Number(times)} events of type ${type}, not ${count(type)}`],
    )
  },
}

type ExpectedEvents = (found: Case) => Readonly<Record<string, boolean | number>>

const expected_events: Readonly<Record<string, ExpectedEvents>> = {
  pay_: ({ record: { status, captured_at, refunds, failure } }) => {
    return {
      'payment.captured': captured_at !== null,
      'payment.refund.created': refunds.length,
      'payment.refunded': status === 'refunded',
      'payment.failed': status === 'failed',
      'payment.marked.as.fraud': failure === 'fraudulent',
      'payment.cancelled': status === 'cancelled',
      'payment.expired': status === 'expired',
      ...(status === 'authorized' && { 'payment.authorized': 1 }),
    }
  },
  sub_: ({ record: { status, payments } }) => ({
    'subscription.created': 1,
    'subscription.captured': payments.length,
    'subscription.deleted': status === 'deleted',
    ...(status === 'suspended' && { 'subscription.suspended': 1 }),
  }),
  cus_: ({ record: { version } }) => ({
    'customer.created': 1,
    'customer.updated': version - 1,
    'customer.deleted': 0,
  }),
  stl_: () => ({ 'settlement.created': 1 }),
}

/**
 * Each event is about an existing record and a version that the record has had. No two events of a record have the same
 * type and version. Webhooks and deleted customers no longer need to exist.
 */
const eventsHaveRecords: Check = {
  name: 'events are about records that exist',
  violations({ id, of, record }) {
    const events = of('event').filter(({ about }) => about.id === id)
    if (events.length === 0) return undefined
    const may_be_gone = id.startsWith('whk_') || events.some(({ type }) => type === 'customer.deleted')
    const names = events.map(({ type, about }) => `${type} ${about.version}`)
    return [
      ...(record || may_be_gone ? [] : [`${events.length} events are about ${id}, which does not exist`]),
      ...events
        .filter(({ about }) => record && about.version > record.version)
        .map((event) => `${event.id} is about a version of ${id} that does not exist yet`),
      ...(new Set(names).size === names.length ? [] : [`two events of ${id} have the same type and version`]),
    ]
  },
}

/**
 * Each webhook that subscribes to an event has a delivery of it, unless the outbox row of the event still exists. Each
 * outbox row has its event.
 */
const eventsAreDelivered: Check = {
  name: 'events have their deliveries or their outbox row',
  violations({ id, of, webhooks, record: event }) {
    if (!id.startsWith('evt_')) return undefined
    if (!event) return of('outbox').map(() => `there is an outbox row of ${id}, which does not exist`)
    if (of('outbox').length > 0) return []
    const delivered = of('delivery').map(({ webhook }) => webhook)
    // A webhook that has changed may have had another event list at the time of the event.
    return webhooks
      .filter(({ version, active }) => version === 1 && active)
      .filter((webhook) => {
        if (event.type === 'ping') return event.about.id === webhook.id
        const asks = (webhook.event_list as readonly string[]).includes(event.type)
        return asks && creationLettersOf(webhook.id as string) <= creationLettersOf(id)
      })
      .filter((webhook) => !delivered.includes(webhook.id))
      .map((webhook) => `${webhook.id} has no delivery of ${id}`)
  },
}

/** Returns the letters of an id that encode its creation time. Sorting these letters as text sorts them by time. */
const creationLettersOf = (id: string): string => id.slice(4, 14)

/** The invariants of events. */
export const eventChecks: readonly Check[] = [recordsHaveEvents, eventsHaveRecords, eventsAreDelivered]
