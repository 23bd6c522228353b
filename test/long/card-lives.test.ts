import { afterEach, describe, expect, test } from 'vitest'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import type { Message } from '#shared/platform/ports.ts'
import { decideAt } from '#test/browser/customer-decision.ts'
import { type Api, card, konbini, openApi, type Reply } from '#test/fixtures/api.ts'
import { openedByVault } from './vault-search.ts'

/**
 * Every way in which the use of a card in the service can end. An hour later, no copy of the card may be left that the
 * vault can open alone. The card of a plain token is also sealed under the secret of the token, so the vault alone
 * cannot open it.
 */

const FRICTIONLESS = '4111111111111111'
const CHALLENGED = '4100000000000100'
const DECLINED = '4123111111111000'
const OTHER = '5555555555554444'

const DAY = 86_400
const order = { amount: 1000, currency: 'JPY' }
const return_url = 'https://shop.example.com/'

type Details = object | string

/** Requests that the cases share, on a service of their own. */
class Shop {
  readonly api: Api

  constructor(api: Api) {
    this.api = api
  }

  /** Posts a request. Throws for any response except a success, a decline and an unknown outcome. */
  async post(path: string, json: object = {}, headers: Readonly<Record<string, string>> = {}) {
    const { status, body } = await this.api.request(`POST ${path}`, { json, headers })
    if (![200, 402, 504].includes(status) && body.error.code !== 'fraudulent')
      throw new Error(`POST ${path} was answered with ${status} ${body.error.code}`)
    return body
  }

  pay(payment_details: Details, more: object = {}, headers: Readonly<Record<string, string>> = {}) {
    return this.post('/payments', { ...order, return_url, payment_details, ...more }, headers)
  }

  async token(number = CHALLENGED): Promise<string> {
    return (await this.post('/tokens', { payment_details: card(number) })).id
  }

  async customer(number = CHALLENGED): Promise<string> {
    return (await this.post('/customers', { payment_details: card(number) })).id
  }

  patch(customer: string, json: object): Promise<Reply> {
    return this.api.request(`PATCH /customers/${customer}`, { json })
  }

  remove(path: string): Promise<Reply> {
    return this.api.request(`DELETE ${path}`)
  }

  /**
   * Creates a secure token. Its customer then authenticates, fails, visits the page or, with undefined, never opens it.
   */
  async secure(source: object, decision?: 'authenticate' | 'fail' | 'visit'): Promise<string> {
    const { id, authentication_url } = await this.post('/secure_tokens', { ...order, return_url, ...source })
    if (decision === 'visit') await (await fetch(authentication_url)).text()
    else if (decision) await decideAt(authentication_url, decision)
    return id
  }

  async session(more: object = {}): Promise<string> {
    return (await this.post('/sessions', { ...order, return_url, ...more })).id
  }

  paySession(session: string, payment_details: Details) {
    return this.post(`/sessions/${session}/pay`, { payment_details })
  }

  /** Decides on the sandbox page of the customer's bank or wallet. */
  async decide(payment: { payment_details: { redirect_url: string } }, decision: string): Promise<void> {
    await decideAt(payment.payment_details.redirect_url, decision)
  }
}

interface Life {
  readonly ends: (shop: Shop) => Promise<unknown>
  /** The card numbers that customers still keep. */
  readonly kept?: readonly string[]
  /** Whether the card may stay until its hour ends or until an unknown outcome is resolved. */
  readonly in_an_hour?: true
}

const doNothing = async (): Promise<void> => {}
const timeout = (when: 'before' | 'after') => ({ 'x-service-scenario': `timeout_${when}_charge` })

/** The sources of a secure token. With `kept`, the customer keeps the card. */
const sources: Readonly<Record<string, { make(shop: Shop, number?: string): Promise<object>; kept?: true }>> = {
  'payment details': { make: async (_, number = CHALLENGED) => ({ payment_details: card(number) }) },
  'a plain token': { make: async (shop, number) => ({ payment_details: await shop.token(number) }) },
  'another secure token': {
    make: async (shop, number = CHALLENGED) => ({
      payment_details: await shop.secure(
        { payment_details: card(number) },
        number === CHALLENGED ? 'authenticate' : 'visit',
      ),
    }),
  },
  'a customer': { make: async (shop, number) => ({ customer: await shop.customer(number) }), kept: true },
  'a secure token of a customer': {
    make: async (shop, number) => ({
      payment_details: await shop.secure({ customer: await shop.customer(number) }, number ? 'visit' : 'authenticate'),
    }),
    kept: true,
  },
}

