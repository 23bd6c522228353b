import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import { receive_webhooks_by_body } from '../../samples/webhook-body-receivers.ts'
import { receive_webhooks } from '../../samples/webhook-receivers.ts'
import * as samples from '../../samples/webhooks.ts'

/** The guide to webhooks. */
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
${event('payment.captured')}. Your server checks that the request is genuine, processes each event once, and catches up
after an outage.</p>
<p>You need webhooks for everything that happens while no request of yours is open: a customer pays in a convenience
store, passes 3-D Secure or pays on a hosted page, and a subscription renews.
${guide('events')} has every type.</p>`,
    },
    {
      id: 'create',
      title: '1. Create a webhook',
      body: ({ sample, event, note }) => html`<p>Make a secret and keep it with the other secrets of your server:</p>
${sample(samples.make_secret)}
<p>Create the webhook with this secret and the events that you need. On a local run, use
<code>http://127.0.0.1:8080/webhooks</code> to try this guide:</p>
<pre tabindex="0"><code>export WEBHOOK_URL=https://shop.example.com/webhooks</code></pre>
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
<li>Refuse a <code>webhook-timestamp</code> that is more than five minutes from your clock. Otherwise an attacker who recorded a
delivery could send it again later.</li>
<li>Compute HMAC-SHA256 of <code>webhook-id</code>, a dot, <code>webhook-timestamp</code>, a dot, and the body. The key is
the decoded base64 after <code>whsec_</code>. A secret without this prefix is the key itself, as text.</li>
<li>Accept the delivery if one of the signatures in <code>webhook-signature</code> is <code>v1,</code> and the base64 of
this HMAC. During a rotation of the secret, the header has two signatures. Compare in constant time.</li>
</ol>
<p>These programs do it with the standard library of their language. They read <code>PORT</code> and
<code>WEBHOOK_SECRET</code>, answer 200 to a genuine delivery and 400 to anything else:</p>
<pre tabindex="0"><code>export PORT=8080</code></pre>
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
${note(html`This signature contains no time, and a rotation makes it with the new secret at once. Deploy a receiver that
accepts both secrets, then rotate. Prefer the Standard Webhooks headers: they reject recorded deliveries and have the
signatures of both secrets.`)}`,
    },
    {
      id: 'process',
      title: '3. Answer fast, process once, in order',
      body: ({ table }) => html`${table(
        ['Fact', 'What your receiver does'],
        [
          [
            'Any 2xx is a success. Everything else, and an answer after 15 seconds, is a failure and is repeated.',
            'It stores the event and answers 200. It processes the event afterwards.',
          ],
          [
            'An event can arrive more than once.',
            html`It stores the <code>id</code> of the event with a unique constraint and skips an id that is stored. Two webhooks with
one URL send an event with the same <code>id</code> and two values of <code>webhook-id</code>.`,
          ],
          [
            'Events can arrive in another order than they happened.',
            html`It stores the state of a resource only if <code>X-Service-Sequence</code>, the version of the resource, is higher than
the stored one. It ships an order once, when the stored status is <code>captured</code>, whichever event brought it.
Events of one change have the same sequence.`,
          ],
          [
            html`<code>data</code> is the resource at the moment of the event.`,
            'If it needs the present state, it shows the resource with GET.',
          ],
        ],
      )}
<p>The TypeScript and Python programs of step 2 do both in one transaction of the
database <code>shop.db</code>.</p>`,
    },
    {
      id: 'retries',
      title: 'Retries',
      body: ({
        guide,
      }) => html`<p>After a failure, the delivery is repeated up to 25 times in 25 days: 26 attempts in all. The
waits grow from 4 seconds to 100 hours. ${guide('events', 'retries')} lists every wait. After the last retry, the
delivery is <code>failed</code>. A slow receiver delays no other receiver.</p>`,
    },
    {
      id: 'recover',
      title: 'Recover after an outage',
      body: ({ sample, table, error }) => html`<p>List what has not arrived, with the answer of your server to each
attempt:</p>
<pre tabindex="0"><code>export WEBHOOK=whk_…</code></pre>
${sample(samples.list_deliveries)}
<pre tabindex="0"><code>{
  "id": "dlv_…",
  "event_type": "payment.captured",
  "status": "pending",
  "next_attempt_at": "2030-01-02T03:00:04Z",
  "attempts": [
    { "attempted_at": "2030-01-02T03:00:00Z", "status_code": 503, "latency_ms": 12, "response_body": "", "error": null, "after_unrecorded": false }
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
failed since a time. Deliveries run at the same time, so they do not always arrive oldest first:</p>
<pre tabindex="0"><code>export SINCE=2026-01-02T00:00:00Z</code></pre>
${sample(samples.recover_webhook)}
<p>The response comes before the deliveries: list them again until the list is empty. To send a single delivery again,
also one that has arrived:</p>
<pre tabindex="0"><code>export DELIVERY=dlv_…</code></pre>
${sample(samples.redeliver)}
<p>Both return ${error('unprocessable_entity')} if the webhook is not active. If the webhook is deleted, the redelivery
returns the same error, and the recovery returns 404. An inactive webhook gets no deliveries of the
events that happen meanwhile. This list has all events, newest first:</p>
${sample(samples.list_events)}`,
    },
    {
      id: 'rotate',
      title: 'Replace the secret',
      body: ({ sample }) => html`<ol>
<li>Rotate the secret. For <code>grace_seconds</code> (a day by default, at most 30 days),
<code>webhook-signature</code> has a signature of the new secret and one of the old secret, so your receiver accepts every
delivery with either secret.</li>
<li>Deploy the receiver with the new secret within this time. A second rotation before its end stops the first secret.</li>
</ol>
<pre tabindex="0"><code>export NEW_WEBHOOK_SECRET=whsec_…</code></pre>
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
the same machine. <code>created_at</code> follows the clock that you advance, <code>webhook-timestamp</code> the real time.</li>
<li>Elsewhere, give your machine a public https address with a tunnel.</li>
<li>Test both sides: a genuine delivery returns 200, and the same delivery with one changed byte returns 400.</li>
<li>Let the receiver return 500 once and see that the retry arrives with the same <code>webhook-id</code>.</li>
</ul>`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide, reference }) => html`<ul>
<li>${guide('events')}: every type with an example.</li>
<li>${reference('webhooks')} and ${reference('deliveries')}: all parameters.</li>
<li>${guide('idempotency')}: the same care in the other direction.</li>
</ul>`,
    },
  ],
}
