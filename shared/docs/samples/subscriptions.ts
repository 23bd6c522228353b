import type { Sample } from '../sample.ts'
import { requestSample } from './request-sample.ts'

/**
 * Makes a token for a card that pays its first charge and is declined afterwards. In production, the customer's browser
 * sends this request, with the card that the customer types.
 */
export const create_token: Sample = requestSample({
  method: 'POST',
  path: '/tokens',
  key: 'PUBLISHABLE_KEY',
  body: {
    payment_details: {
      type: 'credit_card',
      number: '4123111111112008',
      month: 12,
      year: 2035,
      verification_value: '123',
      name: 'Taro Yamada',
    },
  },
  result: 'token',
  prints: ['token.id'],
})

/** Stores the card of the token `TOKEN` on a new customer. */
export const create_customer: Sample = requestSample({
  method: 'POST',
  path: '/customers',
  body: { payment_details: '$TOKEN', email: 'taro@example.com' },
  result: 'customer',
  prints: ['customer.id', 'customer.source.last_four_digits'],
})

/** Subscribes the customer `CUSTOMER` for 10.50 dollars a week. */
export const create_subscription: Sample = requestSample({
  method: 'POST',
  path: '/subscriptions',
  body: { customer: '$CUSTOMER', amount: '10.50', currency: 'USD', period: 'weekly' },
  result: 'subscription',
  prints: ['subscription.id', 'subscription.status', 'subscription.next_capture_at'],
})

/** Shows why the last renewal of the subscription `SUBSCRIPTION` failed. */
export const show_subscription: Sample = requestSample({
  method: 'GET',
  path: '/subscriptions/$SUBSCRIPTION',
  result: 'subscription',
  prints: ['subscription.status', 'subscription.retry_count', 'subscription.last_failure?.code'],
})

/** Lists the failed payments of the subscription `SUBSCRIPTION`. */
export const list_failed_payments: Sample = {
  shell: `curl "{base_url}/payments?subscription=$SUBSCRIPTION&status=failed" -u "$SECRET_KEY:"`,
  typescript: `const query = new URLSearchParams({ subscription: process.env.SUBSCRIPTION!, status: 'failed' })
const response = await fetch(\`{base_url}/payments?\${query}\`, {
  headers: { Authorization: \`Basic \${btoa(\`\${process.env.SECRET_KEY}:\`)}\` },
})
const list = await response.json()
if (!response.ok) throw new Error(list.error.message)
for (const payment of list.data) console.log(payment.amount, payment.failure_code)`,
}

/** Replaces the card of the customer `CUSTOMER` by the card of the token `TOKEN`. */
export const replace_card: Sample = requestSample({
  method: 'PATCH',
  path: '/customers/$CUSTOMER',
  body: { payment_details: '$TOKEN' },
  result: 'customer',
  prints: ['customer.source.last_four_digits'],
})

/** Ends the subscription `SUBSCRIPTION`. */
export const delete_subscription: Sample = requestSample({
  method: 'DELETE',
  path: '/subscriptions/$SUBSCRIPTION',
  result: 'subscription',
  prints: ['subscription.status', 'subscription.ended_at'],
})

/** Advances the clock of a local run by a week. */
export const advance_clock: Sample = {
  shell: `base_url={base_url}
curl "\${base_url%/api/v1}/_local/clock" -d advance=604800`,
  typescript: `const response = await fetch(new URL('/_local/clock', '{base_url}'), {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ advance: 7 * 86_400 }),
})
const clock = await response.json()
if (!response.ok) throw new Error(clock.error.message)
console.log(clock.now)`,
}
