import * as v from 'valibot'
import { customer_events, type Event, event_types } from '#shared/domain/event.ts'
import { payment_events } from '#shared/domain/payment.ts'
import { subscription_events } from '#shared/domain/subscription.ts'
import { described, resourceName, shown_timestamp, shownId } from './answer-fields.ts'
import { CustomerResource } from './customer.ts'
import { optional, someOf } from './fields.ts'
import { list_fields } from './list.ts'
import { PaymentResource } from './payment.ts'
import { SettlementResource } from './settlement.ts'
import { shownEvent } from './shown-event.ts'
import { SubscriptionResource } from './subscription.ts'
import { viewOf } from './view.ts'
import { WebhookResource } from './webhook.ts'

/** The filters of a list of events. */
export const ListEvents = v.object({
  type: v.pipe(
    optional(someOf(event_types)),
    v.description('Lists only events of this type, or of one of several types separated by commas.'),
  ),
  ...list_fields,
})
export type ListEvents = v.InferOutput<typeof ListEvents>

/** The event types of one kind of resource, which `data` contains. */
const eventAbout = <const Type extends string, Data extends v.GenericSchema>(types: readonly Type[], data: Data) =>
  v.strictObject({
    id: described(shownId('event'), 'Id of the event, the same in the list of events and in every delivery.'),
    type: described(v.picklist(types), 'What happened.'),
    resource: resourceName('event'),
    data,
    created_at: described(shown_timestamp, 'Time of the event, in UTC.'),
  })

export const PaymentEventResource = eventAbout(payment_events, PaymentResource)
export const CustomerEventResource = eventAbout(customer_events, CustomerResource)
export const SubscriptionEventResource = eventAbout(subscription_events, SubscriptionResource)
export const SettlementEventResource = eventAbout(['settlement.created'], SettlementResource)
export const PingEventResource = eventAbout(['ping'], WebhookResource)

/** An event as a merchant sees it, in a response and in a delivery. */
export const EventResource = described(
  v.variant('type', [
    PingEventResource,
    PaymentEventResource,
    CustomerEventResource,
    SubscriptionEventResource,
    SettlementEventResource,
  ]),
  'Something that happened. `data` is the resource as it was at that moment, and `type` determines its kind.',
)
export type EventResource = v.InferOutput<typeof EventResource>

/** Shows an event. Its data was stored as the resource that its type determines. */
export const event = viewOf(EventResource, (record: Event) => shownEvent(record) as EventResource)
