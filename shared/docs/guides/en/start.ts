import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import { captured_payment, create_token, pay_with_token } from '../../samples/cards.ts'
import { refund_payment } from '../../samples/refunds.ts'
import { decline, declined_payment, show_payment } from '../../samples/start.ts'

/** The guide to the first payment, which is the first page. */
export const start: Guide = {
  slug: 'start',
  title: 'Start in five minutes',
  summary: 'Take a payment, see a decline and refund the payment, with a test key and a terminal.',
  sections: [
    {
      id: 'keys',
      title: '1. Get a test key',
      body: ({ base_url, table, guide }) => html`
<p>At the end of this page you have taken a card payment, seen a card that is declined, and given money back. No money moves: test keys only reach a sandbox.</p>
<p>There are two ways to get keys:</p>
<ul>
<li><strong>On your own machine.</strong> You need Node 20 or later with npm, or 22.18 for the TypeScript samples, and no account. In the folder of the source code, run <code>npm ci</code> and then <code>npm start</code>. The first start prints the keys of a demo merchant, once. If you lost them, create another merchant: ${guide('testing', 'local-run')}.</li>
<li><strong>On a deployed service.</strong> Ask its operator for the test keys of your shop.</li>
</ul>
${table(
  ['Key', 'Where you use it', 'What it can do'],
  [
    [html`Secret key, <code>sk_test_…</code>`, 'Only on your server', 'Everything'],
    [
      html`Publishable key, <code>pk_test_…</code>`,
      'In the browser; anyone may read it',
      'Create tokens and pay sessions. It cannot charge a token, or read or refund payments.',
    ],
  ],
)}
<p>The base URL of the API is <code>${base_url}</code>. Put your keys into the terminal, so that you can copy every sample of this documentation as it is:</p>
<pre tabindex="0"><code>export SECRET_KEY=sk_test_…
export PUBLISHABLE_KEY=pk_test_…</code></pre>
<p>The keys are the user name of HTTP Basic authentication; the password is empty. This is what <code>-u "$SECRET_KEY:"</code> does in curl. To run a TypeScript sample, save it as <code>sample.ts</code> and run <code>node sample.ts</code>.</p>`,
    },
    {
      id: 'token',
      title: '2. Turn a card into a token',
      body: ({ sample, guide }) => html`
<p>In your shop, the browser of the customer does this step with the publishable key. The card number goes to the payment service and never to your server. Your server gets a token, which stands for the card, can be used once and is valid for 60 minutes. Here, the terminal stands in for the browser:</p>
${sample(create_token)}
<p>The shell version puts the token into <code>TOKEN</code>. After the TypeScript version, run <code>export TOKEN=tok_…</code> with the token that it printed. ${guide('cards')} has the form for the browser.</p>`,
    },
    {
      id: 'pay',
      title: '3. Take a payment',
      body: ({ sample, reference }) => html`
<p>Your server charges the token with the secret key:</p>
${sample(pay_with_token)}
<p>The response is 200 with the payment. <code>status</code> is <code>captured</code>: the payment is paid.</p>
<pre tabindex="0"><code>${captured_payment}</code></pre>
<p>Amounts are integers in the smallest unit of the currency: <code>1000</code> JPY is 1,000 yen, and <code>1050</code> USD is 10 dollars 50.</p>
<p><code>Idempotency-Key</code> is your name for this request, here made from the order and the token. Run the same command again: you get the same payment with the header <code>Idempotent-Replayed: true</code>, and nothing is charged twice. So you can repeat a request safely after a timeout.</p>
<p>All fields are in the reference: ${reference('payments')}.</p>`,
    },
    {
      id: 'decline',
      title: '4. See a decline',
      body: ({ sample, guide, error }) => html`
<p>The number of a sandbox card decides what happens. <code>4123111111111059</code> is always declined:</p>
${sample(declined_payment)}
<p>The response is 402 with the code ${error('card_declined')}. The payment is stored with <code>status</code> <code>failed</code>, and <code>details.payment</code> is its id.</p>
<pre tabindex="0"><code>${decline}</code></pre>
<p>Every error has this form. Branch on <code>code</code>; <code>message</code> says what to do and is for you, not for your customer. ${guide('testing')} lists the other cards.</p>`,
    },
    {
      id: 'refund',
      title: '5. Refund the payment',
      body: ({ sample, guide }) => html`
<p>Copy the <code>id</code> of the payment of step 3 and give 300 yen back:</p>
<pre tabindex="0"><code>export PAYMENT=pay_…</code></pre>
${sample(refund_payment)}
<p>The response is the payment. <code>amount_refunded</code> is 300, and <code>status</code> stays <code>captured</code> until the whole payment is refunded. Look at the payment at any time:</p>
${sample(show_payment)}
<p>For payments in cash, see ${guide('refunds')}.</p>`,
    },
    {
      id: 'problems',
      title: 'What can go wrong',
      body: ({ error, table }) => html`
${table(
  ['You see', 'What to do'],
  [
    [
      html`401 ${error('unauthorized')}`,
      html`Check <code>SECRET_KEY</code>, and that the colon follows it: <code>-u "$SECRET_KEY:"</code>. The keys of a local run do not work on a deployed service.`,
    ],
    [html`403 ${error('forbidden')}`, 'You used the publishable key where the secret key is needed.'],
    [html`422 ${error('invalid_token')}`, 'The token was used or is older than 60 minutes. Repeat step 2.'],
    [
      html`422 ${error('idempotency_mismatch')}`,
      html`You sent another request with the same <code>Idempotency-Key</code>. Use a new key for each new request.`,
    ],
    [
      html`<code>curl: (7) Failed to connect</code>`,
      html`The local run has stopped. Run <code>npm start</code> again.`,
    ],
  ],
)}`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide, table }) => html`
${table(
  ['You want to', 'Read'],
  [
    [
      'Send customers to a payment page that is ready, for all payment types. This is the shortest way to go live.',
      guide('sessions'),
    ],
    ['Take cards on a page of your own, with 3-D Secure', guide('cards')],
    ['Let customers pay at a convenience store or by bank transfer', guide('cash')],
    ['Know when an order is paid', guide('webhooks')],
    ['Charge customers every month', guide('subscriptions')],
    ['Try every case before you go live', guide('testing')],
  ],
)}`,
    },
  ],
}
