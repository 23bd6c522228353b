import { html } from 'hono/html'
import type { Guide, GuideParts, Html } from '../../guide.ts'
import { create_token } from '../../samples/cards.ts'
import { pay_as_customer } from '../../samples/cash.ts'
import {
  advance_clock,
  advance_test_clock,
  create_merchant,
  ignored_parameter,
  lost_answer,
  show_test_clock,
  type TestCard,
  test_cards,
} from '../../samples/testing.ts'
import { localRun } from '../local-run.ts'

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  master: 'Mastercard',
  jcb: 'JCB',
  american_express: 'American Express',
  diners_club: 'Diners Club',
}

function resultOf({ result }: TestCard, { error }: GuideParts): string | Html {
  switch (result) {
    case 'succeeds':
      return 'Succeeds'
    case 'needs_3d_secure':
      return 'Needs 3-D Secure'
    case 'pays_once':
      return 'Pays the first capture of each subscription, then declines'
    case 'fraudulent':
      return html`422 ${error(result)}`
    default:
      return html`402 ${error(result)}`
  }
}

/** The guide to test mode and local runs. */
export const testing: Guide = {
  slug: 'testing',
  title: 'Testing',
  summary: 'Try every outcome before you go live: declines, 3-D Secure, cash, timeouts and the passing of time.',
  sections: [
    {
      id: 'modes',
      title: 'Test mode and local runs',
      body: ({ table, guide }) => html`
<p>With this page you can bring about every situation that your code must handle, without moving money.</p>
${table(
  ['Where', 'Keys', 'What it is for'],
  [
    [
      'Local run',
      html`<code>sk_test_…</code> and <code>pk_test_…</code>, printed by the first <code>npm start</code>`,
      'Development and automated tests on your machine: no account, no rate limit, a clock that you advance',
    ],
    [
      'Test mode of a deployed service',
      html`<code>sk_test_…</code> and <code>pk_test_…</code> from the operator`,
      'Integration tests with a public URL for webhooks. At most 1,500 requests per minute and key.',
    ],
  ],
)}
<p>Test mode and live mode share nothing: an id of one mode is unknown to the keys of the other. All requests and responses have the same form, so you go live by changing the keys, and the base URL if you began on a local run: ${guide('live')}.</p>`,
    },
    {
      id: 'cards',
      title: 'Card numbers',
      body: (parts) => html`
<p>Any expiry date in the future, name and security code will do. The number decides:</p>
${parts.table(
  ['Number', 'Brand', 'Result'],
  test_cards.map((card) => [
    html`<code>${card.number}</code>`,
    brands[card.brand] ?? card.brand,
    resultOf(card, parts),
  ]),
)}
<p>Any other valid number succeeds. A card whose month has passed is refused with ${parts.error('invalid_parameter')}; a stored card whose month has passed since is declined with ${parts.error('card_expired')}.</p>
<p>Storing a card asks no bank in test mode: every number can become a token or the card of a customer. It declines when it is charged. To use a number from the table, put it into this sample:</p>
${parts.sample(create_token)}`,
    },
    {
      id: '3d-secure',
      title: '3-D Secure and wallets',
      body: ({ base_url, table, event, sample }) => html`
<p>In test mode, <code>redirect_url</code> and <code>authentication_url</code> are pages of the sandbox that stand in for the bank or the wallet. Open them in a browser and decide:</p>
${table(
  ['Button', 'Payment', 'Event'],
  [
    [
      html`<em>Authenticate</em> (3-D Secure), <em>Approve</em> (wallet)`,
      html`<code>captured</code>`,
      event('payment.captured'),
    ],
    [
      html`<em>Fail</em>, <em>Decline</em>`,
      html`<code>failed</code>, with <code>failure_code</code> <code>failed_authentication</code> or <code>refused_by_customer</code>`,
      event('payment.failed'),
    ],
    [
      html`<em>Close</em>, or leave the page`,
      html`<code>pending</code>, and <code>expired</code> after the deadline`,
      event('payment.expired'),
    ],
  ],
)}
<p>On a local run, an automated test approves a payment without a browser:</p>
<pre tabindex="0"><code>export LOCAL_RUN=${localRun(base_url)}
export PAYMENT=pay_…</code></pre>
${sample(pay_as_customer)}`,
    },
    {
      id: 'cash',
      title: 'Cash',
      body: ({ event, guide }) => html`
<p>A cash payment is <code>authorized</code> until it is paid. Open <code>payment_details.instructions_url</code> and press <em>Simulate payment</em>, or use the sample above on a local run. The payment is <code>captured</code>, and you get ${event('payment.captured')}. To see ${event('payment.expired')}, advance the clock past the deadline. See ${guide('cash')}.</p>`,
    },
    {
      id: 'scenarios',
      title: 'Timeouts and slow responses',
      body: ({ table, error, sample, guide }) => html`
<p>Some situations depend on no card number. In test mode, the header <code>X-Service-Scenario</code> brings them about, for every request that reaches the acquirer: payments, captures, refunds and cancels.</p>
${table(
  ['Scenario', 'What happens', 'What your code must do'],
  [
    [
      html`<code>timeout_before_charge</code>`,
      html`504 ${error('gateway_timeout')}. Nothing was charged. After a minute, the payment is <code>failed</code> with <code>failure_code</code> <code>never_arrived</code>.`,
      html`Repeat the request with the same <code>Idempotency-Key</code>. After the minute, this returns 402 ${error('other_error')}: use a new token for the same card, and a new key.`,
    ],
    [
      html`<code>timeout_after_charge</code>`,
      html`504 ${error('gateway_timeout')}. The card was charged. After a minute, the payment is <code>captured</code>.`,
      html`Repeat the request with the same <code>Idempotency-Key</code>. A new key would charge twice.`,
    ],
    [
      html`<code>duplicate_answer</code>`,
      'The acquirer reports the order as a duplicate. The service resolves this: you get the usual response.',
      'Nothing',
    ],
    [html`<code>slow</code>`, 'The response takes three seconds longer', 'Wait: use a timeout of at least 30 seconds'],
  ],
)}
<p>This sample loses the answer to a charge, then repeats the request without the header. Create a new token as <code>TOKEN</code> first:</p>
${sample(lost_answer)}
<p>The first response is a 504, and <code>details.payment</code> is the id of the payment. The second is 200 with the same payment, charged once. An unknown scenario returns ${error('invalid_parameter')}. Live mode ignores the header. Read more in ${guide('idempotency')}.</p>`,
    },
    {
      id: 'ignored-parameters',
      title: 'Find typing errors',
      body: ({ sample }) => html`
<p>Unknown parameters are ignored, so that older and newer clients work. In test mode, the response header <code>X-Service-Ignored-Parameters</code> names them. Log it during development. Here, <code>return_url</code> is misspelt:</p>
${sample(ignored_parameter)}
<p>The header also names filters that a list does not know.</p>`,
    },
    {
      id: 'test-clock',
      title: 'Advance the time of your test mode',
      body: ({ sample, reference, error, note }) => html`
<p>On a deployed service, each merchant has a clock for its test mode. Advance yours to see subscriptions renew, payments expire and webhooks come again, without waiting. The time of other merchants does not move. This advances 31 days:</p>
${sample(advance_test_clock)}
<p>The response comes at once, and <code>now</code> is the time at which the advance ends. The service then goes through this time and does everything that falls due, in order. This takes a few seconds for each due time, and a minute more when you advance for the first time. Until it ends, another advance is refused with 409 ${error('conflict')}. An <code>advance</code> of 0 shows the time reached, so repeat this request until it shows the end:</p>
${sample(show_test_clock)}
<p>One request advances a year at most: 31,622,400 seconds. On a local run, the same request moves the clock of the whole run, and the response comes when the work is done. Live mode has no such endpoint. Read more in the reference of ${reference('test_clock')}.</p>
${note(html`The clock only moves forward, and it goes on with real time after an advance. Tokens and sessions expire with it, so create them after you advance. Ids, <code>start_time</code> and <code>end_time</code> of lists, API keys, idempotency keys and <code>webhook-timestamp</code> stay on real time.`)}`,
    },
    {
      id: 'clock',
      title: 'Advance the clock of a local run',
      body: ({ base_url, sample, guide, note }) => html`
<p>A local run has a clock of its own. Advance it, and everything that falls due in this time is done in order, before the response comes: payments expire, subscriptions are charged, webhooks are delivered again, settlements are made. This advances four days:</p>
<pre tabindex="0"><code>export LOCAL_RUN=${localRun(base_url)}</code></pre>
${sample(advance_clock)}
<p>The response is <code>{"now": …}</code>. For example, create a weekly subscription with the card <code>4123111111112008</code>, advance seven days, and see its second capture fail: ${guide('subscriptions')}.</p>
${note(html`The clock only moves forward, for all merchants of the local run. Tokens and sessions expire with it, so create them after you advance. To begin again, stop the local run and start it with another folder: <code>DATA_DIR=.data2 npm start</code>.`)}`,
    },
    {
      id: 'local-run',
      title: 'What only a local run has',
      body: ({ table, sample, guide }) => html`
<p>These addresses need no key, and answer only on your own machine. A deployed service does not have them: there, the address without a path leads to this documentation.</p>
${table(
  ['Request', 'Effect'],
  [
    [html`<code>GET /</code> in a browser`, 'A page with a session that is ready to pay'],
    [html`<code>POST /_local/payments/:id/pay</code>`, 'The customer pays in cash, or approves a payment off-site'],
    [
      html`<code>POST /_local/refund_requests/:id</code> with <code>status</code>`,
      html`Completes or rejects a refund request: <code>completed</code>, <code>rejected</code>`,
    ],
    [html`<code>POST /_local/clock</code> with <code>advance</code>`, 'Advances the clock by so many seconds'],
    [html`<code>POST /_local/merchants</code> with <code>name</code>`, 'Creates a merchant and returns its keys'],
    [html`<code>GET /_local/health</code>`, 'Says that the service runs, and the time of its clock'],
  ],
)}
<p>If you lost your keys, or want a merchant for each run of your tests, create one:</p>
${sample(create_merchant)}
<p>On a local run, webhooks of test mode may go to <code>http://localhost</code>: ${guide('webhooks')}.</p>`,
    },
    {
      id: 'checklist',
      title: 'What to test before you go live',
      body: ({ guide }) => html`
<ul>
<li>A payment that succeeds, one that is declined, and a second try with another card.</li>
<li>3-D Secure: passed, failed, and a customer who closes the window.</li>
<li>A customer who pays and never returns to your site.</li>
<li>Cash: paid after a day, and expired.</li>
<li>A 504 that is repeated with the same <code>Idempotency-Key</code>.</li>
<li>The same webhook twice, and one with a wrong signature.</li>
<li>A partial and a full refund.</li>
</ul>
<p>Then read ${guide('live')}.</p>`,
    },
  ],
}
