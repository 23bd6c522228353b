import { Broken, expectHeader, expectStatus, shown } from './answers.ts'
import type { Check } from './check.ts'

/** The origin of a shop that calls the API from its page. */
const SHOP = 'https://shop.example.com'

/** Checks of what browsers use: the hosted pages, and calls from the pages of shops. */
export const browserChecks: readonly Check[] = [
  {
    what: 'a session has a page, which runs nothing that is not its own',
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
        throw new Broken('The page of the session lets scripts run that are not its own')
      if (!page.bytes.includes(`nonce="${nonce}"`)) throw new Broken('The page of the session forbids its own script')
    },
  },
  {
    what: 'a page of a shop may make tokens and read the answers',
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