/** The uses of a verified secure token. */
const uses: Readonly<Record<string, { use(shop: Shop, id: string): Promise<unknown>; stores?: true; late?: true }>> = {
  'a payment': { use: (shop, id) => shop.pay(id) },
  'a payment that is cancelled': {
    use: async (shop, id) => shop.post(`/payments/${(await shop.pay(id, { capture: false })).id}/cancel`),
  },
  'a payment with an unknown outcome that arrived': {
    use: (shop, id) => shop.pay(id, {}, timeout('after')),
    late: true,
  },
  'a payment that never arrived': { use: (shop, id) => shop.pay(id, {}, timeout('before')), late: true },
  'a payment that arrived only at the second try': {
    async use(shop, id) {
      const key = { 'idempotency-key': 'again' }
      await shop.pay(id, {}, { ...key, ...timeout('before') })
      await shop.pay(id, {}, key)
    },
  },
  'a session': { use: async (shop, id) => shop.paySession(await shop.session(), id) },
  'a session in mode customer': {
    use: async (shop, id) => shop.paySession(await shop.session({ mode: 'customer', amount: undefined }), id),
    stores: true,
  },
  'a new customer': { use: (shop, id) => shop.post('/customers', { payment_details: id }), stores: true },
  'an existing customer': {
    use: async (shop, id) => shop.patch(await shop.customer(OTHER), { payment_details: id }),
    stores: true,
  },
}

const secureTokenLives = Object.entries(sources).flatMap(([source, { make, kept }]): [string, Life][] => {
  const made = async (shop: Shop, decision?: 'authenticate' | 'fail') => shop.secure(await make(shop), decision)
  const life = (more: Partial<Life> & Pick<Life, 'ends'>): Life => ({ ...(kept && { kept: [CHALLENGED] }), ...more })
  const name = `a secure token of ${source}`
  return [
    [`${name}, never verified`, life({ ends: (shop) => made(shop), in_an_hour: true })],
    [`${name}, verified and not used`, life({ ends: (shop) => made(shop, 'authenticate'), in_an_hour: true })],
    [`${name}, failed`, life({ ends: (shop) => made(shop, 'fail') })],
    [
      `${name}, skipped and not used`,
      life({
        ends: async (shop) => shop.secure(await make(shop, FRICTIONLESS), 'visit'),
        in_an_hour: true,
        ...(kept && { kept: [FRICTIONLESS] }),
      }),
    ],
    [
      `${name}, used by a payment that is declined`,
      life({
        ends: async (shop) => shop.pay(await shop.secure(await make(shop, DECLINED), 'visit')),
        ...(kept && { kept: [DECLINED] }),
      }),
    ],
    ...Object.entries(uses).map(([use, { use: act, stores, late }]): [string, Life] => [
      `${name}, used by ${use}`,
      life({
        ends: async (shop) => act(shop, await made(shop, 'authenticate')),
        ...(stores && { kept: [CHALLENGED, ...(kept ? [CHALLENGED] : [])] }),
        ...(late && { in_an_hour: true }),
      }),
    ]),
  ]
})

/** The ways in which a customer's card ends, and the number that the customer keeps afterwards. */
const endings: Readonly<Record<string, { end(shop: Shop, customer: string): Promise<unknown>; kept?: string }>> = {
  'who is deleted': { end: (shop, customer) => shop.remove(`/customers/${customer}`) },
  'who is given another card': {
    end: (shop, customer) => shop.patch(customer, { payment_details: card(OTHER) }),
    kept: OTHER,
  },
  'who is given a card by a token': {
    end: async (shop, customer) => shop.patch(customer, { payment_details: await shop.token(OTHER) }),
    kept: OTHER,
  },
  'whose card is removed': { end: (shop, customer) => shop.patch(customer, { payment_details: null }) },
}

/** Records that were made from a customer's card before it ended. */
const madeFromCustomers: Readonly<Record<string, (shop: Shop, customer: string) => Promise<unknown>>> = {
  nothing: doNothing,
  'a secure token': (shop, customer) => shop.secure({ customer }),
  'a verified secure token': (shop, customer) => shop.secure({ customer }, 'authenticate'),
  'a secure token of a secure token': async (shop, customer) =>
    shop.secure({ payment_details: await shop.secure({ customer }, 'authenticate') }, 'authenticate'),
  'a payment': (shop, customer) => shop.post('/payments', { ...order, customer }),
  'a payment with an unknown outcome': (shop, customer) =>
    shop.post('/payments', { ...order, customer }, timeout('after')),
  'a payment that never arrived': (shop, customer) => shop.post('/payments', { ...order, customer }, timeout('before')),
  'a payment by a secure token that never arrived': async (shop, customer) =>
    shop.pay(await shop.secure({ customer }, 'authenticate'), {}, timeout('before')),
  'a subscription': (shop, customer) => shop.post('/subscriptions', { ...order, customer, period: 'weekly' }),
}

