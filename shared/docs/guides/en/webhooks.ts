import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import { receive_webhooks_by_body } from '../../samples/webhook-body-receivers.ts'
import { receive_webhooks } from '../../samples/webhook-receivers.ts'
import * as samples from '../../samples/webhooks.ts'

export const webhooks: Guide = {
  slug: 'webhooks',
  title: 'Webhooks',
  summary: 'Receive every event at your server, check its signature and process it once.',
  sections: [
    {
      id: 'overview',
      title: 'What you build',
      body: ({
        event,
        guide,
      }) => html`<p>At the end of this guide, your server receives an HTTP POST for each event, such as
${event('payment.captured')}. It knows that the request is genuine, processes each event once, and catches up after an
outage.</p>
<p>You need webhooks for everything that happens while no request of yours is open: a customer pays in a convenience
store, passes 3-D Secure or pays on a hosted page, and a subscription renews.
The catalogue of ${guide('events')} has every type.</p>`,
    },
    {
      id: 'create',
      title: '1. Create a webhook',
      body: ({ sample, event, note }) => html`<p>Make a secret and keep it with the other secrets of your server:</p>
${sample(samples.make_secret)}
<p>Create the webhook with this secret and the events that you need:</p>
${sample(samples.create_webhook)}
<pre tabindex="0"><code>{
  "id": "whk_…",
  "url": "https://shop.example.com/webhooks",
  "active": true,
  "event_list": ["payment.captured", "payment.failed", "payment.refund.created"]
}</code></pre>
<p>The service sends a ${event('ping')} at once. The secret is never returned. You can have 100 webhooks in each mode.
List only the events that you process.</p>
${note(html`The URL must lead to a public address. In live mode it must be https, with a valid certificate. Redirects are
not followed.`)}`,
    },
    {
      id: 'receive',
      title: '2. Receive and verify',
      body: ({ sample, table }) => html`<p>A delivery looks like this:</p>
<pre tabindex="0"><code>POST /webhooks HTTP/1.1
Content-Type: application/json
User-Agent: Service-Webhook
X-Service-ID: dlv_…
X-Service-Event: payment.captured
X-Service-Sequence: 3
X-Service-Signature: 5e0c…
webhook-id: dlv_…
webhook-timestamp: 1893553200
webhook-signature: v1,K5oZ…

{"id":"evt_…","type":"payment.captured","resource":"event","data":{"id":"pay_…", …},"created_at":"2030-01-02T03:00:00Z"}</code></pre>
<p>Anyone can send a POST to your URL, so verify the signature before you read the body. The
<a href="https://www.standardwebhooks.com">Standard Webhooks</a> headers are the recommended way:</p>
<ol>
<li>Read the raw bytes of the body. A body that was parsed and written again has another signature.</li>
<li>Refuse a <code>webhook-timestamp</code> that is more than five minutes from your clock. An attacker who recorded a
delivery cannot send it again later.</li>
<li>Compute HMAC-SHA256 of <code>webhook-id</code>, a dot, <code>webhook-timestamp</code>, a dot, and the body. The key is
the decoded base64 after <code>whsec_</code>.</li>
<li>Accept the delivery if one of the signatures in <code>webhook-signature</code> is <code>v1,</code> and the base64 of
this HMAC. During a rotation of the secret, the header has two signatures. Compare in constant time.</li>
</ol>
<p>These programs do it with the standard library of their language. They read <code>PORT</code> and
<code>WEBHOOK_SECRET</code>, answer 200 to a genuine delivery and 400 to anything else:</p>
${sample(receive_webhooks)}
${table(
  ['If you use', 'the raw body is'],
  [
    ['Express', html`<code>express.raw({ type: 'application/json' })</code>, then <code>request.body</code>`],
    ['Django, Flask', html`<code>request.body</code>, <code>request.get_data()</code>`],
    ['Laravel', html`<code>$request->getContent()</code>`],
    ['Rails', html`<code>request.raw_post</code>`],
  ],
)}
<p>A library of Standard Webhooks in your language verifies the same headers.</p>`,
    },
    {
      id: 'body-signature',
      title: 'Or verify the signature of the body',
      body: ({
        sample,
        note,
      }) => html`<p><code>X-Service-Signature</code> is the hex HMAC-SHA256 of the raw body. Its key
is the whole secret as text, <code>whsec_</code> included. The secret can be any text of 1 to 255 characters.</p>
${sample(receive_webhooks_by_body)}
${note(html`This signature contains no time and is made with the current secret only. Prefer the Standard Webhooks
headers: they reject recorded deliveries, and a rotation of the secret loses no delivery.`)}`,
    },
    {
      id: 'process',
      title: '3. Answer fast, process once, in order',
      body: ({ sample, table }) => html`${table(
        ['Fact', 'What your receiver does'],
        [
          [
            'Any 2xx is a success. Everything else, and an answer after 15 seconds, is a failure and is repeated.',
            'It stores the event and answers 200. It processes the event afterwards.',
          ],
          [
            'An event can arrive more than once.',
            html`It stores <code>webhook-id</code> with a unique constraint and skips an id that is stored.
<code>X-Service-ID</code> has the same value. It stays the same through all retries and redeliveries.`,
          ],
          [
            'Events can arrive in another order than they happened.',
            html`It compares <code>X-Service-Sequence</code>, the version of the resource, and ignores a lower version
than the one that it has stored for this resource.`,
          ],
          [
            html`<code>data</code> is the resource at the moment of the event.`,
            'If it needs the present state, it shows the resource with GET.',
          ],
        ],
      )}
<p>A database does both checks in one transaction. This program stores each delivery once and keeps the newest state of
each payment:</p>
${sample(samples.store_once)}`,
    },
    {
      id: 'retries',
      title: 'Retries',
      body: ({
        guide,
      }) => html`<p>After a failure, the delivery is repeated up to 25 times in 25 days. The waits grow from
4 seconds to 100 hours. The catalogue of ${guide('events', 'retries')} lists every wait. After the last retry, the
delivery is <code>failed</code>. A slow receiver delays no other receiver.</p>`,
    },
    {
      id: 'recover',
      title: 'Recover after an outage',
      body: ({ sample, table, error }) => html`<p>List what has not arrived, with the answer of your server to each
attempt:</p>
${sample(samples.list_deliveries)}
<pre tabindex="0"><code>{
  "id": "dlv_…",
  "event_type": "payment.captured",
  "status": "pending",
  "next_attempt_at": "2030-01-02T03:00:04Z",
  "attempts": [
    { "attempted_at": "2030-01-02T03:00:00Z", "status_code": 503, "latency_ms": 12, "response_body": "", "error": null }
  ]
}</code></pre>
${table(
  ['error of an attempt', 'What to repair'],
  [
    ['null, with a status_code', 'Your server answered with a status other than 2xx.'],
    ['timeout', 'Your server did not answer within 15 seconds.'],
    ['connection_failed, name_not_resolved', 'The server or its name in the DNS could not be reached.'],
    ['tls_failed', 'The certificate is not valid or has expired.'],
    ['blocked_address', 'The name leads to an address that is not public.'],
    ['invalid_response', 'The answer is not HTTP.'],
    ['webhook_inactive, webhook_deleted', 'The webhook was switched off or deleted before the attempt.'],
  ],
)}
<p>When your server works again, you need not wait for the retries. One request sends everything again whose last attempt
failed since a time, oldest first:</p>
${sample(samples.recover_webhook)}
<p>To send a single delivery again, also one that has arrived:</p>
${sample(samples.redeliver)}
<p>Both return ${error('unprocessable_entity')} if the webhook is deleted or not active. <code>GET /events</code> lists
all events, whether or not a webhook listed them.</p>`,
    },
    {
      id: 'rotate',
      title: 'Replace the secret',
      body: ({ sample }) => html`<ol>
<li>Rotate the secret. For <code>grace_seconds</code> (a day by default, at most 30 days),
<code>webhook-signature</code> has a signature of the new secret and one of the old secret, so your receiver accepts every
delivery with either secret.</li>
<li>Deploy the receiver with the new secret within this time.</li>
</ol>
${sample(samples.rotate_secret)}
<p>If the secret has leaked, send <code>grace_seconds</code> 0: the old secret ends at once.</p>`,
    },
    {
      id: 'per-payment',
      title: 'Webhooks of a single payment',
      body: ({ sample, reference }) => html`<p>A payment can bring up to ten webhooks of its own. They run beside the
webhooks that you create as in step 1, get the same headers, and need no set-up. <code>events</code> takes payment events only.</p>
${sample(samples.payment_with_webhook)}
<p>Sessions take them in <code>payment_data[webhooks]</code>. See the reference of ${reference('payments')}.</p>`,
    },
    {
      id: 'problems',
      title: 'What can go wrong',
      body: ({ error, table }) =>
        html`${table(
          ['Symptom', 'Cause', 'What to do'],
          [
            [
              html`${error('invalid_parameter')}, <code>param</code> <code>url</code>`,
              'The URL is private, or not https in live mode.',
              'Use a public https URL.',
            ],
            [
              html`${error('invalid_parameter')}, <code>param</code> <code>secret_token</code>`,
              'The secret begins with whsec_ and does not go on with base64. Often, a form turned + into a space.',
              'Encode the form, or send JSON.',
            ],
            [
              'No signature matches',
              'The body was parsed before the verification, or the secret is that of another webhook or mode.',
              'Read the raw body. Each webhook has its own secret.',
            ],
            [
              'The timestamp is always too old',
              'The clock of the receiver is wrong, or events wait in a queue before the verification.',
              'Synchronize the clock. Verify before you queue.',
            ],
            [
              'No webhook-signature header',
              'The webhook has no secret.',
              html`Set one with <code>PATCH /webhooks/:id</code>.`,
            ],
          ],
        )}`,
    },
    {
      id: 'test',
      title: 'Test it',
      body: ({ sample, event }) => html`<p>Send a ${event('ping')} at any time, even to a webhook that does not list
it:</p>
${sample(samples.ping_webhook)}
<ul>
<li>A local run of the service delivers test-mode webhooks to <code>http://127.0.0.1</code>, so the receiver above runs on
the same machine.</li>
<li>Elsewhere, give your machine a public https address with a tunnel.</li>
<li>Test both sides: a genuine delivery returns 200, and the same delivery with one changed byte returns 400.</li>
<li>Let the receiver return 500 once and see that the retry arrives with the same <code>webhook-id</code>.</li>
</ul>`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide, reference }) => html`<ul>
<li>The catalogue of ${guide('events')}: every type with an example.</li>
<li>${reference('webhooks')} and ${reference('deliveries')}: all parameters.</li>
<li>${guide('idempotency')}: the same care in the other direction.</li>
</ul>`,
    },
  ],
}
