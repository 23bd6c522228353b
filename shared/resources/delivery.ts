import * as v from 'valibot'
import { type Delivery, type DeliveryAttempt, delivery_statuses } from '#shared/domain/delivery.ts'
import { optional, someOf, text } from './fields.ts'
import { list_fields } from './list.ts'

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

/** A delivery as a merchant sees it. */
export function delivery({ delivery: record, attempts }: DeliveryWithAttempts) {
  const { id, event, event_type, webhook, payment, url, status, next_attempt_at, created_at } = record
  return {
    id,
    resource: 'delivery' as const,
    event,
    event_type,
    webhook,
    payment,
    url,
    status,
    next_attempt_at,
    created_at,
    attempts: attempts.map(({ attempted_at, status_code, latency_ms, response_body, error }) => ({
      attempted_at,
      status_code,
      latency_ms,
      response_body,
      error,
    })),
  }
}
