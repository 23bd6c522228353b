import { afterEach, describe, expect, test } from 'vitest'
import { inconsistencies } from '#test/faults/consistency.ts'
import { CrashPoints, failingAt } from '#test/faults/crash-points.ts'
import { journalViolations } from '#test/faults/journal-violations.ts'
import { type Api, card, konbini, openApi, type Reply, type RequestOptions } from '#test/fixtures/api.ts'

/**
 * A request is paused at each of its platform calls while something else runs to its end: another request, a retry of
 * the same request, or the clock with the work that falls due. Whichever wins, the acquirer and the records agree in
 * the end.
 */

type Send = (route: string, options?: RequestOptions) => Promise<Reply>
type Act = () => Promise<unknown>

const order = { amount: 1000, currency: 'JPY' }
const KEY = { 'idempotency-key': 'one key' }

/** Creates the records that both acts need, and returns the acts. */
type Pair = (send: Send) => Promise<{ readonly first: Act; readonly meanwhile: Act }>

const idOf = async (reply: Promise<Reply>): Promise<string> => {
  const { body } = await reply
  return body.id ?? body.error.details.payment
}

const pay = (send: Send, more = {}, headers = {}) =>
  send('POST /payments', { json: { ...order, payment_details: card(), ...more }, headers })

const paid = (send: Send, more = {}, headers = {}) => idOf(pay(send, more, headers))

const held = (send: Send) => paid(send, { capture: false })

const unknown = (send: Send, scenario: string, more = {}) => paid(send, more, { 'x-service-scenario': scenario })

/** Creates a verified secure token. Returns a function that charges it with an idempotency key. */
const chargeBySecureToken = async (send: Send) => {
  const json = { ...order, return_url: 'https://shop.example.com/', payment_details: card() }
  const { id, authentication_url } = (await send('POST /secure_tokens', { json })).body
  await (await fetch(authentication_url)).text()
  return (headers = {}) => pay(send, { payment_details: id }, { ...KEY, ...headers })
}

const bank_account = {
  customer_name: 'T',
  bank_name: 'B',
  branch_number: '1',
  account_type: 'normal',
  account_number: '1234567',
}

let api: Api
const passes = (seconds: number) => () => api.advance(seconds)

const DAY = 86_400

