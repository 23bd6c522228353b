import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import {
  authorize_card,
  cancel_payment,
  capture_payment,
  card_form,
  create_secure_token,
  create_token,
  pay_with_3d_secure,
  pay_with_secure_token,
  pay_with_token,
  pending_payment,
} from '../../samples/cards.ts'

/** The guide to cards and 3-D Secure. */
export const cards: Guide = {
  slug: 'cards',
  title: 'Cards and 3-D Secure',
  summary:
    'Take cards on a page of your own, send customers through 3-D Secure, and hold an amount to capture it later.',
  sections: [
    {
      id: 'ways',
      title: 'Choose who handles the card number',
      body: ({ guide, table, note }) => html`
<p>At the end of this page, your own checkout page takes cards, your server charges them, and customers pass 3-D Secure where their bank wants it.</p>
<p>A business that handles card numbers must follow PCI DSS, the security standard of the card networks. How much of it applies to you depends on the way that you choose:</p>
${table(
  ['Way', 'Who sees the card number', 'Usual PCI DSS questionnaire'],
  [
    [html`Hosted page: ${guide('sessions')}`, 'Only the payment service', 'SAQ A, the shortest'],
    [
      'A form of your own that creates a token (this page)',
      'Your page in the browser, but not your server',
      'SAQ A-EP',
    ],
    ['Card numbers in requests of your server', 'Your server, its logs and its backups', 'SAQ D, the whole standard'],
  ],
)}
${note(html`The API accepts <code>payment_details[number]</code> from your server too, but a service may refuse card numbers altogether. Choose this way only if your company is assessed for PCI DSS. The operator of the service tells you which questionnaire applies to you.`)}`,
    },
    {
      id: 'token',
      title: '1. Create a token in the browser',
      body: ({ base_url, sample }) => html`
<p>The form below sends the card from the browser to the payment service, with the publishable key. Your server gets only the token.</p>
<pre tabindex="0"><code>${card_form.replace('{base_url}', base_url).replace('{publishable_key}', 'pk_test_…')}</code></pre>
<p>The inputs have the names of the API's parameters. The form that goes to your server must have no card fields. A token can be used once and is valid for 60 minutes.</p>
<p>To try the next steps without a page, create a token in the terminal, and a new one for each payment:</p>
${sample(create_token)}`,
    },
    {
      id: 'pay',
      title: '2. Charge the token on your server',
      body: ({ sample, table, error, event, guide }) => html`
${sample(pay_with_token)}
<p>Take the amount from your own order, never from the browser. The sample makes the <code>Idempotency-Key</code> from the order and the token: if you get no response, repeat the same request with the same key. Another card has a new token, and so a new key.</p>
${table(
  ['Response', 'Meaning', 'What to do'],
  [
    [html`200, <code>captured</code>`, 'Paid', html`Ship the order. You also get ${event('payment.captured')}.`],
    [
      html`200, <code>pending</code> with <code>payment_details.redirect_url</code>`,
      'The card needs 3-D Secure',
      'Redirect the customer: step 3',
    ],
    [
      html`200, <code>authorized</code>`,
      html`Held, because of <code>capture=false</code>`,
      'Capture it before its deadline',
    ],
    [
      html`402, for example ${error('card_declined')}`,
      html`Declined. The payment <code>details.payment</code> is <code>failed</code>.`,
      'Ask for another card and create a new token',
    ],
    [
      html`422 ${error('fraudulent')}`,
      'Refused as suspected fraud',
      'Do not try the card again, and do not tell the customer why',
    ],
    [
      html`504 ${error('gateway_timeout')}`,
      'The outcome is not known yet',
      html`Repeat the same request with the same <code>Idempotency-Key</code>: ${guide('idempotency', 'unknown')}.`,
    ],
  ],
)}`,
    },
    {
      id: '3d-secure',
      title: '3. Send the customer through 3-D Secure',
      body: ({ sample, event, guide, table, note }) => html`
<p>In 3-D Secure, the bank checks that the cardholder is present. Always send a <code>return_url</code>, because you do not know in advance which card needs it. In the sandbox, <code>4100000000000100</code> needs it: put this number into the sample of step 1, and charge the new token.</p>
${sample(pay_with_3d_secure)}
<p>For a card that needs 3-D Secure, the payment waits:</p>
<pre tabindex="0"><code>${pending_payment}</code></pre>
<ol>
<li>Redirect the customer to <code>redirect_url</code> with a 303 response.</li>
<li>The customer confirms the payment at their bank and returns to your <code>return_url</code>. Nothing is added to this URL, so put your order number into it.</li>
<li>The service tries the charge and sends you the outcome as a webhook.</li>
</ol>
${table(
  ['Event', 'Meaning', 'What to do'],
  [
    [event('payment.captured'), 'Paid', 'Ship the order'],
    [
      event('payment.failed'),
      html`<code>failure_code</code> is <code>failed_authentication</code>, or the code of a decline`,
      'Ask for another card',
    ],
    [event('payment.expired'), 'The customer did not finish within a day', 'Release the stock'],
  ],
)}
${note(html`A customer who arrives at <code>return_url</code> has not necessarily paid, and a customer who paid may never arrive. Decide by the webhook whether an order is paid: ${guide('webhooks')}. On the page of <code>return_url</code>, show the order as it is, or read the payment with <code>GET /payments/:id</code>.`)}
<p>Wallets work in the same way: a payment with <code>payment_details[type]=paypay</code> is <code>pending</code> with a <code>redirect_url</code>.</p>`,
    },
    {
      id: 'secure-token',
      title: 'Or: 3-D Secure before the payment',
      body: ({ sample, table, error, reference }) => html`
<p>With a secure token, the customer passes 3-D Secure first, and you charge later, within 60 minutes. Use it when your server decides after 3-D Secure whether to charge at all. The later payment must have the same currency, and the same amount, with or without its tax.</p>
${sample(create_secure_token)}
<p>Redirect the customer to <code>authentication_url</code>. The customer returns to your <code>return_url</code> with <code>secure_token=tok_…</code> appended. Read the secure token, and charge it if its status allows:</p>
<pre tabindex="0"><code>export SECURE_TOKEN=tok_…</code></pre>
${sample(pay_with_secure_token)}
${table(
  ['verification_status', 'Meaning', 'What to do'],
  [
    [html`<code>OK</code>`, 'The customer passed 3-D Secure', 'Charge it'],
    [html`<code>SKIPPED</code>`, 'The card needs no 3-D Secure', 'Charge it'],
    [
      html`<code>NEEDS_VERIFY</code>`,
      'The customer has not finished 3-D Secure yet',
      'Send the customer to authentication_url again',
    ],
    [html`<code>ERRORED</code>`, 'The customer did not pass', 'Ask for another card'],
  ],
)}
<p>A secure token can be used once. Any other use returns ${error('invalid_token')}. The fields are in the reference: ${reference('secure_tokens')}.</p>`,
    },
    {
      id: 'hold',
      title: 'Hold now, capture later',
      body: ({ sample, event, error }) => html`
<p>With <code>capture=false</code>, the amount is held on the card and not taken. Capture it when you ship. With a new token, this payment holds 25 dollars:</p>
${sample(authorize_card)}
<p><code>status</code> is <code>authorized</code>, and you get ${event('payment.authorized')}. The hold ends at <code>payment_deadline</code>, after 30 days or earlier if the bank says so. Then the payment expires: ${event('payment.expired')}.</p>
<p>Capture all of it, or a part. The rest is released, and there is no second capture. This takes 20 dollars:</p>
<pre tabindex="0"><code>export PAYMENT=pay_…</code></pre>
${sample(capture_payment)}
<p>An amount above the authorized total returns ${error('invalid_parameter')}, and a payment that is not held ${error('not_capturable')}. If the bank declines the capture, you get a 402 and the payment stays <code>authorized</code>.</p>
<p>To release the whole amount, cancel the payment:</p>
${sample(cancel_payment)}
<p>A payment that is captured cannot be cancelled (${error('not_cancellable')}). Refund it.</p>`,
    },
    {
      id: 'declines',
      title: 'What to tell the customer after a decline',
      body: ({ guide, event }) => html`
<p>${guide('errors', 'declines')} has a sentence for each code. The code is in <code>error.code</code> of the response, and in <code>failure_code</code> of the failed payment and of ${event('payment.failed')}.</p>`,
    },
    {
      id: 'test',
      title: 'How to test it',
      body: ({ guide }) => html`
<p>With a test key, <code>4111111111111111</code> succeeds, <code>4123111111111059</code> is declined and <code>4100000000000100</code> needs 3-D Secure: its <code>redirect_url</code> is a page with the buttons <em>Authenticate</em>, <em>Fail</em> and <em>Close</em>. Any expiry date in the future, name and security code will do. ${guide('testing')} has all numbers.</p>`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide }) => html`
<ul>
<li>Decide by webhook that an order is paid: ${guide('webhooks')}</li>
<li>Give money back: ${guide('refunds')}</li>
<li>Store cards and charge them again: ${guide('subscriptions')}</li>
<li>Repeat requests safely: ${guide('idempotency')}</li>
</ul>`,
    },
  ],
}
