import { html } from 'hono/html'
import { sentenceOf } from '#shared/domain/errors.ts'
import type { Guide } from '../../guide.ts'
import { declined_payment, handle_errors, invalid_payment } from '../../samples/errors.ts'

/** The guide to errors. */
export const errors: Guide = {
  slug: 'errors',
  title: 'Errors',
  summary: 'Read an error, and decide whether the customer, your program or a retry must act.',
  sections: [
    {
      id: 'overview',
      title: 'What an error looks like',
      body: ({
        sample,
        table,
      }) => html`<p>A request that succeeds returns 200; the content of a file is a redirect with 302. Every other answer has the same body.
This payment has three faults:</p>
${sample(invalid_payment)}
<pre tabindex="0"><code>HTTP/1.1 422 Unprocessable Entity
X-Request-Id: 88dd6d7f-8872-44b2-b6f3-bd0b2d517b16

{
  "error": {
    "code": "invalid_parameter",
    "message": "amount must be an integer from 1 to 9999999999 in the smallest unit of the currency (10.50 USD is …",
    "param": "amount",
    "details": {
      "errors": [
        { "code": "invalid_parameter", "message": "amount must be an integer …", "param": "amount" },
        { "code": "invalid_currency", "message": "currency must be an active ISO 4217 …", "param": "currency" },
        { "code": "missing_parameter", "message": "payment_details is required, …", "param": "payment_details" }
      ]
    },
    "request_id": "88dd6d7f-8872-44b2-b6f3-bd0b2d517b16",
    "doc_url": "https://…/docs/errors#invalid_parameter"
  }
}</code></pre>
${table(
  ['Field', 'Use it to'],
  [
    ['code', 'Decide in your program. The codes do not change.'],
    ['message', 'Learn what to do. It is written for developers and can change, so do not compare it.'],
    [
      'param',
      'Find the parameter, in the notation of forms: payment_details[number]. Null if no parameter is at fault.',
    ],
    [
      'details.errors',
      'See the faults of a 422 at once, at most 100. A fault can hide others: a wrong card number hides a past date. param and message describe the first fault.',
    ],
    ['details.payment', 'Find the payment of a decline or of an unknown outcome.'],
    ['request_id', 'Write it to your log, and send it with a question to support. It is also in X-Request-Id.'],
    ['doc_url', 'Open the entry of the code below.'],
  ],
)}`,
    },
    {
      id: 'decide',
      title: 'What to do',
      body: ({ sample, table, error, guide }) => html`${table(
        ['Status', 'Who acts', 'What to do'],
        [
          ['402', 'The customer', 'Offer another card or another payment method.'],
          [
            html`402 ${error('other_error')} after a 504`,
            'Your page',
            html`If <code>failure_code</code> of the payment is <code>never_arrived</code>, nothing was charged. Make a new
token for the same card, and use a new key.`,
          ],
          [
            html`422 ${error('fraudulent')}`,
            'The customer',
            'Offer another payment method. Do not try this card again.',
          ],
          [html`422 ${error('invalid_token')}`, 'Your page', 'Make a new token in the browser.'],
          ['Other 422, 400, 404, 405, 413, 415', 'You', 'Repair the request. A retry returns the same.'],
          ['401, 403', 'You', 'Use the key of the right kind and mode.'],
          [
            '409, 429, 500, 503, 504',
            'Your program',
            html`Repeat with the same key: ${guide('idempotency', 'retry')}.`,
          ],
        ],
      )}
<p>A shop needs few branches:</p>
<pre tabindex="0"><code>export ORDER=1004
export TOKEN=tok_…</code></pre>
${sample(handle_errors)}`,
    },
    {
      id: 'declines',
      title: 'Declines',
      body: ({ sample, table, error, event }) => html`${sample(declined_payment)}
<pre tabindex="0"><code>HTTP/1.1 402 Payment Required

{
  "error": {
    "code": "card_declined",
    "message": "${sentenceOf('card_declined')}",
    "param": null,
    "details": { "payment": "pay_…" },
    …
  }
}</code></pre>
<p>A declined payment is stored with <code>status</code> <code>failed</code>, and ${event('payment.failed')} is emitted.
It stays failed: a new try is a new payment.</p>
${table(
  ['Code', 'What to say to the customer'],
  [
    [
      html`${error('card_declined')}, ${error('restricted_account')}, ${error('other_error')} without a 504 before it`,
      'The card was declined. Please use another card, or ask your bank.',
    ],
    [html`${error('insufficient_funds')}, ${error('exceeds_limit')}`, 'Please use another card.'],
    [
      html`${error('invalid_number')}, ${error('card_expired')}, ${error('bad_verification_value')}`,
      'Please check the number, the date and the code of the card.',
    ],
    [html`${error('invalid_account')}, ${error('used_number')}`, 'Please check the number, or use another method.'],
    ['failed_authentication, below', 'The check by your bank was not completed. Please try again.'],
    [error('fraudulent'), 'The card was declined. Do not say why: a thief would learn from it.'],
  ],
)}
<p>The payment shows the reason as <code>failure_code</code> and <code>failure_message</code>. Declines that happen later,
without a request of yours, have codes of their own there:</p>
${table(
  ['failure_code', 'Meaning'],
  [
    ['failed_authentication', 'The customer did not pass 3-D Secure.'],
    ['refused_by_customer', 'The customer did not approve the payment in the wallet or at the bank.'],
    [
      'never_arrived',
      'The charge did not reach the acquirer, so nothing was charged. Charge the same card with a new token and a new key.',
    ],
    ['no_payment_details', 'Only in last_failure of a subscription: the customer has no stored card.'],
    ['cancelled', 'Only in last_failure of a subscription: the payment was cancelled before it was captured.'],
  ],
)}`,
    },
    {
      id: 'surprises',
      title: 'Answers that surprise',
      body: ({ table, error }) =>
        html`${table(
          ['Answer', 'Usual cause'],
          [
            [
              html`${error('not_found')} for an id that exists`,
              'The key is of the other mode or of another merchant. Test and live share nothing.',
            ],
            [
              html`${error('invalid_parameter')} for an unknown id in a body`,
              'Only an unknown id in the path returns 404.',
            ],
            [
              html`${error('unauthorized')} with a right key`,
              'The key was revoked, or the Basic password is not empty. curl needs the colon after the key.',
            ],
            [html`${error('forbidden')}`, 'A publishable key (pk_) was used on the server. Use the secret key (sk_).'],
            [
              '200, but a parameter has no effect',
              html`Its name is misspelt. Unknown names are ignored. In test mode, the response header
<code>X-Service-Ignored-Parameters</code> lists them.`,
            ],
            [
              html`A session answers 200 with <code>error</code>`,
              html`<code>POST /sessions/:id/pay</code> reports a decline in this form, and the session stays open.`,
            ],
          ],
        )}`,
    },
    {
      id: 'test',
      title: 'Test it',
      body: ({ table, guide }) => html`${table(
        ['To see', 'Send in test mode'],
        [
          ['card_declined', 'the card 4123111111111059'],
          ['insufficient_funds', 'the card 4123111111111000'],
          ['bad_verification_value', 'the card 4123111111111034'],
          ['card_expired', 'the card 4123111111111042'],
          ['fraudulent', 'the card 4123111111111083'],
          ['gateway_timeout', html`the header <code>X-Service-Scenario: timeout_after_charge</code>`],
          ['unauthorized', 'a key with one changed letter'],
        ],
      )}
<p>All test cards are in ${guide('testing')}. All codes follow below.</p>`,
    },
  ],
}
