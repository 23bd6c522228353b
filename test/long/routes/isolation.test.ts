import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi, type Reply } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { formPairs } from '#test/fixtures/form-pairs.ts'
import { rawRequest } from '#test/fixtures/raw-request.ts'
import {
  type Ask,
  askAs,
  type Content,
  pathWith,
  type Row,
  rowsWithRequests,
  type Thing,
  things,
} from '#test/fixtures/route-requests.ts'
import { tableDigest } from '#test/fixtures/table-digest.ts'

const rows = rowsWithRequests()
const withIds = rows.filter(({ path }) => path.includes(':'))
/**
 * The rows that list records. Payment methods are the same for every merchant, and every merchant has one application.
 */
const lists = rows.filter(
  ({ method, path }) => method === 'GET' && !/:|^\/payment_methods|^\/live_application/.test(path),
)
const referring = rows.flatMap((row) =>
  Object.entries(row.refers ?? {}).map(([param, thing]) => ({ ...row, param, thing })),
)

let api: Api
let owner: Ask
let strangers: Record<'another merchant' | 'the other mode of the account', string>
const ids = {} as Record<Thing, string>

beforeAll(async () => {
  api = await openApi()
  owner = askAs(api)
  strangers = {
    'another merchant': (await api.newMerchants()).test.secret_key,
    'the other mode of the account': api.live.secret_key,
  }
  for (const [thing, make] of Object.entries(things)) ids[thing as Thing] = await make(owner)
})
afterAll(() => api.close())

/** Sends a request to exactly this path. */
const send = (row: Row, path: string, key: string, content: Content = row.contents[0]!) => {
  const query = row.method === 'GET' ? `?${new URLSearchParams(formPairs(content))}` : ''
  return rawRequest(api.url, {
    method: row.method,
    path: `/api/v1${path}${query}`,
    headers: { authorization: `Basic ${btoa(`${key}:`)}`, 'content-type': 'application/json' },
    body: row.method === 'GET' ? undefined : JSON.stringify(content),
  })
}

/** The path of a row with the same id for every placeholder. */
const pathOf = (row: Row, id: string) => pathWith(row.path, { id, key: id })

describe.each(withIds)('$route', (row) => {
  test.each(['another merchant', 'the other mode of the account'] as const)(
    'answers 404 for every id of this merchant to %s, and changes nothing',
    async (who) => {
      const before = tableDigest(api)
      for (const id of Object.values(ids)) {
        for (const content of row.contents)
          expectEnvelope(await send(row, pathOf(row, id), strangers[who], content), 'not_found')
      }
      expect(tableDigest(api)).toBe(before)
    },
  )

  test('answers 404 for unknown and malformed ids', async () => {
    const { id } = (await row.params!(owner)) as Record<string, string>
    const before = tableDigest(api)
    for (const odd of oddIds(id!)) {
      const reply = await send(row, pathOf(row, odd), api.test.secret_key)
      expect(reply.status, `${odd.slice(0, 80)} ${reply.text.slice(0, 200)}`).toBe(404)
      expectEnvelope(reply, 'not_found')
    }
    expect(tableDigest(api)).toBe(before)
  })

  test('answers 404 for an id of another kind', async () => {
    const { id } = (await row.params!(owner)) as Record<string, string>
    const before = tableDigest(api)
    const others = Object.values(ids).filter((other) => other.slice(0, 4) !== id!.slice(0, 4))
    expect(others.length).toBeGreaterThan(1)
    for (const other of others) expectEnvelope(await send(row, pathOf(row, other), api.test.secret_key), 'not_found')
    expect(tableDigest(api)).toBe(before)
  })

  test('treats an empty id as a path without id', async () => {
    const before = tableDigest(api)
    const reply = await send(row, pathOf(row, ''), strangers['another merchant'])
    if (reply.status === 200) expect(reply.body).toMatchObject({ resource: 'list', total: 0 })
    else expectEnvelope(reply, reply.status === 405 ? 'method_not_allowed' : 'not_found')
    expect(tableDigest(api)).toBe(before)
  })
})

/** Unknown and malformed ids, derived from an existing one. */
function oddIds(id: string): string[] {
  const prefix = id.slice(0, 4)
  const around = [
    '#',
    '%23',
    '%2F',
    '%2f..',
    '%00',
    '%0A',
    '%0D%0A',
    '%20',
    '%7C',
    '%25',
    '%',
    '%zz',

    ':',
    ';',
    '%3F',
  ]
  return [
    ...around.flatMap((mark) => [id + mark, mark + id, `${id + mark}payment`]),
    ...[
      '#',
      '%23',
      '%2F',
      '%',
      '%00',
      '.',
      '..',
      '%2e%2e',
      '%2e%2e%2f',
      '*',
      '%C3%A9',
      '%F0%9F%98%80',
      '%FF',
      '%ED%A0%80',
    ],
    ...[
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'null',
      'undefined',
      '0',
      '-1',
      'NaN',
      '[object%20Object]',
    ],
    ...[prefix, `${prefix}0`, id.toUpperCase(), id.slice(0, -1), `${id}0`, `${id}/${id}`, `${id}%23${id}`],
    ...[
      `${prefix}${'0'.repeat(60)}`,
      `${prefix}${'0'.repeat(61)}`,
      `${prefix}${'z'.repeat(3_000)}`,
      // Short enough to stand twice in a path that is still read.
      'a'.repeat(6_000),
    ],
    ...[`${prefix}${'%F0%9F%98%80'.repeat(600)}`, id.replace('_', '%5f_'), id.replace(/.$/, '%EF%BC%91')],
  ]
}