const pairs: Readonly<Record<string, Pair>> = {
  'a charge, while the sweep resolves it': async (send) => ({
    first: () => pay(send),
    meanwhile: passes(61),
  }),
  'a charge with a token, while the sweep resolves it': async (send) => {
    const token = await idOf(send('POST /tokens', { json: { payment_details: card() } }))
    return { first: () => pay(send, { payment_details: token }), meanwhile: passes(61) }
  },
  'an authorization, while the sweep resolves it': async (send) => ({
    first: () => pay(send, { capture: false }),
    meanwhile: passes(61),
  }),
  'a charge, while the same request is repeated': async (send) => ({
    first: () => pay(send, {}, KEY),
    meanwhile: () => pay(send, {}, KEY),
  }),
  'a charge, while the same request is repeated after its lease': async (send) => ({
    first: () => pay(send, {}, KEY),
    meanwhile: async () => {
      await api.advance(45)
      await pay(send, {}, KEY)
    },
  }),
  'a charge, while the same request is repeated after the sweep': async (send) => ({
    first: () => pay(send, {}, KEY),
    meanwhile: async () => {
      await api.advance(61)
      await pay(send, {}, KEY)
    },
  }),
  'a charge, while another client finds it in the list and cancels it': async (send) => ({
    first: () => pay(send),
    meanwhile: async () => {
      const [found] = (await send('GET /payments')).body.data
      if (found) await send(`POST /payments/${found.id}/cancel`)
    },
  }),
  'a charge, while another request uses its token': async (send) => {
    const payment_details = await idOf(send('POST /tokens', { json: { payment_details: card() } }))
    const use = () => pay(send, { payment_details })
    return { first: use, meanwhile: use }
  },
  'a charge with a secure token, while the hour of the token ends': async (send) => ({
    first: await chargeBySecureToken(send),
    meanwhile: passes(3_600),
  }),
  'a repeated charge with a secure token, while the hour of the token ends': async (send) => {
    const charge = await chargeBySecureToken(send)
    await charge({ 'x-service-scenario': 'timeout_before_charge' })
    return { first: charge, meanwhile: passes(3_600) }
  },
  'a charge, while its customer is deleted': async (send) => {
    const customer = await idOf(send('POST /customers', { json: { payment_details: card() } }))
    return {
      first: () => send('POST /payments', { json: { ...order, customer } }),
      meanwhile: () => send(`DELETE /customers/${customer}`),
    }
  },
  'a customer made with a token, while a payment uses it': async (send) => {
    const payment_details = await idOf(send('POST /tokens', { json: { payment_details: card() } }))
    return {
      first: () => send('POST /customers', { json: { payment_details } }),
      meanwhile: () => pay(send, { payment_details }),
    }
  },
  'an update of a customer, while the customer is deleted': async (send) => {
    const customer = await idOf(send('POST /customers', { json: { payment_details: card(), email: 'a@example.com' } }))
    return {
      first: () => send(`PATCH /customers/${customer}`, { json: { payment_details: card(), email: 'b@example.com' } }),
      meanwhile: () => send(`DELETE /customers/${customer}`),
    }
  },
  'a deletion of a customer, while the customer is updated': async (send) => {
    const customer = await idOf(send('POST /customers', { json: { payment_details: card(), email: 'a@example.com' } }))
    return {
      first: () => send(`DELETE /customers/${customer}`),
      meanwhile: () =>
        send(`PATCH /customers/${customer}`, { json: { payment_details: null, email: 'b@example.com' } }),
    }
  },

  'a cancel of a charge that arrived, while the sweep resolves it': async (send) => {
    const id = await unknown(send, 'timeout_after_charge')
    return { first: () => send(`POST /payments/${id}/cancel`), meanwhile: passes(61) }
  },
  'a cancel of an authorization that arrived, while the sweep resolves it': async (send) => {
    const id = await unknown(send, 'timeout_after_charge', { capture: false })
    return { first: () => send(`POST /payments/${id}/cancel`), meanwhile: passes(61) }
  },
  'a cancel of a charge that never arrived, while the sweep resolves it': async (send) => {
    const id = await unknown(send, 'timeout_before_charge')
    return { first: () => send(`POST /payments/${id}/cancel`), meanwhile: passes(61) }
  },
  'a cancel of an authorization, while it is captured': async (send) => {
    const id = await held(send)
    return { first: () => send(`POST /payments/${id}/cancel`), meanwhile: () => send(`POST /payments/${id}/capture`) }
  },
  'a cancel of an authorization, while its deadline passes': async (send) => {
    const id = await held(send)
    return { first: () => send(`POST /payments/${id}/cancel`), meanwhile: passes(40 * DAY) }
  },
  'a cancel of a konbini payment, while the customer pays': async (send) => {
    const id = await paid(send, { payment_details: konbini })
    return {
      first: () => send(`POST /payments/${id}/cancel`),
      meanwhile: () => send(`POST /_local/payments/${id}/pay`),
    }
  },
  'a cancel of a konbini payment, while its deadline passes': async (send) => {
    const id = await paid(send, { payment_details: konbini })
    return { first: () => send(`POST /payments/${id}/cancel`), meanwhile: passes(5 * DAY) }
  },

  'a capture, while the authorization is cancelled': async (send) => {
    const id = await held(send)
    return { first: () => send(`POST /payments/${id}/capture`), meanwhile: () => send(`POST /payments/${id}/cancel`) }
  },
  'a capture, while the sweep resolves it': async (send) => {
    const id = await held(send)
    return { first: () => send(`POST /payments/${id}/capture`), meanwhile: passes(61) }
  },
  'a capture, while the deadline passes': async (send) => {
    const id = await held(send)
    return { first: () => send(`POST /payments/${id}/capture`), meanwhile: passes(40 * DAY) }
  },
  'a capture, while the order number changes': async (send) => {
    const id = await held(send)
    return {
      first: () => send(`POST /payments/${id}/capture`),
      meanwhile: () => send(`PATCH /payments/${id}`, { json: { external_order_num: 'order 2' } }),
    }
  },
  'an update, while the payment is captured': async (send) => {
    const id = await held(send)
    return {
      first: () => send(`PATCH /payments/${id}`, { json: { external_order_num: 'order 2' } }),
      meanwhile: () => send(`POST /payments/${id}/capture`),
    }
  },

  'a refund, while another request refunds the rest': async (send) => {
    const id = await paid(send)
    return {
      first: () => send(`POST /payments/${id}/refund`, { json: { amount: 600 } }),
      meanwhile: () => send(`POST /payments/${id}/refund`, { json: { amount: 600 } }),
    }
  },
  'a refund, while the sweep resolves it': async (send) => {
    const id = await paid(send)
    return { first: () => send(`POST /payments/${id}/refund`), meanwhile: passes(61) }
  },
  'a refund, while the same request is repeated after the sweep': async (send) => {
    const id = await paid(send)
    const refund = () => send(`POST /payments/${id}/refund`, { json: { amount: 400 }, headers: KEY })
    return { first: refund, meanwhile: () => api.advance(61).then(refund) }
  },
  'a refund request, while another one requests the rest': async (send) => {
    const id = await paid(send, { payment_details: konbini })
    await send(`POST /_local/payments/${id}/pay`)
    const ask = () => send(`POST /payments/${id}/refund_request`, { json: { amount: 700, ...bank_account } })
    return { first: ask, meanwhile: ask }
  },
}

