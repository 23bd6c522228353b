import { event_list_types } from '#shared/domain/webhook.ts'
import { idOf, type ScenarioStep, SHOP } from './example-step.ts'

const url = `${SHOP}/webhooks`

/** The first step of the scenario: a webhook that gets every event. */
export const webhook_steps: readonly ScenarioStep[] = [
  {
    name: 'create_webhook',
    route: 'POST /webhooks',
    summary: 'Get every event',
    request: () => ({
      content: { url, event_list: event_list_types, secret_token: 'whsec_dGVhLWxlYXZlcy1hbmQtaG90LXdhdGVy' },
    }),
  },
]

const of_webhook = (known: Parameters<ReturnType<typeof idOf>>[0]) => idOf('create_webhook')(known)

/** Events, deliveries and the administration of webhooks, after payments have emitted events. */
export const delivery_steps: readonly ScenarioStep[] = [
  {
    name: 'list_events',
    route: 'GET /events',
    summary: 'The two newest captures of payments',
    request: () => ({ content: { type: 'payment.captured', per_page: 2 } }),
  },
  {
    name: 'show_event',
    route: 'GET /events/:id',
    summary: 'Show an event',
    request: ({ list_events }) => ({ params: { id: list_events.data[0].id } }),
  },
  {
    name: 'list_deliveries',
    route: 'GET /deliveries',
    summary: 'The deliveries about a payment',
    request: ({ capture }) => ({ content: { payment: capture.id, per_page: 2 } }),
  },
  {
    name: 'show_delivery',
    route: 'GET /deliveries/:id',
    summary: 'Show a delivery with its attempts',
    request: ({ list_deliveries }) => ({ params: { id: list_deliveries.data[0].id } }),
  },
  {
    name: 'redeliver',
    route: 'POST /deliveries/:id/redeliver',
    summary: 'Deliver an event again',
    request: ({ list_deliveries }) => ({ params: { id: list_deliveries.data[0].id } }),
  },
  { name: 'show_webhook', route: 'GET /webhooks/:id', summary: 'Show a webhook', request: of_webhook },
  { name: 'list_webhooks', route: 'GET /webhooks', summary: 'List the webhooks' },
  {
    name: 'update_webhook',
    route: 'PATCH /webhooks/:id',
    summary: 'Get only the events about captures and refunds',
    request: (known) => ({
      ...of_webhook(known),
      content: { event_list: ['payment.captured', 'payment.refund.created', 'payment.refunded'] },
    }),
  },
  { name: 'ping', route: 'POST /webhooks/:id/ping', summary: 'Send a ping', request: of_webhook },
  {
    name: 'rotate',
    route: 'POST /webhooks/:id/rotate',
    summary: 'Sign with a new secret, and for an hour also with the previous one',
    request: (known) => ({
      ...of_webhook(known),
      content: { secret_token: 'whsec_bmV3LWxlYXZlcy1hbmQtaG90LXdhdGVy', grace_seconds: 3600 },
    }),
  },
  {
    name: 'recover',
    route: 'POST /webhooks/:id/recover',
    summary: 'Deliver again what has failed since the start of a day',
    request: (known) => ({ ...of_webhook(known), content: { since: '2030-01-20T00:00:00Z' } }),
  },
  { name: 'delete_webhook', route: 'DELETE /webhooks/:id', summary: 'Delete a webhook', request: of_webhook },
  { name: 'list_settlements', route: 'GET /settlements', summary: 'List the settlements' },
  {
    name: 'show_settlement',
    route: 'GET /settlements/:id',
    summary: 'Show a settlement',
    request: ({ list_settlements }) => ({ params: { id: list_settlements.data[0].id } }),
  },
]
