import { expectHeader, refused, shown } from './answers.ts'
import type { Check } from './check.ts'
import { card, payment } from './samples.ts'

const no_such_key = `sk_test_${'0'.repeat(32)}`

/** Checks of the requests that the API must refuse. */
export const refusalChecks: readonly Check[] = [
  {
    what: 'a request without a key is 401, and the error says how to send a key',
    async run(api) {
      const reply = await api.send('GET /payments', { key: null })
      refused(reply, 401, 'unauthorized')
      // API Gateway renames this header.
      expectHeader(reply, ['WWW-Authenticate', 'x-amzn-Remapped-WWW-Authenticate'], /^Basic /)
    },
  },
  {
    what: 'an unknown key is 401',
    async run(api) {
      refused(await api.send('GET /payments', { key: no_such_key }), 401, 'unauthorized')
    },
  },
  {
    what: 'an unknown path is 404',
    async run(api) {
      refused(await api.send('GET /smoke_test'), 404, 'not_found')
    },
  },
  {
    what: 'an unknown payment is 404',
    async run(api) {
      refused(await api.send('GET /payments/pay_00000000000000000000000000'), 404, 'not_found')
    },
  },
  {
    what: 'an unsupported method is 405, and `Allow` lists the supported ones',
    async run(api) {
      const reply = await api.send('DELETE /payments')
      refused(reply, 405, 'method_not_allowed')
      expectHeader(reply, ['Allow'], /\bGET\b.*\bPOST\b|\bPOST\b.*\bGET\b/)
    },
  },
  {
    what: 'a misspelled parameter is 422: the error names the missing one, and a header the ignored one',
    async run(api) {
      const { amount: ammount, ...rest } = payment()
      const reply = await api.send('POST /payments', { json: { ...rest, ammount, payment_details: card() } })
      refused(reply, 422, 'missing_parameter', 'amount')
      expectHeader(reply, ['X-Service-Ignored-Parameters'], /^ammount$/)
    },
  },
  {
    what: 'a webhook to a private address is 422',
    async run(api, afterwards) {
      const reply = await api.send('POST /webhooks', { json: { url: 'https://10.0.0.1/', event_list: ['ping'] } })
      if (reply.status === 200) afterwards(`DELETE /webhooks/${shown(reply).id}`)
      refused(reply, 422, 'invalid_parameter', 'url')
    },
  },
]
