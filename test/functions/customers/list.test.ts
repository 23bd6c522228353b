import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { largeMetadata } from '#test/fixtures/large-metadata.ts'

let api: Api
const made: { id: string }[] = []

/**
 * Twelve customers, created ten seconds apart from 03:00:00 on. Every third has the same e-mail address, with a capital
 * letter in some.
 */
beforeAll(async () => {
  api = await openApi()
  for (let n = 0; n < 12; n++) {
    const email = n % 3 > 0 ? `${n}@example.com` : n % 2 ? 'Hanako@Example.com' : 'hanako@example.com'
    made.unshift((await api.request('POST /customers', { json: { payment_details: card(), email } })).body)
    await api.advance(10)
  }
})
afterAll(() => api.close())

const list = async (query = '', key = api.test.secret_key) =>
  (await api.request(`GET /customers${query}`, { key })).body
const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
const idsOf = (...from_newest: number[]) => from_newest.map((index) => made[index]!.id)

/** Sends a body with GET, which `fetch` cannot do. */
async function getWithBody(json: object) {
  const { port } = new URL(api.url)
  const auth = `${api.test.secret_key}:`
  const body = JSON.stringify(json)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const call = request({ port, auth, headers, method: 'GET', path: '/api/v1/customers' })
  const answered = new Promise<string>((resolve, reject) => {
    call.on('response', (response) => resolve(text(response))).on('error', reject)
  })
  call.end(body)
  return JSON.parse(await answered)
}

describe('GET /customers', () => {
  test('lists the newest ten customers, each as GET /customers/:id shows it', async () => {
    const { text: answer } = await api.request('GET /customers')
    const data = made.slice(0, 10)
    expect(answer).toBe(JSON.stringify({ resource: 'list', total: 12, page: 1, per_page: 10, last_page: 2, data }))
  })

  test.each([
    ['?page=2', { total: 12, page: 2, per_page: 10, last_page: 2 }, [10, 11]],
    ['?page=2&per_page=5', { total: 12, page: 2, per_page: 5, last_page: 3 }, [5, 6, 7, 8, 9]],
    ['?page=3', { total: 12, page: 3, last_page: 2 }, []],
    ['?per_page=12', { total: 12, last_page: 1 }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    ['?start_time=2030-01-02T03:01:30Z', { total: 2 }, [0, 1]],
    ['?end_time=2030-01-02T03:00:10Z', { total: 1 }, [11]],
    ['?start_time=2030-01-02T03:00:10Z&end_time=2030-01-02T12:00:40%2B09:00', { total: 2 }, [8, 9]],
    ['?email=HANAKO@example.com', { total: 4 }, [2, 5, 8, 11]],
    ['?email=hanako@example.com&start_time=2030-01-02T03:00:00Z&per_page=2&page=2', { total: 3, last_page: 2 }, [8]],
    ['?email=nobody@example.com', { total: 0, last_page: 0 }, []],
  ])('returns the matching page for %s', async (query, envelope, expected) => {
    const page = await list(query)
    expect(page).toMatchObject(envelope)
    expect(ids(page)).toEqual(idsOf(...expected))
  })

  test('accepts parameters in a JSON body', async () => {
    const page = await getWithBody({ page: 2, per_page: '11' })
    expect([page.per_page, ids(page)]).toEqual([11, idsOf(11)])
  })

  test('moves a customer with a changed e-mail address to the list of that address', async () => {
    const { test: merchant } = await api.newMerchants()
    const key = merchant.secret_key
    const json = { payment_details: card(), email: 'old@example.com' }
    const { body } = await api.request('POST /customers', { key, json })
    await api.request(`PATCH /customers/${body.id}`, { key, json: { email: 'new@example.com' } })
    expect(ids(await list('?email=old@example.com', key))).toEqual([])
    expect(ids(await list('?email=new@example.com', key))).toEqual([body.id])
    expect(ids(await list('', key))).toEqual([body.id])
  })

  test('answers an empty list without a last page, and shows no customer of another mode', async () => {
    const { text: answer } = await api.request('GET /customers', { key: api.live.secret_key })
    const empty = { resource: 'list', total: 0, page: 1, per_page: 10, last_page: 0, data: [] }
    expect(answer).toBe(JSON.stringify(empty))
  })

  test('refuses a page that is too large for one response, and shows a smaller one', async () => {
    const { secret_key: key } = (await api.newMerchants()).test
    const json = { payment_details: card(), metadata: largeMetadata() }
    for (let made = 0; made < 16; made++) await api.request('POST /customers', { json, key })
    const reply = await api.request('GET /customers?per_page=16', { key })
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'unprocessable_entity', param: 'per_page' })
    expect((await api.request('GET /customers?per_page=8', { key })).body.data).toHaveLength(8)
  })

  test.each([
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['start_time=yesterday', 'start_time'],
    ['end_time=2030-02-31T00:00:00Z', 'end_time'],
    ['email=taro', 'email'],
  ])('refuses the query %s', async (query, param) => {
    const { status, body } = await api.request(`GET /customers?${query}`)
    expect([status, body.error]).toMatchObject([422, { code: 'invalid_parameter', param }])
  })
})
