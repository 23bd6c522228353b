import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Api, card, openApi, type Reply } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { rawRequest } from '#test/fixtures/raw-request.ts'
import { askAs, type Content, details_of_types, readyPath, rowsUnlike } from '#test/fixtures/route-requests.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
beforeEach(() => api.advance(1))
afterAll(() => api.close())

/**
 * A pseudorandom letter of three bytes in UTF-8. Text of such letters cannot be compressed, and is the same in every
 * run.
 */
function anyLetter(): string {
  state = Math.imul(state, 1_664_525) + 1_013_904_223
  return String.fromCharCode(0x1000 + ((state >>> 8) % 0xb000))
}
let state = 1

/** Texts of a given length in UTF-16 units, by the property that makes them hard to store. */
const texts: Readonly<Record<string, (length: number) => string>> = {
  'one byte a letter': (length) => 'x'.repeat(length),
  'two bytes a letter': (length) => 'é'.repeat(length),
  'three bytes a letter': (length) => 'あ'.repeat(length),
  'four bytes a letter': (length) => '😀'.repeat(length / 2) + (length % 2 ? 'x' : ''),
  'random letters': (length) => Array.from({ length }, anyLetter).join(''),
  quotes: (length) => '"'.repeat(length),
  backslashes: (length) => '\\'.repeat(length),
  'line separators': (length) => '\u2028'.repeat(length),
  'control characters': (length) => '\u0001'.repeat(length),
  'the character zero': (length) => '\u0000'.repeat(length),
  'deletes and lone commas': (length) => '\u007f,'.repeat(length / 2) + (length % 2 ? ',' : ''),
}
const named = Object.entries(texts).map(([name, of]) => ({ name, of }))

