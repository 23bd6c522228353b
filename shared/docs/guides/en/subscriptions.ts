import { html } from 'hono/html'
import { sentenceOf } from '#shared/domain/errors.ts'
import type { Guide } from '../../guide.ts'
import * as samples from '../../samples/subscriptions.ts'

/** The guide to customers and subscriptions. */
export const subscriptions: Guide = {
  slug: 'subscriptions',
  title: 'Customers and subscriptions',
  summary: "Store a customer's card and charge it every week, month or year.",
  sections: [
    {
      id: 'overview',
      title: 'What you build',
      body: ({ reference }) => html`<p>At the end of this guide, your shop has a customer with a stored card and a
subscription that charges the card on its own. You also know what happens when a charge fails, and how the customer gets
back to a working card.</p>
<ul>
<li>A <strong>customer</strong> stores payment details. With a token, your server never sees the card number. See the reference of
${reference('customers')}.</li>
<li>A <strong>subscription</strong> charges a customer once per interval. See the reference of
${reference('subscriptions')}.</li>
</ul>
<p>You can also charge a stored card without a subscription: send <code>customer</code> instead of
<code>payment_details</code> when you create a payment.</p>`,
    },
    {
      id: 'store-a-card',
      title: '1. Store the card',
      body: ({ sample, guide, table }) => html`<p>The browser turns the card into a token with your publishable key. A
token is valid for 60 minutes and can be used once. ${guide('cards')} shows the form in the browser. This request makes a
token for a test card that pays its first charge and is declined afterwards:</p>
${sample(samples.create_token)}
<p>Your server creates the customer from the token, with the secret key:</p>
<pre tabindex="0"><code>export TOKEN=tok_…</code></pre>
${sample(samples.create_customer)}
<pre tabindex="0"><code>{
  "id": "cus_…",
  "email": "taro@example.com",
  "source": { "type": "credit_card", "brand": "visa", "last_four_digits": "2008", "month": 12, "year": 2035 }
}</code></pre>
<p>Keep the <code>id</code> beside the customer in your database. Instead of a token, <code>payment_details</code> takes:</p>
${table(
  ['Value', 'Use it when'],
  [
    ['A token (tok_…)', 'A customer types the card in a browser. This is the usual case.'],
    ['A verified secure token', 'The customer passes 3-D Secure before the card is stored.'],
    ['The card itself', 'Your server is allowed to handle card numbers (PCI DSS).'],
  ],
)}`,
    },
    {
      id: 'subscribe',
      title: '2. Subscribe the customer',
      body: ({ sample, table }) => html`<pre tabindex="0"><code>export CUSTOMER=cus_…</code></pre>
${sample(samples.create_subscription)}
<pre tabindex="0"><code>{
  "id": "sub_…",
  "status": "active",
  "amount": 10.5,
  "currency": "USD",
  "customer": { "id": 235023523943055, "uuid": "cus_…", … },
  "period": "weekly",
  "retry_count": 0,
  "retry_at": null,
  "next_capture_at": "2030-01-09T03:00:00Z",
  "payments": ["pay_…"],
  "last_failure": null
}</code></pre>
<p>The request charges the first interval at once and returns the outcome. Requests take the <code>uuid</code> of the
customer, not the number <code>id</code>. For 1,000 yen a month, send <code>1000</code>, <code>JPY</code> and
<code>monthly</code>.</p>
${table(
  ['First charge', 'status', 'What you do'],
  [
    ['succeeds', 'active', 'Give the customer access.'],
    ['is declined', 'suspended', 'Read last_failure. Ask for another card, then create a new subscription.'],
    [
      'has an unknown outcome',
      'pending',
      'Wait for the event, or show the subscription later. The service finds out the outcome on its own.',
    ],
  ],
)}
<p><strong>Amounts differ from payments.</strong> The amount of a subscription is in the unit of its currency, with a dot
as decimal separator. The amounts of its payments are in the smallest unit, as everywhere else,
and their <code>tax</code> is 0.</p>
${table(
  ['Price', 'amount of the subscription', 'amount of each payment'],
  [
    ['10 dollars 50', '10.50 (returned as 10.5)', '1050'],
    ['1,000 yen', '1000', '1000'],
    ['free', '0', '0, captured without a charge'],
  ],
)}`,
    },
    {
      id: 'intervals',
      title: '3. What happens at each interval',
      body: ({
        event,
        guide,
        table,
      }) => html`<p>At <code>next_capture_at</code>, the service charges the stored card. You
send nothing. Each charge is a payment of its own, with <code>customer</code> and <code>subscription</code> set.
<code>payments</code> lists the ids of the captured payments.</p>
${table(
  ['period', 'Next charge'],
  [
    ['weekly', 'The same day of the week, at the same time of day.'],
    ['monthly', 'The same day of the month. A month without this day uses its last day.'],
    ['yearly', 'The same month and day. 29 February becomes 28 February in other years.'],
  ],
)}
<p>Days and times are those of the first charge in Japan time.</p>
<p>${event('subscription.captured')} says that an interval is paid, and ${event('payment.captured')} carries its payment.
Extend the customer's access when you receive the event. ${guide('webhooks')} shows how to receive it.</p>`,
    },
    {
      id: 'failures',
      title: '4. When a renewal fails',
      body: ({
        sample,
        event,
        table,
      }) => html`<p>A declined renewal is repeated every 24 hours. The fourth failure in a row
suspends the subscription.</p>
${table(
  ['Failure', 'status', 'retry_count', 'Events'],
  [
    [
      'of the first charge',
      'suspended',
      '1',
      html`${event('subscription.failed')}, ${event('subscription.suspended')}`,
    ],
    ['first of a renewal', 'retrying', '1', event('subscription.failed')],
    ['second, third', 'retrying', '2, 3', event('subscription.failed')],
    ['fourth', 'suspended', '4', html`${event('subscription.failed')}, ${event('subscription.suspended')}`],
  ],
)}
<p>Each failure also emits ${event('payment.failed')}. The subscription says what failed last:</p>
<pre tabindex="0"><code>export SUBSCRIPTION=sub_…</code></pre>
${sample(samples.show_subscription)}
<pre tabindex="0"><code>{
  "status": "retrying",
  "retry_count": 1,
  "retry_at": "2030-01-10T03:00:00Z",
  "next_capture_at": "2030-01-16T03:00:00Z",
  "last_failure": {
    "code": "card_declined",
    "message": "${sentenceOf('card_declined')}",
    "payment": "pay_…",
    "failed_at": "2030-01-09T03:00:00Z"
  }
}</code></pre>
<p>Each failed try is a payment with <code>status</code> <code>failed</code> and a <code>failure_code</code>:</p>
${sample(samples.list_failed_payments)}
<p>When a retry succeeds, the subscription is <code>active</code> again with <code>retry_count</code> 0. The days of the
following charges do not move. <code>last_failure</code> stays: decide by <code>status</code>.</p>`,
    },
    {
      id: 'replace-a-card',
      title: '5. Replace the card',
      body: ({
        sample,
        event,
        note,
      }) => html`<p>When ${event('subscription.failed')} arrives, send the customer a link to a page
of your shop that makes a new token. Then replace the card of the customer <code>data.customer.uuid</code>:</p>
${sample(samples.replace_card)}
<p>The next retry charges the new card, and so do all subscriptions of this customer. Nothing is charged at once.</p>
${note(html`A suspended subscription stays suspended. Replace the card first, then create a new subscription. Its first
charge is made at once.`)}`,
    },
    {
      id: 'end',
      title: '6. End a subscription',
      body: ({ sample, event }) => html`${sample(samples.delete_subscription)}
<pre tabindex="0"><code>{ "id": "sub_…", "status": "deleted", "ended_at": "2030-01-10T03:00:00Z", "next_capture_at": null }</code></pre>
<p>No further charge is made, and ${event('subscription.deleted')} is emitted once. The same request again returns the
subscription again. Past payments stay, and you can refund them. Deleting the customer ends all its subscriptions and
erases the card permanently.</p>
<p>A subscription cannot be changed. To change its price or period, delete it before <code>next_capture_at</code> and
create a new one, which charges at once.</p>`,
    },
    {
      id: 'problems',
      title: 'What can go wrong',
      body: ({ error, table }) =>
        html`${table(
          ['Answer', 'Cause', 'What to do'],
          [
            [
              html`${error('invalid_token')} when you create the customer`,
              'The token is used, older than 60 minutes or of the other mode.',
              'Make a new token for each try.',
            ],
            [
              html`${error('invalid_parameter')}, <code>param</code> <code>amount</code>`,
              'The amount has more decimals than its currency, such as 10.505 USD or 10.50 JPY.',
              'Round the amount to the decimals of the currency.',
            ],
            [
              html`${error('invalid_parameter')}, <code>param</code> <code>customer</code>`,
              'The customer is unknown, deleted or of the other mode.',
              'Send the id of a customer that you created with a key of the same mode.',
            ],
            [
              html`${error('unprocessable_entity')}, <code>param</code> <code>customer</code>`,
              'The stored payment details cannot be charged again. Only cards can.',
              'Store a card first.',
            ],
            [
              html`200 with <code>status</code> <code>suspended</code>`,
              'The first charge was declined. This is an answer, not an error.',
              'Read last_failure, ask for another card and create a new subscription.',
            ],
            [
              html`<code>last_failure.code</code> is <code>card_declined</code> for a card that needs 3-D Secure`,
              'A subscription charges without the customer, who cannot pass 3-D Secure.',
              'Ask for another card.',
            ],
          ],
        )}`,
    },
    {
      id: 'test',
      title: 'Test it',
      body: ({ sample, table, guide }) => html`${table(
        ['Test card', 'What it does'],
        [
          ['4111111111111111', 'Pays every charge.'],
          ['4123111111112008', 'Pays the first charge of each subscription. Every later charge is declined.'],
          ['4123111111111059', 'Is declined. The subscription starts suspended.'],
        ],
      )}
<p>On a local run of the service, you advance the clock instead of waiting. All work that falls due in this time is done,
then the answer comes:</p>
${sample(samples.advance_clock)}
<p>With the card that pays once, a weekly subscription is <code>retrying</code> after a week. Advance the clock by
<code>86400</code> seconds three times more, and it is <code>suspended</code>. In the test mode of a deployed service, advance your test clock with
<code>POST /test_clock</code>: ${guide('testing')}.</p>`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide }) => html`<ul>
<li>${guide('webhooks')}: receive the events of renewals.</li>
<li>${guide('idempotency')}: create no subscription twice.</li>
<li>${guide('refunds')}: give the money of an interval back.</li>
</ul>`,
    },
  ],
}