const customerLives = Object.entries(endings).flatMap(([ending, { end, kept }]) =>
  Object.entries(madeFromCustomers).map(([made, make]): [string, Life] => [
    `the card of a customer ${ending}, with ${made}`,
    {
      async ends(shop) {
        const customer = await shop.customer(FRICTIONLESS)
        await make(shop, customer)
        await end(shop, customer)
      },
      ...(kept && { kept: [kept] }),
    },
  ]),
)

const tokenLives: readonly [string, Life][] = [
  ['a token that is not used', { ends: (shop) => shop.token() }],
  ['a token that pays', { ends: async (shop) => shop.pay(await shop.token(FRICTIONLESS)) }],
  ['a token that is declined', { ends: async (shop) => shop.pay(await shop.token(DECLINED)) }],
  ['a token that needs 3-D Secure', { ends: async (shop) => shop.pay(await shop.token()) }],
  [
    'a token that pays with an unknown outcome',
    { ends: async (shop) => shop.pay(await shop.token(), {}, timeout('after')), in_an_hour: true },
  ],
]

const paysWith = (number: string, more: object = {}) => ({ ends: (shop: Shop) => shop.pay(card(number), more) })

const paymentLives: readonly [string, Life][] = [
  ['a payment that is captured', paysWith(FRICTIONLESS)],
  ['a payment that is declined', paysWith(DECLINED)],
  ['a payment that is refused as fraudulent', paysWith('4123111111111083')],
  ['a payment that is authorized', paysWith(FRICTIONLESS, { capture: false })],
  [
    'a payment that is authorized and cancelled',
    { ends: async (shop) => shop.post(`/payments/${(await shop.pay(card(), { capture: false })).id}/cancel`) },
  ],
  [
    'a payment that is authorized and expires',
    { ends: (shop) => shop.pay(card(), { capture: false }).then(() => shop.api.advance(31 * DAY)) },
  ],
  ['a payment that waits for 3-D Secure', paysWith(CHALLENGED)],
  [
    'a payment that never passes 3-D Secure',
    { ends: (shop) => shop.pay(card(CHALLENGED)).then(() => shop.api.advance(2 * DAY)) },
  ],
  [
    'a payment that passes 3-D Secure',
    { ends: async (shop) => shop.decide(await shop.pay(card(CHALLENGED)), 'authenticate') },
  ],
  ['a payment that fails 3-D Secure', { ends: async (shop) => shop.decide(await shop.pay(card(CHALLENGED)), 'fail') }],
  [
    'a payment that is cancelled before 3-D Secure',
    { ends: async (shop) => shop.post(`/payments/${(await shop.pay(card(CHALLENGED))).id}/cancel`) },
  ],
  [
    'a payment with an unknown outcome that arrived',
    { ends: (shop) => shop.pay(card(), {}, timeout('after')), in_an_hour: true },
  ],
  ['a payment that never arrived', { ends: (shop) => shop.pay(card(), {}, timeout('before')), in_an_hour: true }],
  ['a payment at the counter', { ends: (shop) => shop.pay(konbini) }],
  [
    'a payment by a password',
    { ends: (shop) => shop.pay({ type: 'retailer_account', user_no: '12345678', user_password: 'secret' }) },
  ],
]

const sessionLives: readonly [string, Life][] = [
  ['a session that completes', { ends: async (shop) => shop.paySession(await shop.session(), card()) }],
  ['a session that is declined', { ends: async (shop) => shop.paySession(await shop.session(), card(DECLINED)) }],
  [
    'a session that is declined and expires',
    {
      async ends(shop) {
        await shop.paySession(await shop.session(), card(DECLINED))
        await shop.api.advance(DAY)
      },
    },
  ],
  [
    'a session that is declined and cancelled',
    {
      async ends(shop) {
        const session = await shop.session()
        await shop.paySession(session, card(DECLINED))
        await shop.post(`/sessions/${session}/cancel`)
      },
    },
  ],
  [
    'a session that never passes 3-D Secure',
    {
      async ends(shop) {
        await shop.paySession(await shop.session(), card(CHALLENGED))
        await shop.api.advance(2 * DAY)
      },
    },
  ],
  [
    'a session that is cancelled before 3-D Secure',
    {
      async ends(shop) {
        const session = await shop.session()
        await shop.paySession(session, card(CHALLENGED))
        await shop.post(`/sessions/${session}/cancel`)
      },
    },
  ],
  [
    'a session in mode customer',
    {
      ends: async (shop) => shop.paySession(await shop.session({ mode: 'customer', amount: undefined }), card()),
      kept: [FRICTIONLESS],
    },
  ],
]

