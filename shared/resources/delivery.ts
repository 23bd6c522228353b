import * as v from 'valibot'
import { attempt_errors, type Delivery, type DeliveryAttempt, delivery_statuses } from '#shared/domain/delivery.ts'
import { event_types } from '#shared/domain/event.ts'
import { described, resourceName, shown_count, shown_timestamp, shownId } from './answer-fields.ts'
import { optional, someOf, text } from './fields.ts'
import { list_fields } from './list.ts'
import { viewOf } from './view.ts'

/** The filters of a list of deliveries. */
export const ListDeliveries = v.object({
  event: v.pipe(optional(text(255)), v.description('Lists only deliveries of the event with this id.')),
  webhook: v.pipe(optional(text(255)), v.description('Lists only deliveries to the webhook with this id.')),
  payment: v.pipe(
    optional(text(255)),
    v.description('Lists only deliveries of the events of the payment with this id.'),
  ),
  status: v.pipe(
    optional(someOf(delivery_statuses)),
    v.description('Lists only deliveries with this status, or with one of several statuses separated by commas.'),
  ),
  ...list_fields,
})
export type ListDeliveries = v.InferOutput<typeof ListDeliveries>

/** A delivery with its attempts, oldest first. */
export interface DeliveryWithAttempts {
  readonly delivery: Delivery
  readonly attempts: readonly DeliveryAttempt[]
}

/** One attempt of a delivery as a merchant sees it. */
export const DeliveryAttemptResource = described(
  v.strictObject({
    attempted_at: described(shown_timestamp, 'Time at which the attempt began, in UTC.'),
    status_code: described(
      v.nullable(shown_count),
      'HTTP status of the response. Every status from 200 to 299 is a success. Null if there was no response.',
    ),
    latency_ms: described(shown_count, 'How long the attempt took, in milliseconds.'),
    response_body: described(
      v.nullable(v.string()),
      'The first 1,024 bytes of the response body. Null if there was no response.',
    ),
    error: described(
      v.nullable(v.picklist(attempt_errors)),
      'Why the attempt got no response or was not made. Null if there was a response.',
    ),
    after_unrecorded: described(
      v.boolean(),
      'Whether an earlier attempt began and its result could not be recorded. The receiver may have got the event then.',
    ),
  }),
  'One attempt of a delivery.',
)

/** A delivery as a merchant sees it. */
export const DeliveryResource = described(
  v.strictObject({
    id: described(
      shownId('delivery'),
      'Id of the delivery. The header `X-Service-ID` of all its attempts and redeliveries has the same value.',
    ),
    resource: resourceName('delivery'),
    event: described(shownId('event'), 'Id of the delivered event.'),
    event_type: described(v.picklist(event_types), 'Type of the delivered event.'),
    webhook: described(
      v.nullable(shownId('webhook')),
      'Id of the webhook. Null for a webhook that was sent with a payment.',
    ),
    payment: described(v.nullable(shownId('payment')), 'Id of the payment that the event is about, or null.'),
    url: described(v.string(), 'URL to which the event is delivered.'),
    status: described(
      v.picklist(delivery_statuses),
      '`pending`: an attempt is scheduled or under way. `delivered`: the receiver responded with a status from 200 to 299. `failed`: no more attempts are made.',
    ),
    next_attempt_at: described(
      v.nullable(shown_timestamp),
      'Time at which the next attempt is due, in UTC. Null if no attempt is scheduled.',
    ),
    created_at: described(shown_timestamp, 'Time at which the delivery was created, in UTC.'),
    attempts: described(v.array(DeliveryAttemptResource), 'The last 100 attempts, oldest first.'),
  }),
  'The delivery of one event to one webhook.',
)
export type DeliveryResource = v.InferOutput<typeof DeliveryResource>

/** Shows a delivery with its attempts. */
export const delivery = viewOf(
  DeliveryResource,
  ({ delivery: record, attempts }: DeliveryWithAttempts): DeliveryResource => {
    const { id, event, event_type, webhook, payment, url, status, next_attempt_at, created_at } = record
    return {
      id,
      resource: 'delivery',
      event,
      event_type,
      webhook,
      payment,
      url,
      status,
      next_attempt_at,
      created_at,
      attempts: attempts.map(({ attempted_at, status_code, latency_ms, response_body, error, after_unrecorded }) => ({
        attempted_at,
        status_code,
        latency_ms,
        response_body,
        error,
        after_unrecorded: after_unrecorded ?? false,
      })),
    }
  },
)
