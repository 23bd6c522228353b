import { createHash } from 'node:crypto'
import { type Delivery, type DeliveryAttempt, type DeliveryStatus, deliveryDue } from '#shared/domain/delivery.ts'
import { bornAt, letters, prefixes } from '#shared/domain/ids.ts'
import { deliveryAttemptKey, listPk, RECEIVER_LETTERS, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import type { List } from './list-keys.ts'
import { bornBetween } from './list-page.ts'

/** Deliveries, in a list of all of them, in one per webhook and in one per payment. */
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
  due_kind: 'delivery',
}

/** The attempts of deliveries, each beneath its own. */
export const deliveryAttempts: Kind<DeliveryAttempt> = {
  name: 'delivery_attempt',
  key: (merchant, { delivery, number }) => deliveryAttemptKey(merchant, delivery, number),
}

/**
 * The id of the delivery of an event to a receiver: derived from both, so that a delivery that is made twice is one. It
 * begins like the event's, so that the deliveries of an event stand together; its end tells the receiver.
 */
export function deliveryId(event: string, receiver: string): string {
  const hash = createHash('sha256').update(receiver).digest()
  return beginningOf(event) + letters(hash.subarray(0, RECEIVER_LETTERS))
}

const beginningOf = (event: string): string => prefixes.delivery + event.slice(prefixes.event.length)

/** A payment has few deliveries, a merchant and a webhook have any number. */
export const deliveryList = (
  merchant: string,
  filter?: { readonly by: 'webhook' | 'payment'; readonly value: string },
) => ({
  pk: listPk('delivery', merchant, filter),
  prefix: prefixes.delivery,
  counted: filter?.by !== 'payment',
})

/** What a list of deliveries can be narrowed to. Times are epoch milliseconds. */
export interface DeliveryFilter {
  readonly event?: string
  readonly webhook?: string
  readonly payment?: string
  readonly status?: readonly DeliveryStatus[]
  readonly start_time?: number
  readonly end_time?: number
}

/** The shortest list that holds what the filter leaves, which of its entries that is, and the times still to be looked at. */
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

/** The stretch of the list that holds an event's deliveries; a list that holds none for one outside of the times, or none at all. */
function listOfEvent(merchant: string, event: string, { start_time, end_time }: DeliveryFilter): List {
  const { born_from = 0, born_before = Number.POSITIVE_INFINITY } = bornBetween(start_time, end_time)
  const isWithin = EVENT_ID.test(event) && bornAt(event) >= born_from && bornAt(event) < born_before
  const { pk, prefix } = deliveryList(merchant)
  return { pk: isWithin ? pk : `${pk}#none`, prefix: isWithin ? beginningOf(event) : prefix, counted: false }
}

const EVENT_ID = /^evt_[0-9a-z]{26}$/
