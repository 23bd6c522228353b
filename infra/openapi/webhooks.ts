import { type EventType, event_types } from '#shared/domain/event.ts'
import { COMPONENTS, type Schema } from './json-schema.ts'
import type { RecordedEvent } from './recorded-examples.ts'

/** What has happened when an event of a type is emitted. */
const meanings: Readonly<Record<EventType, string>> = {
  ping: 'A webhook was created, or a ping was requested.',
  'payment.authorized':
    'A payment was authorized. A card can be captured now, and a cash payment waits for the customer.',
  'payment.captured': 'A payment was captured: the money is received.',
  'payment.updated': 'The description, the order number or the metadata of a payment was changed, or a refund request.',
  'payment.expired': 'A payment was not paid before its deadline.',
  'payment.cancelled': 'A payment was cancelled before it was paid.',
  'payment.refund.created': 'A part of a payment was refunded, or all of it.',
  'payment.refunded': 'A payment was refunded in full.',
  'payment.failed': 'A payment was declined or could not be processed.',
  'payment.marked.as.fraud': 'A payment was refused as suspected fraud.',
  'customer.created': 'A customer was created.',
  'customer.updated': 'A customer was changed.',
  'customer.deleted': 'A customer was deleted.',
  'subscription.created': 'A subscription was created.',
  'subscription.captured': 'An interval of a subscription was paid.',
  'subscription.failed': 'The payment of an interval failed. It is tried again after a day.',
  'subscription.suspended': 'A subscription was suspended, because its payments failed too often.',
  'subscription.deleted': 'A subscription was ended.',
  'settlement.created': 'The settlement of a week was created.',
}

const signed = 'Present if the webhook has a secret.'

/** The headers of a delivery, as parameters that the webhooks refer to. */
export const delivery_headers = {
  DeliveryId: headerOf(
    'X-Service-ID',
    'The id of the delivery. It stays the same in all retries and redeliveries.',
    true,
    'dlv_01q4hk4310f46v206t89rhpj23jkh8jk01nj9pvy8p',
  ),
  DeliveryEvent: headerOf('X-Service-Event', 'The type of the event.', true, 'payment.captured'),
  DeliverySequence: headerOf(
    'X-Service-Sequence',
    'The version of the resource. A greater number is a later state of the resource.',
    true,
    '2',
  ),
  DeliverySignature: headerOf(
    'X-Service-Signature',
    `The hexadecimal HMAC-SHA256 of the raw body, with the current secret as its key. ${signed}`,
    false,
    'a3f1c9d0…',
  ),
  StandardWebhookId: headerOf(
    'webhook-id',
    `The id of the delivery, as Standard Webhooks names it. ${signed}`,
    false,
    'dlv_01q4hk4310f46v206t89rhpj23jkh8jk01nj9pvy8p',
  ),
  StandardWebhookTimestamp: headerOf(
    'webhook-timestamp',
    `The time of the attempt in seconds since 1970. ${signed}`,
    false,
    '1894671060',
  ),
  StandardWebhookSignature: headerOf(
    'webhook-signature',
    `The signatures by Standard Webhooks, one for each valid secret, separated by spaces. ${signed}`,
    false,
    'v1,q8Yh…',
  ),
} as const

function headerOf(name: string, description: string, required: boolean, example: string) {
  return { name, in: 'header', required, description, schema: { type: 'string' }, example }
}

/** Returns one webhook for each type of event, with the schema of its body and one recorded body. */
export function webhooksOf(events: readonly RecordedEvent[]) {
  return Object.fromEntries(
    event_types.map((type) => {
      const recorded = events.find((event) => event.type === type)
      return [
        type,
        {
          post: {
            operationId: `event-${type.replaceAll('.', '-')}`,
            summary: meanings[type],
            description: `${meanings[type]} The body is the event, and its \`data\` is the ${resourceOf(type).toLowerCase()}.`,
            tags: ['webhooks'],
            security: [],
            parameters: Object.keys(delivery_headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: bodyOf(type),
                  ...(recorded && { examples: { [type]: { summary: meanings[type], value: recorded } } }),
                },
              },
            },
            responses: {
              '2XX': { description: 'The event is delivered. Respond before your own work, within the timeout.' },
              default: { description: 'The delivery failed. It is tried again, up to 25 times in 25 days.' },
            },
          },
        },
      ]
    }),
  )
}

const resources: Readonly<Record<string, string>> = {
  ping: 'Webhook',
  payment: 'Payment',
  customer: 'Customer',
  subscription: 'Subscription',
  settlement: 'Settlement',
}
const resourceOf = (type: EventType): string => resources[type.split('.')[0]!]!

/** The body of a delivery: an event about a resource, of one type. */
const bodyOf = (type: EventType): Schema => ({
  $ref: `${COMPONENTS}${type === 'ping' ? 'Ping' : resourceOf(type)}Event`,
  properties: { type: { type: 'string', const: type } },
})
