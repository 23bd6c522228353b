import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import {
  cancel_session,
  create_session,
  create_session_of_items,
  new_session,
  show_session,
  store_card,
} from '../../samples/sessions.ts'
import { codes, payment_type_groups } from '../payment-types.ts'

/** The guide to sessions and the hosted page. */
export const sessions: Guide = {
  slug: 'sessions',
  title: 'Sessions: the hosted payment page',
  summary:
    'Send customers to a payment page that is ready: every payment type, 3-D Secure and three languages, with one request.',
  sections: [
    {
      id: 'overview',
      title: 'How a session works',
      body: ({ guide }) => html`
<p>At the end of this page, your shop sends customers to a payment page of the service and knows when they have paid. Your site never sees a card number, so the shortest PCI DSS questionnaire (SAQ A) usually applies to you.</p>
<ol>
<li>Your server creates a session for an order.</li>
<li>You redirect the customer to <code>session_url</code>. There, the customer chooses how to pay. After a decline, the customer can try again.</li>
<li>The page sends the customer back to your <code>return_url</code>.</li>
<li>A webhook tells your server that the order is paid.</li>
</ol>
<p>To draw the payment form yourself, see ${guide('cards')}.</p>`,
    },
    {
      id: 'create',
      title: '1. Create a session',
      body: ({ sample, reference }) => html`
${sample(create_session)}
<pre tabindex="0"><code>${new_session}</code></pre>
<p><code>amount</code> is in the smallest unit of the currency: <code>2500</code> JPY is 2,500 yen, <code>2500</code> USD is 25 dollars. <code>external_order_num</code>, <code>metadata</code> and <code>payment_data[webhooks]</code> are copied to the payment. The page shows <code>email</code>, and the customer can change it. <code>default_locale</code> is <code>ja</code> (default), <code>en</code> or <code>ko</code>. All parameters: ${reference('sessions')}.</p>
<p>Limits of <code>metadata</code>: 50 keys of at most 40 characters. A value is text of at most 2,000 characters, <code>true</code>, <code>false</code> or a number of at most 15 digits. It contains no objects or lists.</p>
<p>Store the session's <code>id</code> with your order.</p>`,
    },
    {
      id: 'redirect',
      title: '2. Redirect the customer',
      body: () => html`
<p>Answer the request of the customer's browser with status 303 and <code>Location: &lt;session_url&gt;</code>. The page works on phones and without JavaScript. A session can be paid for 24 hours, or for <code>expires_in_seconds</code>.</p>`,
    },
    {
      id: 'return',
      title: '3. Welcome the customer back',
      body: ({ sample, note }) => html`
<p>The customer comes back to <code>return_url</code> with <code>session_id=ses_…</code> appended. Read the session with your secret key, and show the order as it is:</p>
<pre tabindex="0"><code>export SESSION=ses_…</code></pre>
${sample(show_session)}
${note(html`The return is not a proof of payment. Anyone can open <code>return_url</code>, a customer who paid may close the browser, and a session that is paid in cash is <code>completed</code> before the money arrives. Step 4 decides.`)}`,
    },
    {
      id: 'paid',
      title: '4. Ship when the webhook arrives',
      body: ({ table, event, guide }) => html`
<p>The order is paid when you receive ${event('payment.captured')}. Its <code>data</code> is the payment, with <code>session</code> and <code>external_order_num</code>. Set up a receiver and verify its signatures: ${guide('webhooks')}.</p>
${table(
  ['Session', 'Payment', 'What happened', 'What to do'],
  [
    [html`<code>pending</code>`, 'null', 'The customer has not tried yet', 'Wait'],
    [
      html`<code>pending</code>`,
      html`<code>failed</code>`,
      'The last try was declined',
      'Wait; the customer can try again',
    ],
    [
      html`<code>pending</code>`,
      html`<code>pending</code>`,
      'The customer is at 3-D Secure or at a wallet, or the outcome is not known yet',
      'Wait',
    ],
    [html`<code>completed</code>`, html`<code>captured</code>`, 'Paid', 'Ship'],
    [
      html`<code>completed</code>`,
      html`<code>authorized</code>`,
      html`Reserved in cash, or held on a card because of <code>payment_data[capture]=manual</code>`,
      html`Cash: wait for ${event('payment.captured')} or ${event('payment.expired')}. Card: capture it.`,
    ],
    [html`<code>cancelled</code>`, 'any', 'You or the customer cancelled', 'Release the goods'],
    [
      html`<code>pending</code>, <code>expired</code> true`,
      'any',
      'The session has expired',
      'Release the goods, or create a new session',
    ],
  ],
)}`,
    },
    {
      id: 'payment-types',
      title: 'Choose the payment types',
      body: ({ table }) => html`
<p>Without <code>payment_types</code>, the page offers every type that the currency allows. Name types to limit them; their order is the order on the page.</p>
${table(
  ['Types', 'Currency', 'Result of the payment', 'Refunded with'],
  [
    [codes(payment_type_groups.card), 'any', html`<code>captured</code>, after 3-D Secure where needed`, 'refund'],
    [
      codes(payment_type_groups.cash),
      'JPY',
      html`<code>authorized</code>, and <code>captured</code> when the customer has paid`,
      'refund_request',
    ],
    [
      codes(payment_type_groups.wallet),
      'any',
      html`<code>pending</code> while the customer is at the wallet, then <code>captured</code>`,
      'refund',
    ],
    [
      codes(payment_type_groups.other_off_site),
      'any',
      html`<code>pending</code> while the customer is at the provider, then <code>captured</code>`,
      'refund_request',
    ],
    [codes(payment_type_groups.prepaid), 'any', html`<code>captured</code> at once`, 'refund_request'],
  ],
)}
<p>In live mode, the page offers only what the acquirer of the service can do. <code>payment_methods</code> of the session lists what the customer can choose, and what each type costs them.</p>`,
    },
    {
      id: 'line-items',
      title: 'Show what the customer buys',
      body: ({ sample }) => html`
<p>The page lists <code>line_items</code>. Each <code>amount</code> is the price of one. Without an <code>amount</code> of the session, the sum of the items is charged, here 34 dollars:</p>
${sample(create_session_of_items)}`,
    },
    {
      id: 'store-card',
      title: 'Store a card without a payment',
      body: ({ sample, event, guide }) => html`
<p>With <code>mode=customer</code>, the page takes a card and stores it as a customer:</p>
${sample(store_card)}
<p>When the session is <code>completed</code>, <code>customer_id</code> is the id of the new customer, and you get ${event('customer.created')}. Charge the customer later: ${guide('subscriptions')}.</p>
<p>When a customer comes back to buy, create the session with <code>customer</code>, the id of the customer. The page then also offers the stored card, by its brand and last four digits, and every payment of the session belongs to the customer. In a form of your own, send <code>customer</code> instead of <code>payment_details</code> to <code>POST /sessions/:id/pay</code>.</p>`,
    },
    {
      id: 'cancel',
      title: 'Cancel a session',
      body: ({ sample, error }) => html`
<p>A cancelled session cannot be paid, for example because the goods are sold out:</p>
${sample(cancel_session)}
<p>A completed session returns ${error('not_cancellable')}. Refund its payment, or cancel the payment if it is <code>authorized</code>.</p>`,
    },
    {
      id: 'problems',
      title: 'What can go wrong',
      body: ({ table, error }) => html`
${table(
  ['You see', 'Reason', 'What to do'],
  [
    [
      error('invalid_payment_type'),
      html`No type of <code>payment_types</code> suits the currency`,
      'Cash methods need JPY',
    ],
    [error('invalid_parameter'), html`For example, <code>amount</code> is 10.50`, 'Send 1050'],
    [
      html`${error('unprocessable_entity')} from <code>POST /sessions/:id/pay</code>`,
      'The session is expired, cancelled or was tried 20 times',
      'Create a new session',
    ],
    [
      html`${error('conflict')} from cancel`,
      'A payment is being charged at this moment',
      'Wait a few seconds, then read the session again',
    ],
    [
      html`200 with <code>error</code> from <code>POST /sessions/:id/pay</code>`,
      html`The payment was declined. <code>payment.failure_code</code> says why.`,
      'Let the customer try again',
    ],
  ],
)}`,
    },
    {
      id: 'test',
      title: 'How to test it',
      body: ({ guide }) => html`
<p>Open <code>session_url</code> of a test session in a browser. Pay with <code>4111111111111111</code>, be declined with <code>4123111111111059</code>, and pass 3-D Secure with <code>4100000000000100</code>. For cash, press <em>Simulate payment</em> on the page with the instructions. <code>return_url</code> may be on localhost. The pages accept forms from a browser only. An automated test sends <code>POST /sessions/:id/pay</code> instead and, on a local run, <code>POST /_local/payments/:id/pay</code> for the customer who pays in cash or approves. On a local run, the page <code>/</code> has a session that is ready to pay. More: ${guide('testing')}.</p>`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide, reference }) => html`
<ul>
<li>Receive events: ${guide('webhooks')}</li>
<li>Payments in cash: ${guide('cash')}</li>
<li>Give money back: ${guide('refunds')}</li>
<li>A form of your own for a session, with <code>POST /sessions/:id/pay</code> and the publishable key: ${reference('sessions')}</li>
</ul>`,
    },
  ],
}
