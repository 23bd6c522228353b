import { html } from 'hono/html'
import { sentenceOf } from '#shared/domain/errors.ts'
import type { Guide } from '../../guide.ts'
import { pay_order, pay_with_retries } from '../../samples/idempotency.ts'

/** The guide to idempotency and retries. */
export const idempotency: Guide = {
  slug: 'idempotency',
  title: 'Idempotency and retries',
  summary: 'Repeat any request safely, so that no customer is charged twice.',
  sections: [
    {
      id: 'overview',
      title: 'What you build',
      body: () => html`<p>A connection can break after a payment is made and before your server reads the answer. Your
server then does not know whether the customer was charged. With an <code>Idempotency-Key</code>, it sends the same
request again: the service executes it once and returns the same answer.</p>
<p>Send the header with every POST and PATCH that you may have to repeat. GET and DELETE are safe
to repeat without it; a repeated DELETE can return 404.</p>`,
    },
    {
      id: 'choose',
      title: '1. Choose a key',
      body: ({ table }) => html`<p>A key names one intention, such as "pay order 1042". It has 1 to 255 printable
characters, and is kept for 24 hours.</p>
${table(
  ['Key', 'Good or bad'],
  [
    [
      'The number of the order and the step: pay-1042',
      'Good. Every retry finds it, also after a restart of your server.',
    ],
    ['A random UUID that you store with the order before you send the request', 'Good.'],
    ['A random UUID that each try makes anew', 'Bad. The retry is a new request and can charge twice.'],
    ['The id of the customer', 'Bad. The next purchase of this customer has the same key.'],
  ],
)}
<p>When a customer tries again with another card, that is a new intention: use a new key, such as
<code>pay-1042-2</code>.</p>
<p>Most other samples make a random key or add the token, because each run of a sample is a new request. In your shop,
derive the key from the order or store it.</p>`,
    },
    {
      id: 'send',
      title: '2. Send it',
      body: ({ sample, table, error }) => html`<pre tabindex="0"><code>export ORDER=1042
export TOKEN=tok_…</code></pre>
${sample(pay_order)}
<p>Run it twice. The second answer has the same payment and the header <code>Idempotent-Replayed: true</code>.</p>
${table(
  ['The first request', 'The same key again returns'],
  [
    ['succeeded', 'The first answer, byte by byte.'],
    [
      'was declined (402) or not valid (404, 413, 422)',
      'The first answer. A replayed error has the request_id of the first request in its body.',
    ],
    ['returned 400, 401, 403, 409, 415 or 429', 'A new answer. The request was not executed, so the key is free.'],
    [
      'returned 500, 503 or 504, or you got no answer',
      html`The answer of the same operation. The acquirer never executes it a second time. While its outcome is unknown,
${error('gateway_timeout')} is returned.`,
    ],
    ['is still running', html`${error('idempotency_in_flight')} with <code>Retry-After</code>.`],
    ['had another body or path', html`${error('idempotency_mismatch')}. Nothing is executed.`],
  ],
)}
<p>A key belongs to one merchant and to one kind of API key. The same body as a form and as JSON is the same
request.</p>`,
    },
    {
      id: 'retry',
      title: '3. Repeat what can succeed',
      body: ({ sample, table, error }) => html`${table(
        ['Answer', 'Repeat with the same key?'],
        [
          ['No answer: the connection broke or timed out', 'Yes.'],
          [html`${error('gateway_timeout')}, ${error('internal_server_error')}`, 'Yes.'],
          [
            html`${error('service_unavailable')}, ${error('rate_limited')}, ${error('idempotency_in_flight')}`,
            html`Yes, after the seconds in <code>Retry-After</code>.`,
          ],
          [
            error('conflict'),
            'Yes. Another request changed the same resource. Read it first if the decision depends on it.',
          ],
          [
            '402, such as a decline',
            html`No. Ask the customer for another card, unless <code>failure_code</code> is <code>never_arrived</code>. Use a
new key.`,
          ],
          ['Any other 4xx', 'No. Repair the request, and use a new key.'],
        ],
      )}
<p>Wait longer before each retry, at random, so that many clients do not return at once. Wait at least 30 seconds for an
answer. With <code>--retry</code>, curl repeats after time-outs, 429 and 5xx, and obeys <code>Retry-After</code>. When the retries are used up, the outcome is unknown:
go on as below.</p>
${sample(pay_with_retries)}`,
    },
    {
      id: 'unknown',
      title: 'Unknown outcomes',
      body: ({ error, event, guide }) => html`<p>${error('gateway_timeout')} means that the acquirer has not answered in
time. The money may have moved. <code>details.payment</code> names the payment:</p>
<pre tabindex="0"><code>{
  "error": {
    "code": "gateway_timeout",
    "message": "${sentenceOf('gateway_timeout')}",
    "details": { "payment": "pay_…" }
  }
}</code></pre>
<p>Never create the payment again with another key. Do one of these instead:</p>
<ul>
<li>Repeat the request with the same key until the answer is final.</li>
<li>Wait for ${event('payment.captured')} or ${event('payment.failed')} by ${guide('webhooks', 'receive')}.</li>
<li>Show the payment later. It is <code>pending</code> until the outcome is known.</li>
</ul>
<p>The service asks the acquirer on its own, first after a minute. If the charge has never reached the acquirer, the
payment becomes <code>failed</code> with <code>failure_code</code> <code>never_arrived</code>, and the same key returns 402
${error('other_error')}. Nothing was charged: get a new token for the same card, and use a new key.</p>
<p>The same holds for refunds, captures and cancellations: their amount is reserved until the outcome is known.</p>`,
    },
    {
      id: 'problems',
      title: 'What can go wrong',
      body: ({ error, table }) =>
        html`${table(
          ['Symptom', 'Cause', 'What to do'],
          [
            [
              error('idempotency_mismatch'),
              'The retry has another body. Often it carries a new token, a new time or a new random value.',
              'Store the body with the key, and send both again as they were.',
            ],
            [
              html`A decline is returned again, with <code>Idempotent-Replayed</code>`,
              'The customer tried another time with the same key and the same token.',
              'Use a new key for each try of the customer.',
            ],
            [
              html`${error('invalid_parameter')}, <code>param</code> <code>Idempotency-Key</code>`,
              'The key is empty, longer than 255 characters or not printable.',
              'Send plain letters, digits and hyphens.',
            ],
            [
              'Two payments for one order',
              'The key was made anew for each try, or the retry came after more than 24 hours.',
              html`Derive the key from the order. After a day, search with
<code>GET /payments?external_order_num=</code> first.`,
            ],
          ],
        )}`,
    },
    {
      id: 'test',
      title: 'Test it',
      body: ({ table }) => html`<p>In test mode, the header <code>X-Service-Scenario</code> makes the acquirer fail on
purpose. It does not count as a part of the request, so you can leave it out of the retry. An unknown scenario returns
422 and leaves the key free.</p>
${table(
  ['Scenario', 'What happens', 'The retry with the same key'],
  [
    [
      'timeout_after_charge',
      'The customer is charged, the answer is lost. The response is 504.',
      'Returns the captured payment.',
    ],
    [
      'timeout_before_charge',
      'The order never reaches the acquirer. The response is 504.',
      'Within a minute and without the header, it charges once. Later, it returns 402 other_error: nothing was charged.',
    ],
    ['duplicate_answer', 'The acquirer reports the order as a duplicate.', 'Replays the one payment.'],
    [
      'slow',
      'The answer takes a few seconds.',
      'Returns 409 until the first request is done. Retry-After is up to 40 seconds.',
    ],
  ],
)}`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide }) => html`<ul>
<li>${guide('errors')}: what each answer means.</li>
<li>${guide('webhooks')}: learn outcomes without asking.</li>
<li>${guide('testing')}: all test cards and scenarios.</li>
</ul>`,
    },
  ],
}