const points = new CrashPoints()
afterEach(() => api.close())

describe.each(Object.entries(pairs))('%s', (_, pair) => {
  test('leaves the acquirer and the records consistent, whichever call it is paused at', async () => {
    api = await openApi({ around: points.around })
    const wrong: string[] = []
    for (let at = 1, calls = 0; calls >= at - 1; at++) {
      const { test: merchant } = await api.newMerchants()
      const send: Send = (route, options) => api.request(route, { key: merchant.secret_key, ...options })
      const { first, meanwhile } = await pair(send)
      points.armMeanwhile(at, meanwhile)
      await first()
      await points.held
      calls = points.calls
      points.disarm()
      await api.advance(3_600)
      const items = [...api.platform.table.items()].filter(({ pk }) => pk.includes(merchant.id))
      wrong.push(...inconsistencies(items, { settled: true }).map((line) => `paused at call ${at}: ${line}`))
      if (at === 1) expect(calls).toBeGreaterThan(1)
    }
    expect(wrong).toEqual([])
    expect(journalViolations(points.journal)).toEqual([])
    points.journal.splice(0)
  })
})

describe('a charge of a customer that crashes and is repeated after the card was replaced', () => {
  test('charges the card that the payment shows, or none', async () => {
    api = await openApi({ around: points.around })
    const outcomes = new Set<string>()
    for (let at = 1, calls = 0; calls >= at - 1; at++) {
      const { test: merchant } = await api.newMerchants()
      const send: Send = (route, options) => api.request(route, { key: merchant.secret_key, ...options })
      const customer = await idOf(send('POST /customers', { json: { payment_details: card() } }))
      const charge = () => send('POST /payments', { json: { ...order, customer }, headers: KEY })
      points.arm(failingAt(at, 'fail_before', { is_killed: true }))
      await charge()
      calls = points.calls
      points.disarm()
      await send(`PATCH /customers/${customer}`, { json: { payment_details: card('4123111111111059') } })
      await api.advance(45)
      const { status, body } = await charge()
      const { payment_details } = (await send('GET /payments')).body.data[0]
      outcomes.add(`${payment_details.last_four_digits} ${status === 200 ? 'captured' : body.error.code}`)
    }
    expect([...outcomes].sort()).toEqual(['1059 card_declined', '1111 captured', '1111 other_error'])
    await api.advance(3_600)
    expect(inconsistencies(api.platform.table.items(), { settled: true })).toEqual([])
  })
})

describe('a charge that is repeated while it is in flight', () => {
  test('is refused with idempotency_in_flight or replayed', async () => {
    api = await openApi({ around: points.around })
    const outcomes = new Set<string>()
    for (let at = 1, calls = 0; calls >= at - 1; at++) {
      const { test: merchant } = await api.newMerchants()
      const send: Send = (route, options) => api.request(route, { key: merchant.secret_key, ...options })
      let again: Reply | undefined
      points.armMeanwhile(at, async () => {
        again = await pay(send, {}, KEY)
      })
      const answer = await pay(send, {}, KEY)
      calls = points.calls
      points.disarm()
      if (again) outcomes.add(again.status === 200 && answer.text === again.text ? 'same' : again.body.error.code)
    }
    expect([...outcomes].sort()).toEqual(['idempotency_in_flight', 'same'])
  })
})
