import { Broken, expectHeader, expectStatus, shown } from './answers.ts'
import type { Check } from './check.ts'
import { card } from './samples.ts'

/** The origin of a shop that calls the API from its page. */
const SHOP = 'https://shop.example.com'

/** The fields of a payment method of a session. */
const METHOD_FIELDS = 'type,brands,offsite,additional_fields,customer_fee,amount,currency,exchange_rate'

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
    what: 'a session shows how it can be paid, with icons that browsers can load and cache',
    async run(api, afterwards) {
      const json = { amount: 1200, currency: 'JPY', payment_types: ['konbini'] }
      const made = await api.send('POST /sessions', { json })
      const { id, payment_methods } = shown(made, { resource: 'session' })
      afterwards(`POST /sessions/${id}/cancel`)
      const [method] = [payment_methods].flat()
      if (Object.keys(Object(method)).join() !== METHOD_FIELDS)
        throw new Broken('POST /sessions shows a payment method with other fields')
      const path: unknown = Object(Object(method).brands).lawson?.icon
      if (typeof path !== 'string') throw new Broken('POST /sessions shows a store without an icon')
      const icon = await api.open('The icon of a store', new URL(path, made.url).href)
      expectStatus(icon, 200)
      expectHeader(icon, ['Content-Type'], /^image\/svg\+xml\b/)
      expectHeader(icon, ['Cache-Control'], /\bmax-age=[1-9]/)
    },
  },
  {
    what: 'the page of a shop can create a secure token with the publishable key, and see its status',
    uses_publishable_key: true,
    async run(api) {
      const { publishable_key: key } = api
      const json = { amount: 1200, currency: 'JPY', return_url: SHOP, payment_details: card() }
      const fields = { resource: 'secure_token', verification_status: 'NEEDS_VERIFY' }
      const { id } = shown(await api.send('POST /secure_tokens', { key, json }), fields)
      const seen = await api.send(`GET /secure_tokens/${id}`, { key, headers: { origin: SHOP } })
      shown(seen, { id, ...fields })
      expectHeader(seen, ['Access-Control-Allow-Origin'], /^\*$/)
    },
  },
  {
    what: 'HEAD is answered with the headers of GET',
    async run(api) {
      const reply = await api.send('HEAD /payment_methods')
      expectStatus(reply, 200)
      expectHeader(reply, ['Content-Type'], /^application\/json\b/)
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
