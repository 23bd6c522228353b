import { event_texts } from '#shared/docs/event-texts.ts'
import { type EventType, event_types } from '#shared/domain/event.ts'
import { COMPONENTS, type Schema } from './json-schema.ts'
import type { RecordedEvent } from './recorded-examples.ts'

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
            summary: summaryOf(type),
            description: `${event_texts[type].meaning} The body is the event, and its \`data\` is the ${resourceOf(type).toLowerCase()}.`,
            tags: ['webhooks'],
            security: [],
            parameters: Object.keys(delivery_headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: bodyOf(type),
                  ...(recorded && { examples: { [type]: { summary: summaryOf(type), value: recorded } } }),
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

/** The first sentence of the meaning of an event, without its full stop. */
const summaryOf = (type: EventType): string => event_texts[type].meaning.split(/\.(?: |$)/)[0]!

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
