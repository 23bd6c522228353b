import * as v from 'valibot'
import { event_list_types, type Webhook } from '#shared/domain/webhook.ts'
import { described, resourceName, shown_timestamp, shownId } from './answer-fields.ts'
import { boolean, clearable, integer, moment, oneOf, optional, url, withDefault } from './fields.ts'
import { list_fields } from './list.ts'
import { viewOf } from './view.ts'
import { webhook_secret } from './webhook-secret.ts'

/** How long the previous secret can stay valid: at most 30 days. */
const GRACE_SECONDS_MAX = 30 * 86_400

/** How long the previous secret stays valid by default: a day. */
const GRACE_SECONDS = 86_400

const event_list = v.pipe(
  v.unknown(),
  v.transform((input) => (typeof input === 'string' ? input.split(',').map((word) => word.trim()) : input)),
  v.array(oneOf(event_list_types), 'must be an array of events, such as payment.captured'),
  v.minLength(1, 'must name at least one event'),
  v.transform((events) => [...new Set(events)]),
)

const secret_token = webhook_secret

/** The parameters that create a webhook. */
export const CreateWebhook = v.object({
  url: v.pipe(
    url,
    v.description('The address that receives the deliveries. It must be public, and in live mode it must be https.'),
  ),
  event_list: v.pipe(event_list, v.description('The types of the events that are delivered.')),
  active: v.pipe(
    withDefault(boolean, true),
    v.description('Whether events are delivered. An inactive webhook receives only pings.'),
  ),
  secret_token: v.pipe(
    optional(secret_token),
    v.description('The secret that signs the deliveries. Without it, they are not signed. It is never returned.'),
  ),
})
export type CreateWebhook = v.InferOutput<typeof CreateWebhook>

/**
 * The fields of a webhook that a PATCH changes. An undefined field stays unchanged. A secret that is null is removed.
 */
export const UpdateWebhook = v.object({
  url: v.pipe(
    v.optional(url),
    v.description(
      'The new address that receives the deliveries. It must be public, and in live mode it must be https.',
    ),
  ),
  event_list: v.pipe(v.optional(event_list), v.description('The types of the events that are delivered from now on.')),
  active: v.pipe(
    v.optional(boolean),
    v.description('Whether events are delivered. An inactive webhook receives only pings.'),
  ),
  secret_token: v.pipe(
    clearable(secret_token),
    v.description(
      'The new secret that signs the deliveries. Null removes the secret. To change it without a break, use `rotate`.',
    ),
  ),
})
export type UpdateWebhook = v.InferOutput<typeof UpdateWebhook>

/** A new secret, and how long deliveries are also signed with the previous secret. */
export const RotateSecret = v.object({
  secret_token: v.pipe(secret_token, v.description('The new secret that signs the deliveries. It is never returned.')),
  grace_seconds: v.pipe(
    withDefault(integer(0, GRACE_SECONDS_MAX), GRACE_SECONDS),
    v.description(
      'The number of seconds for which `webhook-signature` is also made with the previous secret, at most 30 days.',
    ),
  ),
})
export type RotateSecret = v.InferOutput<typeof RotateSecret>

/** The parameters of a recovery. `since` is the time of the earliest failures to recover, in epoch milliseconds. */
export const RecoverWebhook = v.object({
  since: v.pipe(
    moment,
    v.description('The time of the earliest failures to recover, which must not be in the future.'),
  ),
})
export type RecoverWebhook = v.InferOutput<typeof RecoverWebhook>

/** The filters of a list of webhooks. */
export const ListWebhooks = v.object(list_fields)
export type ListWebhooks = v.InferOutput<typeof ListWebhooks>

/** A webhook as a merchant sees it, in a response and in the `data` of a ping. */
export const WebhookResource = described(
  v.strictObject({
    id: described(shownId('webhook'), 'Id of the webhook.'),
    resource: resourceName('webhook'),
    url: described(v.string(), 'URL to which events are delivered.'),
    active: described(v.boolean(), 'Whether events are delivered. An inactive webhook gets only `ping`.'),
    event_list: described(v.array(v.picklist(event_list_types)), 'The types of the events that are delivered.'),
    created_at: described(shown_timestamp, 'Time at which the webhook was created, in UTC.'),
  }),
  'A webhook: a URL to which events are delivered.',
)
export type WebhookResource = v.InferOutput<typeof WebhookResource>

/** Shows a webhook, without its secret. */
export const webhook = viewOf(
  WebhookResource,
  ({ id, url, active, event_list, created_at }: Webhook): WebhookResource => ({
    id,
    resource: 'webhook',
    url,
    active,
    event_list: [...event_list],
    created_at,
  }),
)
