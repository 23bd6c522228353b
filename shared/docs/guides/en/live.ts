import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import * as samples from '../../samples/live.ts'

/** The guide to going live. */
export const live: Guide = {
  slug: 'live',
  title: 'Go live',
  summary: 'Send your application for live payments, correct it if needed, and switch to the live keys.',
  sections: [
    {
      id: 'overview',
      title: 'What you have at the end',
      body: ({
        table,
        note,
      }) => html`<p>At the end of this guide, your application for live payments is approved and your
shop runs with live keys. You can do all of it with requests, or only read how it works.</p>
<p>You send records about your shop, upload documents, and submit the application. The operator of the service examines
it. You then correct it, or go live.</p>
${table(
  ['Key', 'Application'],
  [
    ['sk_test_…', 'A practice application. Nobody examines it, and you choose the result yourself.'],
    ['sk_live_…', 'The application of your live merchant, which the operator examines.'],
  ],
)}
<p>Practise with the test key first. For the real application, repeat the same requests with the live key: the two modes
share neither records nor files.</p>
${note(html`Onboarding and files are pre-release. Their fields may change.`)}`,
    },
    {
      id: 'files',
      title: '1. Upload the documents',
      body: ({ sample, table, error }) => html`<pre tabindex="0"><code>export CERTIFICATE=certificate.pdf</code></pre>
${sample(samples.upload_file)}
<pre tabindex="0"><code>{ "id": "fil_…", "filename": "certificate.pdf", "size": 48213, "mime_type": "application/pdf" }</code></pre>
<p>A file is a PDF, PNG, JPEG, HEIC or WEBP of at most 4 MB. Its content decides, not its name. Only your merchant can
read it. Send the <code>id</code> in the records:</p>
${table(
  ['Document', 'Field'],
  [
    [
      'Certificate of incorporation, for a corporation',
      html`<code>incorporation_certificates</code> of company_information`,
    ],
    ['Proof of business, for a sole proprietor', html`<code>sole_proprietor_proofs</code> of company_information`],
    [
      'Photo ID of the representative',
      html`<code>identity_front</code> and <code>identity_back</code> of personal_information. For a passport, the front
is enough. Both are never returned.`,
    ],
    ['PCI DSS certificate, if you have one', html`<code>pci_compliance_proofs</code> of payment_methods/credit_card`],
  ],
)}
<p>A larger file returns ${error('payload_too_large')}. <code>GET /files/:id/content</code> redirects to a link that
downloads the file and is valid for five minutes.</p>`,
    },
    {
      id: 'records',
      title: '2. Send the records',
      body: ({
        sample,
      }) => html`<p>All fields of a record are optional when you send it. You can send a record in several
steps: POST and PATCH change only the fields that they name. The samples below send every field that an application of a
company in Japan requires.</p>
<pre tabindex="0"><code>export FILE=fil_…</code></pre>
<h3>The site</h3>
${sample(samples.send_site)}
<pre tabindex="0"><code>{ "resource": "site_information", "status": "pending", "site_name": "Blue Shop", … }</code></pre>
<p><code>sctl_url</code> is the page of your shop with the notation of the Specified Commercial Transactions Law. It is
read during the examination. <code>site_annual_sales</code> is in the smallest unit of its currency.</p>
<h3>The company</h3>
${sample(samples.send_company)}
<p>For a sole proprietor, <code>corporation_type</code> is <code>sole_proprietor</code>, and
<code>sole_proprietor_proofs</code> replaces <code>incorporation_certificates</code>.</p>
<h3>The representative</h3>
${sample(samples.send_person)}
<h3>The bank account</h3>
${sample(samples.send_bank_account)}
<p>For a bank account outside Japan, send any <code>transfer_type</code> other than <code>domestic</code>, such as
<code>overseas</code>, and either the <code>sepa_</code> fields or the <code>swift_</code> fields.</p>
<h3>The payment methods</h3>
${sample(samples.send_card_record)}
<p>Send <code>convenience_store</code>, <code>chain_store</code> and <code>wallet</code> in the same way, for what your shop
offers. You can submit without these records: <code>requested_fields</code> never names them. Only POST and PATCH show
them.</p>`,
    },
    {
      id: 'submit',
      title: '3. Submit',
      body: ({ sample, error }) => html`<p>See what is missing:</p>
${sample(samples.show_application)}
<pre tabindex="0"><code>{
  "resource": "live_application",
  "status": "pending",
  "requested_fields": ["site_information[site_url]", "company_information[contact_phone]"],
  "rejection_reason": null,
  "submitted_at": null
}</code></pre>
<p>When <code>requested_fields</code> is empty, submit:</p>
${sample(samples.submit_application)}
<p>An incomplete application returns ${error('missing_parameter')}. Like every error with several faults,
it lists them in <code>details.errors</code>: one entry with <code>code</code>, <code>param</code> and <code>message</code>
for each missing field.</p>`,
    },
    {
      id: 'examination',
      title: '4. Wait for the examination',
      body: ({ table, note }) => html`${table(
        ['status', 'submitted_at', 'Meaning'],
        [
          ['pending', 'null', 'You have not submitted, or you changed a record after the submission. Submit.'],
          ['pending', 'a time', 'The operator is examining the application. Wait.'],
          ['rejected', 'a time', 'Read rejection_reason and correct the records.'],
          ['rejected', 'null', 'You have corrected a record. Submit again when all corrections are made.'],
          ['approved', 'a time', 'You can go live.'],
        ],
      )}
<p>Show the application once a day, for example. No event is emitted. A record has the <code>status</code>
of the last result, and <code>pending</code> after a change. The records of the payment methods have none.</p>
${note(html`Do not change a record while you wait. A change withdraws the submission, also after an approval and also
with the same values, so that nothing is approved that the operator has not seen.`)}`,
    },
    {
      id: 'correct',
      title: '5. Correct a rejected application',
      body: ({
        sample,
      }) => html`<p><code>rejection_reason</code> says what to correct, in the words of the operator. Change
the records that it concerns:</p>
${sample(samples.correct_record)}
<p>The application stays <code>rejected</code> with its reason until you submit it again, so you can read the reason while
you correct several records.</p>`,
    },
    {
      id: 'keys',
      title: '6. Switch to the live keys',
      body: ({ table, guide, error }) => html`<p>Replace the test keys by the live keys in the configuration of your
server and of your page. No code changes.</p>
${table(
  ['What', 'Do it again in live mode?'],
  [
    ['Keys', 'Yes: sk_live_… on the server, pk_live_… in the browser.'],
    ['Webhooks', 'Yes. Create them with the live key, with https URLs and new secrets.'],
    ['Customers, subscriptions, payments', 'They do not move. Test objects stay in test mode.'],
    ['Test cards and X-Service-Scenario', 'They have no effect in live mode.'],
  ],
)}
<p>Keep the secret key out of your repository, your page and your logs. If your key belongs to an account that a platform
has created, the platform can roll it without an interruption: see ${guide('platforms', 'roll')}.</p>
<p>Make one real payment of a small amount and refund it. A live payment returns ${error('service_unavailable')} while no
acquirer is connected for live payments: ask the operator.</p>`,
    },
    {
      id: 'checklist',
      title: 'Checklist',
      body: ({ guide }) => html`<ul>
<li>The application is <code>approved</code>.</li>
<li>Card numbers reach only your customers' browsers and this service, never your server: ${guide('cards')}.</li>
<li>Every POST carries an <code>Idempotency-Key</code> that survives a restart: ${guide('idempotency')}.</li>
<li>The receiver of webhooks verifies signatures, skips repeated deliveries and runs on https: ${guide('webhooks')}.</li>
<li>Declines lead the customer to another try, and 5xx answers to a retry: ${guide('errors')}.</li>
<li>An order is delivered only after the payment is <code>captured</code>, not when the customer returns to the shop.</li>
<li>You have tried every case of ${guide('testing')}, also expired cash payments and refunds.</li>
<li>Your log keeps <code>request_id</code> and the ids of payments, and no card data.</li>
</ul>`,
    },
    {
      id: 'problems',
      title: 'What can go wrong',
      body: ({ error, table }) =>
        html`${table(
          ['Answer', 'Cause', 'What to do'],
          [
            [
              html`${error('not_found')} when you show or PATCH a record`,
              'The record does not exist yet in this mode.',
              'Send it with POST first.',
            ],
            [
              html`${error('invalid_parameter')}, <code>param</code> is a field of files`,
              'The file is unknown, or you uploaded it with a key of the other mode.',
              'Upload it again with the key of the application.',
            ],
            [
              html`${error('invalid_parameter')}, <code>param</code> <code>paper</code>`,
              'The file is empty or of another type.',
              'Send a PDF, PNG, JPEG, HEIC or WEBP.',
            ],
            [
              html`${error('invalid_parameter')}, <code>param</code> <code>simulate_status</code>`,
              'Only test keys choose the result.',
              'Leave it out with a live key.',
            ],
          ],
        )}`,
    },
    {
      id: 'test',
      title: 'Test it',
      body: ({ sample }) => html`<p>With a test key, <code>simulate_status</code> sets the result of the examination at
once: <code>approved</code>, <code>rejected</code> or <code>pending</code>.</p>
${sample(samples.simulate_rejection)}
<pre tabindex="0"><code>{ "status": "rejected", "rejection_reason": "The rejection is simulated.", … }</code></pre>
<p>Correct a record, submit again, and see the status change.</p>`,
    },
    {
      id: 'next',
      title: 'Where to go next',
      body: ({ guide, reference }) => html`<ul>
<li>${reference('live_application')} and ${reference('files')}: all fields.</li>
<li>${guide('platforms')}: do this for the shops of your platform.</li>
</ul>`,
    },
  ],
}
