import type { Case, Check } from './checks.ts'

/** Every state of a record that a merchant is to hear of has its event, and no event is told twice. */
const recordsAreTold: Check = {
  name: 'versions have their events',
  violations(found) {
    const { id, of, record } = found
    const told = tellers[id.slice(0, 4)]
    if (!record || !told) return undefined
    const types: string[] = of('event').map(({ type }) => type)
    const count = (type: string) => types.filter((other) => other === type).length
    return Object.entries(told(found)).flatMap(([type, times]) =>
      count(type) === Number(times)
        ? []
        : [`${id} should have told ${type} ${Number(times)} times, not ${count(type)}`],
    )
  },
}

type Told = (found: Case) => Readonly<Record<string, boolean | number>>

const tellers: Readonly<Record<string, Told>> = {
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

/** An event tells of something that is there, of a version that it had, and once. */
const eventsAreTrue: Check = {
  name: 'events tell of what is there',
  violations({ id, of, record }) {
    const events = of('event').filter(({ about }) => about.id === id)
    if (events.length === 0) return undefined
    const may_be_gone = id.startsWith('whk_') || events.some(({ type }) => type === 'customer.deleted')
    const names = events.map(({ type, about }) => `${type} ${about.version}`)
    return [
      ...(record || may_be_gone ? [] : [`${events.length} events tell of ${id}, which is not there`]),
      ...events
        .filter(({ about }) => record && about.version > record.version)
        .map((event) => `${event.id} tells of a version of ${id} that is not there yet`),
      ...(new Set(names).size === names.length ? [] : [`the same was told of ${id} more than once`]),
    ]
  },
}

/** Who asked for an event has its delivery, or the event is still to be told. */
const eventsAreDelivered: Check = {
  name: 'events have their deliveries, or their outbox row',
  violations({ id, of, webhooks, record: event }) {
    if (!id.startsWith('evt_')) return undefined
    if (!event) return of('outbox').map(() => `${id} waits to be told and is not there`)
    if (of('outbox').length > 0) return []
    const told = of('delivery').map(({ webhook }) => webhook)
    // A webhook that was changed since may have asked for something else then.
    return webhooks
      .filter(({ version, active }) => version === 1 && active)
      .filter((webhook) => {
        if (event.type === 'ping') return event.about.id === webhook.id
        const asks = (webhook.event_list as readonly string[]).includes(event.type)
        return asks && birthOf(webhook.id as string) <= birthOf(id)
      })
      .filter((webhook) => !told.includes(webhook.id))
      .map((webhook) => `${webhook.id} was not told of ${id}`)
  },
}

/** The letters of an id that tell its birth, in the order of time. */
const birthOf = (id: string): string => id.slice(4, 14)

/** What is checked of events. */
export const eventChecks: readonly Check[] = [recordsAreTold, eventsAreTrue, eventsAreDelivered]
