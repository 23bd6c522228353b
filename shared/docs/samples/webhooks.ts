import type { Sample } from '../sample.ts'
import { requestSample } from './request-sample.ts'

/** Creates a webhook at `WEBHOOK_URL` with the secret `WEBHOOK_SECRET`. */
export const create_webhook: Sample = requestSample({
  method: 'POST',
  path: '/webhooks',
  body: {
    url: '$WEBHOOK_URL',
    event_list: ['payment.captured', 'payment.failed', 'payment.refund.created'],
    secret_token: '$WEBHOOK_SECRET',
  },
  result: 'webhook',
  prints: ['webhook.id', 'webhook.event_list'],
})

/** Makes a secret for a webhook and puts it into `WEBHOOK_SECRET`. */
export const make_secret: Sample = {
  shell: `export WEBHOOK_SECRET="whsec_$(openssl rand -base64 24)"
echo "$WEBHOOK_SECRET"`,
}

/** Sends a test event to the webhook `WEBHOOK`. */
export const ping_webhook: Sample = requestSample({
  method: 'POST',
  path: '/webhooks/$WEBHOOK/ping',
  result: 'webhook',
  prints: ['webhook.url'],
})

/** Lists the deliveries of the webhook `WEBHOOK` that have not arrived. */
export const list_deliveries: Sample = {
  shell: `curl "{base_url}/deliveries?webhook=$WEBHOOK&status=pending,failed" -u "$SECRET_KEY:"`,
  typescript: `const query = new URLSearchParams({ webhook: process.env.WEBHOOK!, status: 'pending,failed' })
const response = await fetch(\`{base_url}/deliveries?\${query}\`, {
  headers: { Authorization: \`Basic \${btoa(\`\${process.env.SECRET_KEY}:\`)}\` },
})
const list = await response.json()
if (!response.ok) throw new Error(list.error.message)
for (const delivery of list.data) {
  const last = delivery.attempts.at(-1)
  console.log(delivery.id, delivery.event_type, delivery.next_attempt_at, last?.status_code ?? last?.error)
}`,
}

/** Sends the delivery `DELIVERY` again. */
export const redeliver: Sample = requestSample({
  method: 'POST',
  path: '/deliveries/$DELIVERY/redeliver',
  result: 'delivery',
  prints: ['delivery.status', 'delivery.next_attempt_at'],
})

/** Sends everything again that the webhook `WEBHOOK` has missed since `SINCE`. */
export const recover_webhook: Sample = requestSample({
  method: 'POST',
  path: '/webhooks/$WEBHOOK/recover',
  body: { since: '$SINCE' },
  result: 'webhook',
  prints: ['webhook.id'],
})

/** Replaces the secret of the webhook `WEBHOOK` by `NEW_WEBHOOK_SECRET`. The old secret signs for a day more. */
export const rotate_secret: Sample = requestSample({
  method: 'POST',
  path: '/webhooks/$WEBHOOK/rotate',
  body: { secret_token: '$NEW_WEBHOOK_SECRET', grace_seconds: 86400 },
  result: 'webhook',
  prints: ['webhook.id'],
})

/** Creates a payment in a convenience store, with a webhook of its own at `WEBHOOK_URL`. */
export const payment_with_webhook: Sample = requestSample({
  method: 'POST',
  path: '/payments',
  body: {
    amount: 1000,
    currency: 'JPY',
    payment_details: { type: 'konbini', store: 'lawson', email: 'taro@example.com' },
    webhooks: [{ url: '$WEBHOOK_URL', events: ['payment.captured', 'payment.expired'], secret_key: '$WEBHOOK_SECRET' }],
  },
  result: 'payment',
  prints: ['payment.id', 'payment.status'],
})

/** Lists the events since `SINCE`, newest first, whether or not a webhook received them. */
export const list_events: Sample = {
  shell: `curl "{base_url}/events?start_time=$SINCE&per_page=100" -u "$SECRET_KEY:"`,
}
