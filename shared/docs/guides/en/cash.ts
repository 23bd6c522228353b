import { html } from 'hono/html'
import { payment_type_rows } from '#shared/domain/payment-details.ts'
import { konbini_stores } from '#shared/domain/session-methods.ts'
import type { Guide } from '../../guide.ts'
import { cancel_payment } from '../../samples/cards.ts'
import { pay_as_customer, pay_at_konbini, pay_by_bank_transfer, reserved_payment } from '../../samples/cash.ts'
import { advance_clock } from '../../samples/testing.ts'
import { localRun } from '../local-run.ts'
import { codes } from '../payment-types.ts'

/** The guide to cash methods. */
export const cash: Guide = {
  slug: 'cash',
  title: 'Cash methods',
  summary:
    'Let customers pay at a convenience store, through Pay-easy or by bank transfer, and ship when they have paid.',
  sections: [
    {
      id: 'choose',
      title: 'How cash works, and which methods there are',
      body: ({ table, guide }) => html`
<p>At the end of this page, a customer can order on your site, pay in cash days later, and you ship when the money has arrived.</p>
<p>You reserve a payment. The customer gets a number and a deadline, and pays when it suits them. Then you get a webhook. All cash methods take only JPY.</p>
${table(
  ['Type', 'Where the customer pays', 'Fee that the customer pays', 'Days to pay'],
  [
    [
      html`<code>konbini</code>`,
      'At a convenience store',
      `${payment_type_rows.konbini.fee} JPY`,
      html`<code>expiry_days</code> 0 to 59, else 3`,
    ],
    [html`<code>pay_easy</code>`, 'At an ATM or in online banking', `${payment_type_rows.pay_easy.fee} JPY`, '3'],
    [html`<code>bank_transfer</code>`, 'To a bank account', 'none', html`<code>expiry_days</code> 1 to 59, else 3`],
  ],
)}
<p>The deadline is 23:59:59 in Japan on the last day: with <code>expiry_days=0</code>, the end of today. <code>total</code> is what the customer pays: amount, tax and fee.</p>
<p>If you would rather not ask for the customer's details yourself, let the hosted page do it: ${guide('sessions')}.</p>`,
    },
    {
      id: 'reserve',
      title: '1. Reserve the payment',
      body: ({ sample, table }) => html`
<p>This reserves 3,000 yen at a convenience store:</p>
${sample(pay_at_konbini)}
<pre tabindex="0"><code>${reserved_payment}</code></pre>
<p><code>authorized</code> means reserved. Nobody has paid yet.</p>
<p>Each type needs these fields in <code>payment_details</code>:</p>
${table(
  ['Type', 'Fields'],
  [
    [
      html`<code>konbini</code>`,
      html`<code>store</code> and <code>email</code>; <code>phone</code> and <code>expiry_days</code> are optional. Stores: ${codes(konbini_stores)}`,
    ],
    [
      html`<code>pay_easy</code>`,
      html`<code>email</code>, <code>phone</code>, <code>family_name</code>, <code>given_name</code>, and both names in katakana: <code>family_name_kana</code>, <code>given_name_kana</code>`,
    ],
    [html`<code>bank_transfer</code>`, html`As <code>pay_easy</code>; <code>expiry_days</code> is optional`],
  ],
)}
<p>A bank transfer:</p>
${sample(pay_by_bank_transfer)}`,
    },
    {
      id: 'instructions',
      title: '2. Show the customer how to pay',
      body: ({ table }) => html`
<p>The simplest way: send the customer to <code>payment_details.instructions_url</code>, and put the link into your e-mail. The page shows the numbers, the deadline and the steps of the store, in Japanese, English or Korean after the payment's <code>locale</code>. It can be printed, and shows later whether the payment is paid or expired.</p>
<p>To show the numbers on a page of your own, use these fields of <code>payment_details</code>:</p>
${table(
  ['Type', 'What the customer needs'],
  [
    [html`<code>konbini</code>`, html`<code>store</code>, <code>receipt</code>, <code>confirmation_code</code>`],
    [html`<code>pay_easy</code>`, html`<code>bank_id</code>, <code>customer_id</code>, <code>confirmation_id</code>`],
    [
      html`<code>bank_transfer</code>`,
      html`<code>bank_name</code>, <code>account_branch_name</code>, <code>account_type</code>, <code>account_number</code>, <code>account_name</code>, <code>order_id</code>`,
    ],
  ],
)}
<p>Show <code>total</code> as the amount, and <code>payment_deadline</code> as the deadline.</p>`,
    },
    {
      id: 'paid',
      title: '3. Ship when the webhook arrives',
      body: ({ table, event, guide, note }) => html`
${table(
  ['Event', 'Payment', 'What to do'],
  [
    [event('payment.authorized'), html`<code>authorized</code>`, 'Keep the goods. Send the instructions.'],
    [event('payment.captured'), html`<code>captured</code>`, 'Paid. Ship the order.'],
    [
      event('payment.expired'),
      html`<code>expired</code>`,
      'The deadline passed. Release the goods, and offer a new payment.',
    ],
    [event('payment.cancelled'), html`<code>cancelled</code>`, 'You withdrew the payment. Nothing to ship.'],
  ],
)}
${note(html`The customer pays days after leaving your site, so no redirect can tell you about it. Only ${event('payment.captured')} says that the order is paid. Set up a receiver first: ${guide('webhooks')}.`)}
<p>Find your order by <code>external_order_num</code>, which the event carries as you sent it.</p>`,
    },
    {
      id: 'cancel',
      title: 'Withdraw a payment that is not paid',
      body: ({ sample, error, guide }) => html`
<p>If the customer changes their mind, cancel the payment, so that it cannot be paid any more:</p>
<pre tabindex="0"><code>export PAYMENT=pay_…</code></pre>
${sample(cancel_payment)}
<p>A payment that is already paid returns ${error('not_cancellable')}. Give the money back with a refund request: ${guide('refunds', 'cash')}.</p>`,
    },
    {
      id: 'problems',
      title: 'What can go wrong',
      body: ({ table, error }) => html`
${table(
  ['Code', 'Reason', 'What to do'],
  [
    [error('invalid_currency'), 'The currency is not JPY', 'Offer cash methods only for orders in yen'],
    [
      error('missing_parameter'),
      'A field of the type is missing',
      html`<code>details.errors</code> lists all missing fields`,
    ],
    [error('invalid_parameter'), 'For example, an unknown store', html`<code>message</code> lists the accepted values`],
    [error('not_capturable'), 'You tried to capture a cash payment', 'Wait: it is captured when the customer pays'],
    [
      error('not_refundable'),
      'You tried to refund a cash payment',
      html`Use <code>POST /payments/:id/refund_request</code>`,
    ],
  ],
)}`,
    },
    {
      id: 'test',
      title: 'How to test it',
      body: ({ base_url, sample }) => html`
<p>In test mode, open <code>instructions_url</code> in a browser and press <em>Simulate payment</em>. On a local run, you can also pay from the terminal:</p>
<pre tabindex="0"><code>export LOCAL_RUN=${localRun(base_url)}
export PAYMENT=pay_…</code></pre>
${sample(pay_as_customer)}
<p>To see a payment expire, reserve another one and advance the clock of the local run by four days:</p>
${sample(advance_clock)}`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide, reference }) => html`
<ul>
<li>Receive and verify events: ${guide('webhooks')}</li>
<li>Give cash back: ${guide('refunds')}</li>
<li>All fields: ${reference('payments')}</li>
</ul>
<p>Prepaid numbers (<code>bit_cash</code>, <code>net_cash</code>, <code>web_money</code>) need no waiting: the response is <code>captured</code> at once, or a 402.</p>`,
    },
  ],
}