const subscribes = async (shop: Shop, number = FRICTIONLESS, headers = {}) => {
  const customer = await shop.customer(number)
  return (await shop.post('/subscriptions', { ...order, customer, period: 'weekly' }, headers)).id as string
}

const subscriptionLives: readonly [string, Life][] = [
  ['a subscription that continues', { ends: subscribes, kept: [FRICTIONLESS] }],
  [
    'a subscription that is deleted',
    { ends: async (shop) => shop.remove(`/subscriptions/${await subscribes(shop)}`), kept: [FRICTIONLESS] },
  ],
  ['a subscription whose first capture is declined', { ends: (shop) => subscribes(shop, DECLINED), kept: [DECLINED] }],
  [
    'a subscription whose first capture has an unknown outcome',
    { ends: (shop) => subscribes(shop, FRICTIONLESS, timeout('before')), kept: [FRICTIONLESS] },
  ],
  [
    'a subscription whose customer is deleted after a month',
    {
      async ends(shop) {
        const customer = await shop.customer(FRICTIONLESS)
        await shop.post('/subscriptions', { ...order, customer, period: 'weekly' })
        await shop.api.advance(30 * DAY)
        await shop.remove(`/customers/${customer}`)
      },
    },
  ],
]

const lives: readonly [string, Life][] = [
  ...tokenLives,
  ...secureTokenLives,
  ...customerLives,
  ...paymentLives,
  ...sessionLives,
  ...subscriptionLives,
]

let api: Api
const messages: Message[] = []
const open = async (): Promise<Shop> => {
  messages.splice(0)
  api = await openApi({ around: recordingMessages })
  return new Shop(api)
}
afterEach(() => api.close())

/** The platform, recording every message to a queue. */
function recordingMessages(platform: LocalPlatform): LocalPlatform {
  for (const queue of Object.values(platform.queues)) {
    const send = queue.send.bind(queue)
    queue.send = (sent) => {
      messages.push(...sent.map(({ message }) => message))
      return send(sent)
    }
  }
  return platform
}

/** The card numbers that the vault opens alone, each with its verification value if there is one. */
async function openedNumbers(): Promise<string[]> {
  const found = await openedByVault(api, messages)
  return found.map(({ details: { number, type, verification_value, ...rest } }) => {
    const secret = verification_value ?? rest.user_password
    return `${number ?? type}${secret === undefined ? '' : ` with ${secret}`}`
  })
}

describe('the vault alone', () => {
  test.each(lives)(
    'for %s, opens only the cards that customers still keep after an hour',
    async (_, { ends, kept = [], in_an_hour }) => {
      const shop = await open()
      await ends(shop)
      if (!in_an_hour) expect((await openedNumbers()).toSorted(), 'at once').toEqual(kept.toSorted())
      await api.advance(3_600)
      expect((await openedNumbers()).toSorted(), 'an hour later').toEqual(kept.toSorted())
    },
  )
})

describe('the search for sealed cards', () => {
  test('finds the card of a secure token with its verification value, and that of a customer without one', async () => {
    const shop = await open()
    await shop.secure({ payment_details: card(CHALLENGED) })
    await shop.customer(OTHER)
    expect((await openedNumbers()).toSorted()).toEqual([`${CHALLENGED} with 123`, OTHER])
  })

  test('finds a sealed text deep inside a record, in JSON text and in a message', async () => {
    const shop = await open()
    await shop.secure({ payment_details: card(CHALLENGED) })
    const { table } = api.platform
    const [item] = [...table.items()].filter(({ sk }) => sk === 'secure_token')
    const { sealed, ...rest } = item!
    const found = [`${CHALLENGED} with 123`]
    for (const hidden of [{ a: [{ b: sealed! }] }, JSON.stringify({ a: [sealed] })]) {
      await table.write([{ put: { ...rest, sealed: null, hidden } }])
      expect(await openedNumbers()).toEqual(found)
    }
    await table.write([{ put: { ...rest, sealed: null } }])
    expect(await openedNumbers()).toEqual([])
    messages.push({ kind: 'x', pk: 'x', sk: sealed as string, due_at: 'x' })
    expect(await openedNumbers()).toEqual(found)
  })

  test('does not open the card of a plain token', async () => {
    const shop = await open()
    await shop.token()
    expect(await openedNumbers()).toEqual([])
  })
})
