import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import * as samples from '../../samples/platforms.ts'

/** The guide to platforms and their accounts. */
export const platforms: Guide = {
  slug: 'platforms',
  title: 'Platforms and accounts',
  summary: 'Open accounts for the shops of your platform, act for them, and manage their keys.',
  sections: [
    {
      id: 'overview',
      title: 'What you build',
      body: ({ note }) => html`<p>At the end of this guide, your platform opens an account for each of its shops, takes
payments for them, and hands out and replaces their keys.</p>
<p>An <strong>account</strong> is a business. It has two <strong>merchants</strong>: one for test mode, one for live mode. Payments,
customers, webhooks and settlements belong to a merchant. Your platform is an account itself.</p>
${note(html`Accounts are pre-release. Their fields may change.`)}`,
    },
    {
      id: 'create',
      title: '1. Open an account',
      body: ({ sample, table }) => html`<pre tabindex="0"><code>export ACCOUNT_NAME=blue-shop</code></pre>
${sample(samples.create_account)}
<pre tabindex="0"><code>{
  "id": "acc_…",
  "name": "blue-shop",
  "default_currency": "JPY",
  "time_zone": "Asia/Tokyo",
  "test_merchant": "mer_…",
  "live_merchant": "mer_…",
  "accepted_service_agreement_at": null,
  "accepted_service_agreement_ip": null
}</code></pre>
<p>Store the three ids. The <code>name</code> is unique in the whole service and cannot be changed. PATCH changes
<code>default_currency</code>, <code>time_zone</code> and what customers see of the shop.</p>
<p>The mode of your key decides which requests can manage the account:</p>
${table(
  ['You create the account with', 'Show it, accept the agreement, manage its keys with', 'Its keys are', 'Use it for'],
  [
    ['your test key', 'your test key', 'keys of test_merchant', 'Development'],
    ['your live key', 'your live key', 'keys of live_merchant', 'The shops of your platform'],
  ],
)}
<p>The merchants of the account can show and change it as well, with keys of their own or when you act for them. With any
other key, the account returns 404.</p>`,
    },
    {
      id: 'agreement',
      title: '2. Record the service agreement',
      body: ({
        sample,
      }) => html`<p>Show the terms of the service to the owner of the account. When the owner accepts, send
the time with its offset, and the IP address of the owner:</p>
<pre tabindex="0"><code>export ACCOUNT=acc_…</code></pre>
${sample(samples.accept_agreement)}
<pre tabindex="0"><code>{
  "accepted_service_agreement_at": "2026-01-31T03:00:00Z",
  "accepted_service_agreement_ip": "203.0.113.7"
}</code></pre>
<p>Both are evidence. You are responsible for having shown the terms. A second acceptance replaces both values.</p>`,
    },
    {
      id: 'act',
      title: '3. Act for a merchant',
      body: ({
        sample,
        table,
      }) => html`<p>Send your own secret key as the Basic user name and the id of the merchant as the
Basic password. The request then acts as if the merchant had sent it with a key of its own:</p>
<pre tabindex="0"><code>export MERCHANT=mer_…</code></pre>
${sample(samples.token_as_merchant)}
<pre tabindex="0"><code>export TOKEN=tok_…</code></pre>
${sample(samples.pay_as_merchant)}
<p>Everything that the request creates or finds belongs to this merchant, idempotency keys included.</p>
${table(
  ['Your key', 'Password', 'The request acts for'],
  [
    ['sk_test_…', 'empty', 'your own test merchant'],
    ['sk_test_…', 'test_merchant of an account', 'the test merchant of this account'],
    ['sk_live_…', 'live_merchant of an account', 'the live merchant of this account'],
    ['pk_test_…', 'test_merchant of an account', 'the test merchant, on the endpoints for browsers'],
    ['any', 'a merchant of the other mode or of another platform', 'no merchant: the response is 401'],
  ],
)}
<p>Both merchants of an account can be reached in this way, whichever of your keys created it. Send the records of a live
application with your live key and the <code>live_merchant</code>.</p>`,
    },
    {
      id: 'keys',
      title: '4. Hand out keys',
      body: ({ sample }) => html`<p>A shop that has its own server needs its own keys. <code>kind</code> is
<code>secret</code> or <code>publishable</code>:</p>
${sample(samples.create_key)}
<pre tabindex="0"><code>{
  "id": "key_…",
  "resource": "key",
  "merchant": "mer_…",
  "mode": "test",
  "kind": "secret",
  "revoked_at": null,
  "key": "sk_test_…"
}</code></pre>
<p><code>key</code> is shown only in this answer. Store its <code>id</code> to roll or revoke it later: no
request lists keys. If you lost the id, the operator can revoke the key. A merchant can have
several keys. The mode is that of your own key.</p>`,
    },
    {
      id: 'roll',
      title: '5. Roll and revoke keys',
      body: ({ sample, table }) => html`<p>Rolling makes a new key. The old key stays valid for
<code>grace_seconds</code>: a day by default, at most 30 days.</p>
<pre tabindex="0"><code>export KEY=key_…</code></pre>
${sample(samples.roll_key)}
<p>Revoking ends a key at once:</p>
${sample(samples.revoke_key)}
${table(
  ['Situation', 'What to do'],
  [
    ['A regular exchange of keys', 'Roll with a grace time that covers the deployment.'],
    [
      'A key has leaked',
      'Create a new key, deploy it, then revoke the old one. If it is misused already, revoke it first.',
    ],
    ['An employee leaves', 'Roll the keys that the employee knew.'],
  ],
)}`,
    },
    {
      id: 'brand',
      title: 'Name, color and logo of a shop',
      body: ({ sample, table }) => html`<p>Every page that customers see names the shop, so that they know who gets the
money. Change what they see with PATCH, also for your own account:</p>
${sample(samples.brand_account)}
${table(
  ['Field', 'What customers see', 'Value'],
  [
    [
      html`<code>display_name</code>`,
      html`The name. Without it, they see <code>name</code>.`,
      '1 to 255 characters, none of them invisible',
    ],
    [
      html`<code>accent_color</code>`,
      'The color of buttons and links. If its contrast is too low, the pages darken or lighten it.',
      html`Like <code>#0b5fff</code>`,
    ],
    [
      html`<code>logo</code>`,
      'A picture beside the name. Anyone can open it, also after you replace it.',
      html`The id of a PNG, JPEG or WEBP of at most 100 KB. The merchant that sends the PATCH uploads it with <code>POST /files</code>.`,
    ],
  ],
)}
<p>A change applies to both modes. Null clears a field. The page of a session keeps the name that the account had when the
session was created.</p>`,
    },
    {
      id: 'problems',
      title: 'What can go wrong',
      body: ({ error, table }) =>
        html`${table(
          ['Answer', 'Cause', 'What to do'],
          [
            [
              html`${error('invalid_parameter')}, <code>param</code> <code>name</code>`,
              'An account of the service has this name, perhaps your own from a first try or from the other mode.',
              'Choose another name. Send an Idempotency-Key, so that a retry returns the first account.',
            ],
            [
              html`${error('not_found')} for an account`,
              'The key has the other mode, or the request acts for a merchant, which can only show and change its account.',
              'Send the key that created the account, with an empty password.',
            ],
            [
              html`${error('unauthorized')} with a password`,
              'The merchant is of the other mode, or not of an account that you created.',
              'Send test_merchant with a test key and live_merchant with a live key.',
            ],
            [
              html`${error('invalid_parameter')}, <code>param</code> <code>mode</code>`,
              'You asked for a key of the other mode.',
              'Leave mode out.',
            ],
            [
              html`${error('unprocessable_entity')} when you roll a key`,
              'The key was rolled or revoked before.',
              'Create a new key.',
            ],
          ],
        )}`,
    },
    {
      id: 'test',
      title: 'Test it',
      body: ({
        guide,
      }) => html`<p>All of this works with test keys. Use a name for each run, such as one with the time in it,
because names are never free again. Check that a payment of one shop returns 404 for another shop. Then practise the
application of a shop: ${guide('live')}, with the <code>test_merchant</code> as the password.</p>`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide, reference }) => html`<ul>
<li>${reference('accounts')}: all parameters.</li>
<li>${guide('live')}: the application of each shop.</li>
<li>${guide('webhooks')}: each merchant has its own webhooks. Create them with its id as the password.</li>
</ul>`,
    },
  ],
}