describe.each(referring.filter(({ method }) => method !== 'GET'))('$param in the body of $route', (row) => {
  /** The first content of the row that refers to this id. */
  const naming = (id: string): Content => {
    const rest = Object.entries(row.contents[0]!).filter(([name]) => !(name in row.refers!))
    return { ...Object.fromEntries(rest), [row.param]: id }
  }
  const code = row.thing === 'token' ? 'invalid_token' : 'invalid_parameter'

  test.each(['another merchant', 'the other mode of the account'] as const)(
    'is refused with its name in the error when %s sends it, and still serves its owner',
    async (who) => {
      const id = await things[row.thing](owner)
      const stranger: Ask = askAs(api, strangers[who])
      const path = pathWith(row.path, row.params ? await row.params(stranger) : {})
      const before = tableDigest(api)
      const reply = await send(row, path, strangers[who], naming(id))
      expectEnvelope(reply, code)
      expect(reply.body.error.param).toBe(row.param)
      expect(tableDigest(api)).toBe(before)

      const own = pathWith(row.path, row.params ? await row.params(owner) : {})
      const control = await send(row, own, api.test.secret_key, naming(id))
      expect(control.status, control.text).toBe(200)
    },
  )

  test('is refused with its name in the error if it is unknown or malformed', async () => {
    const id = await things[row.thing](owner)
    const path = pathWith(row.path, row.params ? await row.params(owner) : {})
    const before = tableDigest(api)
    for (const odd of [
      ...oddIds(id).map(unescapedIfPossible),
      ...Object.values(ids).filter((other) => other !== ids[row.thing]),
    ]) {
      const reply = await send(row, path, api.test.secret_key, naming(odd))
      expect(reply.status, `${odd.slice(0, 80)} ${reply.text.slice(0, 200)}`).toBe(422)
      expect(reply.body.error.param).toBe(row.param)
      expectEnvelope(reply, code)
    }
    expect(tableDigest(api)).toBe(before)
  })
})

function unescapedIfPossible(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

describe.each(lists)('$route', (row) => {
  test('shows no records of other merchants and modes', async () => {
    const { test: own, live } = await api.newMerchants()
    for (const make of Object.values(things)) await make(askAs(api, own.secret_key))
    const { test: other } = await api.newMerchants()
    const before = tableDigest(api)
    for (const content of [...row.contents, { per_page: 100 }]) {
      expect((await send(row, row.path, own.secret_key, content)).body.total).toBeGreaterThan(0)
      for (const { secret_key } of [live, other]) {
        const { body } = await send(row, row.path, secret_key, content)
        expect(body).toMatchObject({ resource: 'list', total: 0, last_page: 0, data: [] })
      }
    }
    expect(tableDigest(api)).toBe(before)
  })
})

describe.each(referring.filter(({ method }) => method === 'GET'))('$param of $route', (row) => {
  test('finds nothing for an id of another merchant or mode', async () => {
    for (const key of Object.values(strangers)) {
      const { body } = await send(row, row.path, key, { [row.param]: ids[row.thing] })
      expect(body).toMatchObject({ resource: 'list', total: 0, data: [] })
    }
  })
})

test('an idempotency key of one merchant is independent of the same key of others', async () => {
  const headers = { 'idempotency-key': 'order-1' }
  const replies: Reply[] = []
  for (const key of [api.test.secret_key, ...Object.values(strangers)]) {
    const content = { payment_details: { type: 'paypay' }, amount: 100 + replies.length, currency: 'JPY' }
    replies.push(await api.request('POST /payments', { key, json: content, headers }))
  }
  expect(replies.map(({ status, body }) => [status, body.amount])).toEqual([
    [200, 100],
    [200, 101],
    [200, 102],
  ])
  expect(replies.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null, null])
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(3)
})

test('a key cannot act for a merchant that its account did not create', async () => {
  const other = await api.newMerchants()
  for (const password of [other.test.id, other.live.id, api.live.id, api.test.id, 'mer_', '#', ids.customer, '\u00e9'])
    for (const key of [api.test.secret_key, api.live.secret_key]) {
      const authorization = `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`
      const reply = await api.request('GET /payments', { key: null, headers: { authorization } })
      expectEnvelope(reply, 'unauthorized')
    }
})
