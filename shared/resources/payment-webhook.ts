import * as v from 'valibot'
import { payment_events } from '#shared/domain/payment.ts'
import { oneOf, optional, url } from './fields.ts'
import { webhook_secret } from './webhook-secret.ts'

/** A webhook of one payment: its URL, its events, and the secret that signs its deliveries. */
export const payment_webhook = v.object(
  {
    url,
    events: v.pipe(
      v.array(oneOf(payment_events), 'must be an array of events, such as payment.captured'),
      v.minLength(1, 'must name at least one event'),
      v.transform((events) => [...new Set(events)]),
    ),
    secret_key: optional(webhook_secret),
  },
  'must be an object',
)

/** The webhooks of one payment, at most 10. */
export const payment_webhooks = v.pipe(
  v.array(payment_webhook, 'must be an array'),
  v.maxLength(10, 'must have at most 10 entries'),
)
