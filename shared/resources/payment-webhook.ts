import * as v from 'valibot'
import { payment_events } from '#shared/domain/payment.ts'
import { oneOf, optional, url } from './fields.ts'
import { webhook_secret } from './webhook-secret.ts'

/** A webhook of one payment: its URL, its events, and the secret that signs its deliveries. */
export const payment_webhook = v.object(
  {
    url: v.pipe(
      url,
      v.description('The address that receives the deliveries. It must be public, and in live mode it must be https.'),
    ),
    events: v.pipe(
      v.array(oneOf(payment_events), 'must be an array of events, such as payment.captured'),
      v.minLength(1, 'must name at least one event'),
      v.transform((events) => [...new Set(events)]),
      v.description('The types of the events of this payment that are delivered.'),
    ),
    secret_key: v.pipe(
      optional(webhook_secret),
      v.description('The secret that signs the deliveries. Without it, they are not signed. It is never returned.'),
    ),
  },
  'must be an object',
)

/** The webhooks of one payment, at most 10. */
export const payment_webhooks = v.pipe(
  v.array(payment_webhook, 'must be an array'),
  v.maxLength(10, 'must have at most 10 entries'),
)
