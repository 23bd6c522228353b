import { Broken, expectHeader, expectStatus, shown } from './answers.ts'
import type { Check } from './check.ts'

/** The origin of a shop that calls the API from its page. */
const SHOP = 'https://shop.example.com'

/** Checks of what browsers use: the hosted pages, and calls from the pages of shops. */
export const browserChecks: readonly Check[] = [
  {
    what: 'the page of a session allows no foreign scripts',
    async run(api, afterwards) {
      const { id, session_url } = shown(await api.send('POST /sessions', { json: { amount: 1200, currency: 'JPY' } }), {
        resource: 'session',
        status: 'pending',
      })
      afterwards(`POST /sessions/${id}/cancel`)
      const page = await api.open('The page of the session', String(session_url))
      expectStatus(page, 200)
      expectHeader(page, ['Content-Type'], /^text\/html\b/)
      const policy = expectHeader(page, ['Content-Security-Policy'], /default-src 'none'.*frame-ancestors 'none'/)
      const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1]
      if (nonce === undefined || /unsafe-/.test(policy))
        throw new Broken('The page of the session allows foreign scripts')
      if (!page.bytes.includes(`nonce="${nonce}"`)) throw new Broken('The page of the session blocks its own script')
    },
  },
  {
    what: 'the page of a shop can create tokens and read the responses',
    async run(api) {
      const preflight = await api.send('OPTIONS /tokens', {
        key: null,
        headers: {
          origin: SHOP,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      })
      expectStatus(preflight, 204)
      expectHeader(preflight, ['Access-Control-Allow-Origin'], /^\*$/)
      expectHeader(preflight, ['Access-Control-Allow-Methods'], /\bPOST\b/)
      expectHeader(preflight, ['Access-Control-Allow-Headers'], /\bauthorization\b/i)
      const answer = await api.send('GET /payment_methods', { headers: { origin: SHOP } })
      expectStatus(answer, 200)
      expectHeader(answer, ['Access-Control-Allow-Origin'], /^\*$/)
    },
  },
]
