import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import {
  complete_refund_request,
  refund_payment,
  refund_rest,
  refunded_in_part,
  request_refund,
  requested_refund,
} from '../../samples/refunds.ts'
import { show_payment } from '../../samples/start.ts'
import { localRun } from '../local-run.ts'
import { codes, payment_type_groups } from '../payment-types.ts'

/** The guide to refunds and refund requests. */
export const refunds: Guide = {
  slug: 'refunds',
  title: 'Refunds',
  summary: 'Give customers all or part of a payment back, also of a payment in cash.',
  sections: [
    {
      id: 'choose',
      title: 'Which request returns the money',
      body: ({ table, event }) => html`
<p>At the end of this page, you can give money back for every kind of payment. The status and the type of the payment decide how:</p>
${table(
  ['Payment', 'Request', 'When the customer has the money'],
  [
    [
      html`<code>pending</code> or <code>authorized</code>: not paid yet`,
      html`<code>POST /payments/:id/cancel</code>`,
      html`Nothing was taken. A hold on a card is released: ${event('payment.cancelled')}`,
    ],
    [
      html`<code>captured</code>, card or wallet`,
      html`<code>POST /payments/:id/refund</code>`,
      html`The refund is made at once. Banks take some days to show it: ${event('payment.refund.created')}`,
    ],
    [
      html`<code>captured</code>, any other type`,
      html`<code>POST /payments/:id/refund_request</code>`,
      html`After the operator has transferred the money to the customer's bank account: ${event('payment.refund.created')}`,
    ],
  ],
)}
<p>The wallets are ${codes(payment_type_groups.wallet)}.</p>`,
    },
    {
      id: 'cards-and-wallets',
      title: 'Refund a card or a wallet',
      body: ({ sample, event }) => html`
<p>A captured payment can be refunded in one or more parts. Amounts are in the smallest unit of the currency: <code>300</code> JPY is 300 yen, <code>300</code> USD is 3 dollars.</p>
<pre tabindex="0"><code>export PAYMENT=pay_…</code></pre>
${sample(refund_payment)}
<p>The response is the payment with all its refunds:</p>
<pre tabindex="0"><code>${refunded_in_part}</code></pre>
<p>Give each refund its own <code>Idempotency-Key</code>. Without it, a request that you repeat after a lost connection refunds twice.</p>
<p>Without <code>amount</code>, the refund is all that is left:</p>
${sample(refund_rest)}
<p>When the refunds add up to <code>total</code>, <code>status</code> is <code>refunded</code>. Each refund sends ${event('payment.refund.created')}, and the last one also ${event('payment.refunded')}.</p>`,
    },
    {
      id: 'cash',
      title: 'Return a payment in cash',
      body: ({ sample, table, event }) => html`
<p>Money that was paid in cash cannot be returned automatically. Ask the customer for a bank account, and request a transfer:</p>
${sample(request_refund)}
<pre tabindex="0"><code>${requested_refund}</code></pre>
<p><code>account_type</code> is <code>normal</code>, <code>checking</code> or <code>savings</code>. The account number is shown only with its last three digits. Refunds and pending refund requests together cannot exceed <code>total</code>, which includes the fee that the customer paid. So a refund of the <code>amount</code> alone leaves a payment with a fee <code>captured</code>.</p>
${table(
  ['Refund request', 'Meaning', 'Event'],
  [
    [html`<code>pending</code>`, 'The operator will transfer the money', event('payment.updated')],
    [
      html`<code>completed</code>`,
      html`The transfer is made. <code>refunds</code> has a new refund.`,
      event('payment.refund.created'),
    ],
    [
      html`<code>rejected</code>`,
      'The transfer was not possible, for example because the account is wrong. Request it again.',
      event('payment.updated'),
    ],
  ],
)}`,
    },
    {
      id: 'problems',
      title: 'What can go wrong',
      body: ({ table, error, sample }) => html`
${table(
  ['Code', 'Reason', 'What to do'],
  [
    [
      html`422 ${error('not_refundable')}`,
      'The payment is not captured, or its type takes the other request',
      html`<code>message</code> names the status, or the request to use`,
    ],
    [
      html`422 ${error('invalid_parameter')}`,
      'The amount is more than what is left',
      html`<code>message</code> names what is left`,
    ],
    [
      html`504 ${error('gateway_timeout')}`,
      'The outcome is not known yet. The amount is reserved.',
      html`Repeat the same request with the same <code>Idempotency-Key</code>, or wait: the refund appears in the payment once its outcome is known.`,
    ],
    [
      html`409 ${error('idempotency_in_flight')}`,
      'The same request is still being processed',
      html`Repeat it after the seconds in <code>Retry-After</code>`,
    ],
  ],
)}
<p>To see what was refunded, read the payment:</p>
${sample(show_payment)}`,
    },
    {
      id: 'test',
      title: 'How to test it',
      body: ({ base_url, sample }) => html`
<p>Refunds of the sandbox always succeed. On a local run, you are the operator who completes a refund request, or rejects it with <code>status=rejected</code>:</p>
<pre tabindex="0"><code>export LOCAL_RUN=${localRun(base_url)}
export REFUND_REQUEST=rrq_…</code></pre>
${sample(complete_refund_request)}`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide, reference }) => html`
<ul>
<li>Receive the events of refunds: ${guide('webhooks')}</li>
<li>Repeat requests safely: ${guide('idempotency')}</li>
<li>All fields: ${reference('payments')}</li>
</ul>`,
    },
  ],
}