/** The most metadata that a request can contain: fifty of the longest keys and values. */
const most = (of: (length: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${10 + index}${of(38)}`, of(2_000)]))

const takesMetadata = rowsUnlike().filter(({ contents }) => contents.some((content) => 'metadata' in content))

/** A hash of long content, so that a failed test prints no megabytes. */
const digestOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('hex')

/** Expects that GET and the newest event show the resource as the response did. A pending resource has no event. */
async function expectShown({ body: resource }: Reply): Promise<void> {
  const { body } = await api.request(`GET /${resource.resource}s/${resource.id}`)
  if (resource.status === 'pending') return expect(digestOf(body)).toBe(digestOf(resource))
  const { body: events } = await api.request('GET /events?per_page=3')
  const event = events.data.find(({ data }: { data: { id: string } }) => data.id === resource.id)
  expect([digestOf(body), digestOf(event?.data)]).toEqual([digestOf(resource), digestOf(resource)])
}

describe.each(takesMetadata)('the most metadata in $route', (row) => {
  const content = row.contents.find((each) => 'metadata' in each)!

  test.each(named)('of $name is stored unchanged or refused as too large', async ({ name, of }) => {
    const path = await readyPath(row, askAs(api))
    const json = { ...content, metadata: most(of) }
    const options = { json, headers: { 'idempotency-key': `most ${name} ${row.route}` } }
    const reply = await api.request(`${row.method} ${path}`, options)
    const again = await api.request(`${row.method} ${path}`, options)
    expect([again.status, again.text]).toEqual([reply.status, reply.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    if (reply.status !== 200) {
      expect(['control characters', 'the character zero']).toContain(name)
      return expectEnvelope(reply, 'unprocessable_entity')
    }
    expect(digestOf(reply.body.metadata)).toBe(digestOf(json.metadata))
    await expectShown(reply)
  })

  test('with one more key, a longer key or a longer value is refused', async () => {
    const path = await readyPath(row, askAs(api))
    const fifty = most(texts['one byte a letter']!)
    for (const metadata of [
      { ...fifty, one: 'more' },
      { ['k'.repeat(41)]: 'x' },
      { '': 'x' },
      { a: 'x'.repeat(2_001) },
    ]) {
      const reply = await api.request(`${row.method} ${path}`, { json: { ...content, metadata } })
      expectEnvelope(reply, 'invalid_parameter')
      expect(reply.body.error.param).toMatch(/^metadata(\[a\])?$/)
    }
  })

  test('of numbers is returned unchanged', async () => {
    const path = await readyPath(row, askAs(api))
    const numbers = [
      '0',
      '1',
      '-1',
      '0.1',
      '5e-324',
      '1e-300',
      '9007199254740991',
      '-9007199254740991',
      '0.30000000000000004',
      '1e-7',
    ]
    const metadata = Object.fromEntries(numbers.map((number, index) => [`n${index}`, number]))
    const raw = JSON.stringify({ ...content, metadata }).replace(/"(n\d+)":"([^"]+)"/g, '"$1":$2')
    const reply = await api.request(`${row.method} ${path}`, { raw, headers: { 'content-type': 'application/json' } })
    expect(reply.status, reply.text).toBe(200)
    expect(Object.values(reply.body.metadata)).toEqual(numbers.map(Number))
    await expectShown(reply)
  })

  test.each(['9007199254740993', '-12345678901234567890', '1e308'])(
    'of %s, which could lose digits, is refused',
    async (number) => {
      const path = await readyPath(row, askAs(api))
      const raw = JSON.stringify({ ...content, metadata: { n: 'NUMBER' } }).replace('"NUMBER"', number)
      const headers = { 'content-type': 'application/json' }
      const reply = await api.request(`${row.method} ${path}`, { raw, headers })
      expectEnvelope(reply, 'invalid_parameter')
      expect(reply.body.error.param).toBe('metadata[n]')
    },
  )

  test('with the names of object members is stored unchanged', async () => {
    const path = await readyPath(row, askAs(api))
    const metadata = {
      constructor: 'a',
      toString: 'b',
      hasOwnProperty: true,
      valueOf: 1,
      toJSON: 'x',
      length: 0,
      '0': 'z',
      '10': 'b',
      'a[b]': 'c',
      'a.b': 'd',
      ' ': 'e',
      '\u0000': 'f',
      __defineGetter__: 'g',
      pk: 'h',
      version: 'i',
    }
    const reply = await api.request(`${row.method} ${path}`, { json: { ...content, metadata } })
    expect(reply.status, reply.text).toBe(200)
    expect(Object.entries(reply.body.metadata).sort()).toEqual(Object.entries(metadata).sort())
    await expectShown(reply)
  })
})

const longest = (details: Content, of: (length: number) => string): Content =>
  Object.fromEntries(
    Object.entries(details).map(([field, value]) => {
      if (field === 'email') return [field, email]
      if (/name|user_/.test(field)) return [field, of(128)]
      if (field === 'phone') return [field, of(64)]
      return [field, field === 'prepaid_number' ? of(64) : value]
    }),
  )

const email = `${'a'.repeat(64)}@${`${'b'.repeat(61)}.`.repeat(3)}jp`
const url = `https://shop.example.com/${'x'.repeat(2_048 - 25)}`

describe.each(details_of_types.map((details) => ({ type: details.type, details })))(
  'the longest payment details of $type',
  ({ details }) => {
    test.each(named)('of $name are stored, charged and shown', async ({ of }) => {
      const payment_details = longest(details, of)
      const { body: token } = await api.request('POST /tokens', { json: { payment_details, currency: 'JPY' } })
      expect(token.resource, JSON.stringify(token.error)).toBe('token')
      const made: [string, Content][] = [
        ['POST /customers', { payment_details }],
        ['POST /payments', { payment_details, amount: 1, currency: 'JPY' }],
        ['POST /payments', { payment_details: token.id, amount: 1, currency: 'JPY' }],
      ]
      for (const [route, json] of made) {
        await api.advance(1)
        const reply = await api.request(route, { json })
        expect(reply.status, reply.text.slice(0, 500)).toBe(200)
        await expectShown(reply)
      }
    })
  },
)

test('payment details with a text that is one letter too long are refused, and the error names the field', async () => {
  for (const details of details_of_types) {
    const within = longest(details, (length) => 'x'.repeat(length))
    for (const [field, value] of Object.entries(within).filter(([name]) => /name|user_|phone|prepaid/.test(name))) {
      const payment_details = { ...within, [field]: `${value}x` }
      const reply = await api.request('POST /tokens', { json: { payment_details } })
      expectEnvelope(reply, 'invalid_parameter')
      expect(reply.body.error.param).toBe(`payment_details[${field}]`)
    }
  }
})

describe.each(rowsUnlike())('a megabyte in a parameter of $route', (row) => {
  test('is refused or ignored without a 5xx', async () => {
    const path = await readyPath(row, askAs(api))
    const fields = new Set(row.contents.flatMap((content) => Object.keys(content)))
    for (const field of [...fields, 'start_time', 'page', 'unheard_of'])
      for (const text of [' ', 'x', 'T1', '9', ',', '"']) {
        const body = JSON.stringify({ [field]: text.repeat(500_000 / text.length) })
        const authorization = `Basic ${btoa(`${api.test.secret_key}:`)}`
        const headers = { authorization, 'content-type': 'application/json' }
        const reply = await rawRequest(api.url, { method: row.method, path: `/api/v1${path}`, headers, body })
        expect(reply.status, `${field} ${text}`).toBeLessThan(500)
        if (reply.status >= 400) expectEnvelope(reply)
      }
  })
})

/** A payment with every field except metadata at its longest. */
const longestPayment = (of: (length: number) => string) => ({
  amount: 9_000_000_000,
  tax: 999_999_999,
  currency: 'JPY',
  payment_details: longest({ ...card(), email, family_name: 'x', given_name: 'x' }, of),
  description: of(2_000),
  external_order_num: of(255),
  return_url: url,
  fraud_details: {
    customer_ip: of(1_024),
    customer_email: email,
    browser_language: of(1_024),
    browser_user_agent: of(1_024),
  },
  webhooks: Array.from({ length: 10 }, () => ({ url, secret_key: of(255), events: ['payment.captured'] })),
})

describe.each(named)('a payment with all fields at their longest, of $name,', ({ of }) => {
  test('is charged, found by its order number and shown unchanged', async () => {
    const json = longestPayment(of)
    const reply = await api.request('POST /payments', { json })
    expect(reply.status, reply.text.slice(0, 500)).toBe(200)
    const { description, external_order_num } = json
    const { body } = reply
    expect(digestOf([body.description, body.external_order_num])).toBe(digestOf([description, external_order_num]))
    await expectShown(reply)
    const query = new URLSearchParams({ external_order_num })
    expect(digestOf((await api.request(`GET /payments?${query}`)).body.data)).toBe(digestOf([reply.body]))
  })
})

describe.each(named.slice(0, 6))('refunds of a payment with the most metadata, of $name,', ({ of }) => {
  test('are made until the record is full, and none is lost', async () => {
    const pay = { amount: 1_000_000, currency: 'JPY', payment_details: card(), metadata: most(of) }
    const { body: payment } = await api.request('POST /payments', { json: pay })
    expect(payment.status, JSON.stringify(payment.error)).toBe('captured')
    const replies: Reply[] = []
    for (let refunds = 0; refunds < 60; refunds++) {
      const reply = await api.request(`POST /payments/${payment.id}/refund`, {
        json: { amount: 1, description: of(255) },
      })
      replies.push(reply)
      if (reply.status !== 200) break
    }
    const last = replies.at(-1)!
    if (last.status !== 200) expectEnvelope(last, 'unprocessable_entity')
    const done = replies.filter(({ status }) => status === 200).length
    const { body: after } = await api.request(`GET /payments/${payment.id}`)
    expect([after.amount_refunded, digestOf(after.metadata)]).toEqual([done, digestOf(pay.metadata)])
    expect(after.refunds.length).toBe(done)

    const emptied = await api.request(`PATCH /payments/${payment.id}`, { json: { metadata: null } })
    expect(emptied.body.metadata).toEqual({})
    const rest = await api.request(`POST /payments/${payment.id}/refund`, { json: { description: of(255) } })
    expect(rest.body).toMatchObject({ status: 'refunded', amount_refunded: 1_000_000 })
  })
})

describe('a page of a list', () => {
  test('is refused if it is larger than the response of a function can be', async () => {
    const metadata = most((length) => 'あ'.repeat(length))
    const { test: other } = await api.newMerchants()
    for (let made = 0; made < 22; made++) {
      const content = { payment_details: card(), metadata }
      const { status } = await api.request('POST /customers', { json: content, key: other.secret_key })
      expect(status).toBe(200)
    }
    const whole = await api.request('GET /customers?per_page=22', { key: other.secret_key })
    expectEnvelope(whole, 'unprocessable_entity')
    expect(whole.body.error.param).toBe('per_page')
    const part = await api.request('GET /customers?per_page=15', { key: other.secret_key })
    expect([part.status, part.body.data.length, part.body.total]).toEqual([200, 15, 22])
  })
})
