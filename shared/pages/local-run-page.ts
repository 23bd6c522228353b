import { html } from 'hono/html'
import type { Html, HtmlPage } from './html-page.ts'

/**
 * Returns the home page of a local run, for the developer who started it. `origin` is the address of the local run as
 * the browser knows it.
 */
export function localRunPage(origin: string): HtmlPage {
  const title = 'Payment service: local run'
  return {
    locale: 'en',
    title,
    for_developers: true,
    main: html`<h1>${title}</h1><p>This payment API runs on this machine alone. It moves no money.</p><p><a href="/docs">Read the documentation</a>: guides, the reference and all events, with samples for this machine.</p>${session()}${keys(origin)}${controls(origin)}`,
  }
}

const session = (): Html =>
  html`<section class="panel" aria-labelledby="session"><h2 id="session">Pay a session</h2><p>The button creates a session of the demo merchant and leads to its page. The card 4111 1111 1111 1111 succeeds.</p><form method="post" action="/_local/sessions"><button class="button">Create a session and pay</button></form></section>`

const keys = (origin: string): Html =>
  html`<section class="panel" aria-labelledby="api"><h2 id="api">Call the API</h2><p>The base URL is <code>${origin}/api/v1</code>. The terminal showed the keys of the demo merchant at the first start. This command creates a merchant with new keys:</p>${command(`curl -X POST ${origin}/_local/merchants`)}<p>This command creates a session. Insert the secret test key:</p>${command(`curl ${origin}/api/v1/sessions -u sk_test_…: -d amount=1000 -d currency=JPY`)}</section>`

const controls = (origin: string): Html =>
  html`<section class="panel" aria-labelledby="control"><h2 id="control">Control the local run</h2><p>Advance the clock by a day. All work that falls due is done:</p>${command(`curl ${origin}/_local/clock -d advance=86400`)}<p>Pay a cash payment as the customer:</p>${command(`curl -X POST ${origin}/_local/payments/pay_…/pay`)}<p><a href="/_local/health">The state and the time of the clock</a>. README.md lists all endpoints of a local run.</p></section>`

const command = (text: string): Html => html`<pre><code>${text}</code></pre>`
