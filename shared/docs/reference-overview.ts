import { html } from 'hono/html'
import type { Article } from './article.ts'
import { commonCodes } from './endpoint-errors.ts'
import { endpointAnchor } from './endpoint-section.ts'
import type { Html } from './guide.ts'
import { errorLink } from './guide-parts.ts'
import { resources } from './resources.ts'
import { codeBlock, sampleTabs } from './sample-tabs.ts'
import { generate_client, use_client } from './samples/client.ts'
import { apiDescriptionPath, apiUrl, pathTo, type Site } from './site.ts'

/** The first page of the reference: what all requests have in common, and every endpoint. */
export const reference_overview: Article = {
  title: 'API reference',
  summary: 'The base URL, keys and formats of the API, and every endpoint.',
  headings: [
    { id: 'requests', title: 'Requests' },
    { id: 'amounts-and-times', title: 'Amounts and times' },
    { id: 'metadata', title: 'Metadata' },
    { id: 'keys', title: 'Keys' },
    { id: 'responses', title: 'Responses' },
    { id: 'lists', title: 'Lists' },
    { id: 'client', title: 'Generate a client' },
    { id: 'common-errors', title: 'Errors of every endpoint' },
    { id: 'endpoints', title: 'Endpoints' },
  ],
  body: (site) => html`${conventions(site)}${client(site)}${errors(site)}${endpoints(site)}`,
}

const conventions = (site: Site): Html =>
  html`<h2 id="requests">Requests</h2>${codeBlock('Base URL', apiUrl(site))}<p>Send a body as JSON (<code>application/json</code>), as a form (<code>application/x-www-form-urlencoded</code>) or, for files, as <code>multipart/form-data</code>, in UTF-8. A form writes nested fields in brackets: <code>payment_details[type]=credit_card</code>. Parameters that an endpoint does not know are ignored. In test mode, the header <code>X-Service-Ignored-Parameters</code> of the response names them. Every <code>POST</code> and <code>PATCH</code> accepts the header <code>Idempotency-Key</code>: the same request with the same key is executed once. The samples of requests that move money take the key from the variable <code>IDEMPOTENCY_KEY</code>: set it to a new value for each request, such as <code>order-1001-refund</code>, and keep it when you repeat the request.</p><h2 id="amounts-and-times">Amounts and times</h2><p>Amounts are whole numbers in the smallest unit of the currency: <code>1000</code> is 1,000 JPY or 10.00 USD. Only the amounts of subscriptions are in the unit of the currency itself: <code>10.50</code> is 10.50 USD.</p><p>Times are in the format of ISO 8601. They are in the time zone UTC (<code>2030-01-02T03:04:05Z</code>). Only an application for live payments and the customer of a subscription have times in Japan (<code>+09:00</code>).</p><h2 id="metadata">Metadata</h2><p>Most resources have a field <code>metadata</code> for your own data. Its limits are 50 keys of at most 40 characters each, text of at most 2,000 characters, and numbers of at most 15 digits. A value is text, a number or a boolean, and contains no object and no list. A <code>PATCH</code> with <code>metadata</code> replaces all of it. Without the parameter, the metadata stays unchanged.</p><h2 id="keys">Keys</h2><p>Send an API key as the user name of HTTP Basic authentication, with an empty password. A secret key (<code>sk_test_…</code>, <code>sk_live_…</code>) belongs on your server and may call every endpoint. A publishable key (<code>pk_test_…</code>, <code>pk_live_…</code>) may be used in a browser and calls only the endpoints that say so. Keys of test mode move no money.</p><h2 id="responses">Responses</h2><p>A successful response is the resource. Any other response is an error object with a <code>code</code> from <a href="${pathTo(site, 'errors')}">the list of error codes</a>, a <code>message</code> for developers, the <code>param</code> at fault, and a <code>request_id</code>, which the header <code>X-Request-Id</code> repeats. The API description in <a href="${apiDescriptionPath(site)}">OpenAPI 3.1</a> states every schema for tools.</p><h2 id="lists">Lists</h2><p>Lists come in pages (pagination). A list has one page of resources in <code>data</code>, the newest first. <code>page</code> and <code>per_page</code> select the page, <code>total</code> counts all entries. <code>start_time</code> and <code>end_time</code> limit the time of creation.</p>`

function client(site: Site): Html {
  const tabs = sampleTabs('en')
  return html`<h2 id="client">Generate a client</h2><p>This service has no SDK of its own. Make a typed client from the <a href="${apiDescriptionPath(site)}">API description</a> with a generator for OpenAPI 3.1. In TypeScript, use <code>openapi-typescript</code> and <code>openapi-fetch</code>:</p>${tabs(generate_client, apiUrl(site))}${tabs(use_client, apiUrl(site))}<p>A response can have fields that a later version of the service adds, so do not let a client refuse unknown fields.</p>`
}

const errors = (site: Site): Html =>
  html`<h2 id="common-errors">Errors of every endpoint</h2><p class="codes">${commonCodes().map((code) => html`${errorLink(site, code)} `)}</p>`

const endpoints = (site: Site): Html =>
  html`<h2 id="endpoints">Endpoints</h2>${resources().map(
    (resource) =>
      html`<h3 id="${resource.slug}"><a href="${pathTo(site, `reference/${resource.slug}`)}">${resource.title}</a></h3><ul class="endpoints">${resource.endpoints.map((endpoint) => html`<li><a href="${pathTo(site, `reference/${resource.slug}`, 'en', endpointAnchor(endpoint))}"><b class="${endpoint.method.toLowerCase()}">${endpoint.method}</b> <code>${endpoint.path}</code></a></li>`)}</ul>`,
  )}`
