import { createHash } from 'node:crypto'
import {
  attemptDue,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryStatus,
  deliveryDue,
} from '#shared/domain/delivery.ts'
import { creationTimeOf, letters, prefixes } from '#shared/domain/ids.ts'
import { deliveryAttemptKey, listPk, RECEIVER_LETTERS, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import type { List } from './list-keys.ts'
import { createdBetween } from './list-page.ts'

/** Deliveries, with a list of all of them, a list per webhook and a list per payment. */
export const deliveries: Kind<Delivery> = {
  name: 'delivery',
  key: (merchant, { id }) => recordKey('delivery', merchant, id),
  entries(merchant, { id, status, webhook, payment }) {
    const facet = [status, webhook ?? '', payment ?? ''].join('/')
    return [
      { list: deliveryList(merchant), id, facet },
      ...(webhook ? [{ list: deliveryList(merchant, { by: 'webhook', value: webhook }), id, facet }] : []),
      ...(payment ? [{ list: deliveryList(merchant, { by: 'payment', value: payment }), id, facet }] : []),
    ]
  },
  due: deliveryDue,
  due_by_clock: attemptDue,
  due_kind: 'delivery',
}

/** The attempts of deliveries, stored under their delivery. */
export const deliveryAttempts: Kind<DeliveryAttempt> = {
  name: 'delivery_attempt',
  key: (merchant, { delivery, number }) => deliveryAttemptKey(merchant, delivery, number),
}

/**
 * The id of the delivery of an event to a receiver. It is derived from both, so a repeated fan-out creates no second
 * delivery. It begins like the id of the event, so the deliveries of an event are adjacent in a list. Its end
 * identifies the receiver.
 */
export function deliveryId(event: string, receiver: string): string {
  const hash = createHash('sha256').update(receiver).digest()
  return beginningOf(event) + letters(hash.subarray(0, RECEIVER_LETTERS))
}

const beginningOf = (event: string): string => prefixes.delivery + event.slice(prefixes.event.length)

/**
 * The list of all deliveries, or of those of a webhook or payment. A payment has few deliveries, so its list is not
 * counted. The list of a webhook is counted in the lanes of the list of all deliveries, so a fan-out to many webhooks
 * writes one lane.
 */
export const deliveryList = (
  merchant: string,
  filter?: { readonly by: 'webhook' | 'payment'; readonly value: string },
): List => ({
  pk: listPk('delivery', merchant, filter),
  prefix: prefixes.delivery,
  counted: filter?.by !== 'payment',
  lanes: { pk: listPk('delivery', merchant), name: filter?.value ?? '' },
})

/** The filters of a list of deliveries. Times are epoch milliseconds. */
export interface DeliveryFilter {
  readonly event?: string
  readonly webhook?: string
  readonly payment?: string
  readonly status?: readonly DeliveryStatus[]
  readonly start_time?: number
  readonly end_time?: number
}

/**
 * The shortest list that contains all matching deliveries, a check of the facets of its entries, and the times that
 * remain to be filtered.
 */
export function deliveriesBy(merchant: string, filter: DeliveryFilter) {
  const { event, webhook, payment, status, start_time, end_time } = filter
  const accepts = (facet: string): boolean => {
    const [of_status, of_webhook, of_payment] = facet.split('/')
    return (
      (!status || status.some((one) => one === of_status)) &&
      (!webhook || webhook === of_webhook) &&
      (!payment || payment === of_payment)
    )
  }
  const filtered = status || (event && (webhook || payment)) || (webhook && payment)
  return {
    list: event ? listOfEvent(merchant, event, filter) : listBy(merchant, filter),
    accepts: filtered ? accepts : undefined,
    times: event ? {} : { start_time, end_time },
  }
}

function listBy(merchant: string, { webhook, payment }: DeliveryFilter): List {
  if (payment) return deliveryList(merchant, { by: 'payment', value: payment })
  return deliveryList(merchant, webhook ? { by: 'webhook', value: webhook } : undefined)
}

/**
 * The part of the list that holds the deliveries of an event. If the event is outside the times or its id is invalid,
 * the result is a list without entries.
 */
function listOfEvent(merchant: string, event: string, { start_time, end_time }: DeliveryFilter): List {
  const { created_from = 0, created_before = Number.POSITIVE_INFINITY } = createdBetween(start_time, end_time)
  const isWithin =
    EVENT_ID.test(event) && creationTimeOf(event) >= created_from && creationTimeOf(event) < created_before
  const { pk, prefix } = deliveryList(merchant)
  return { pk: isWithin ? pk : `${pk}#none`, prefix: isWithin ? beginningOf(event) : prefix, counted: false }
}

const EVENT_ID = /^evt_[0-9a-z]{26}$/
