import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi, type RequestOptions } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { formPairs } from '#test/fixtures/form-pairs.ts'
import { type Ask, askAs, readyPath, rowsUnlike } from '#test/fixtures/route-requests.ts'
import { tableDigest } from '#test/fixtures/table-digest.ts'

const rows = rowsUnlike().filter(({ method }) => method === 'POST' || method === 'PATCH')

let api: Api
let ask: Ask
beforeAll(async () => {
  api = await openApi()
  ask = askAs(api)
})
afterAll(() => api.close())

let keys = 0
const newKey = () => `key ${++keys} "~!`

describe.each(rows)('$route', (row) => {
  const content = row.contents[0]!
  const send = (path: string, key: string, options: RequestOptions) =>
    api.request(`${row.method} ${path}`, { ...options, headers: { 'idempotency-key': key, ...options.headers } })

  test('replays the same bytes for the same key, and does nothing again', async () => {
    for (const given of row.contents) {
      const path = await readyPath(row, ask)
      // Copied once, because some contents generate a new name at each read.
      const each = structuredClone(given)
      const key = newKey()
      const first = await send(path, key, { json: each })
      expect(first.status, first.text).toBe(200)
      expect(first.headers.get('idempotent-replayed')).toBeNull()
      const before = tableDigest(api)
      const form = formPairs(each)
      for (const again of [{ json: each }, { json: each }, ...(form.length > 0 ? [{ form }] : [])]) {
        const replay = await send(path, key, again)
        expect([replay.status, replay.text]).toEqual([first.status, first.text])
        expect(replay.headers.get('idempotent-replayed')).toBe('true')
        expect(replay.headers.get('content-type')).toBe(first.headers.get('content-type'))
        expect(replay.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
      }
      expect(tableDigest(api)).toBe(before)
    }
  })

  test('replays a refusal for the same key, including its request id', async () => {
    const path = await readyPath(row, ask)
    const objects = Object.fromEntries(Object.keys(content).map((name) => [name, { of: 'x' }]))
    const wrong = { amount: 'x', metadata: 'x', payment_details: 'x', url: 'x', simulate_status: 'x' }
    const refused = { ...objects, ...wrong }
    const target = path.replace(/[a-z]{3}_[0-9a-z]{20,}/, 'pay_none')
    const key = newKey()
    const first = await send(target, key, { json: refused })
    expect(first.status).toBeGreaterThanOrEqual(400)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const before = tableDigest(api)
    const replay = await send(target, key, { json: refused })
    expect([replay.status, replay.text]).toEqual([first.status, first.text])
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    expect(tableDigest(api)).toBe(before)
  })

  test('refuses the same key with another body, and changes nothing', async () => {
    const path = await readyPath(row, ask)
    const key = newKey()
    expect((await send(path, key, { json: content })).status).toBe(200)
    const before = tableDigest(api)
    const others = [
      { ...content, description: 'another' },
      { ...content, metadata: { other: 1 } },
      { ...content, unheard_of: 'x' },
      { ...content, payment_details: { type: 'paypay', email: 'other@example.com' } },
      'amount' in content ? { ...content, amount: 7 } : { amount: 7 },
      { payment_details: 5 },
    ]
    for (const other of others) expectEnvelope(await send(path, key, { json: other }), 'idempotency_mismatch')
    expect(tableDigest(api)).toBe(before)
  })

  test('treats null as different from text, an empty list and an empty object', async () => {
    const path = await readyPath(row, ask)
    const key = newKey()
    expect((await send(path, key, { json: { ...content, unheard_of: null } })).status).toBe(200)
    for (const unheard_of of ['null', 'undefined', '', [], {}])
      expectEnvelope(await send(path, key, { json: { ...content, unheard_of } }), 'idempotency_mismatch')
  })

  test('refuses the same key for every other row and id', async () => {
    const key = newKey()
    expect((await send(await readyPath(row, ask), key, { json: content })).status).toBe(200)
    for (const other of rows) {
      if (other === row && !row.path.includes(':')) continue
      const path = await readyPath(other, ask)
      const before = tableDigest(api)
      const headers = { 'idempotency-key': key }
      const reply = await api.request(`${other.method} ${path}`, { json: content, headers })
      expectEnvelope(reply, 'idempotency_mismatch')
      expect(tableDigest(api)).toBe(before)
    }
  })

  test('stores no response to a request that it could not read or authenticate', async () => {
    const path = await readyPath(row, ask)
    const key = newKey()
    expectEnvelope(await send(path, key, { raw: '{', headers: { 'content-type': 'application/json' } }), 'bad_request')
    expectEnvelope(
      await send(path, key, { raw: 'x', headers: { 'content-type': 'text/plain' } }),
      'unsupported_media_type',
    )
    expectEnvelope(await send(path, key, { key: null, json: content }), 'unauthorized')
    const reply = await send(path, key, { json: content })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers.get('idempotent-replayed')).toBeNull()
  })

  test('refuses an invalid key, and changes nothing', async () => {
    const path = await readyPath(row, ask)
    const before = tableDigest(api)
    for (const key of ['x'.repeat(256), '\u00e9', 'a\tb']) {
      const reply = await send(path, key, { json: content })
      expectEnvelope(reply, 'invalid_parameter')
      expect(reply.body.error.param).toBe('Idempotency-Key')
    }
    expect(tableDigest(api)).toBe(before)
    expect((await send(path, 'x'.repeat(255), { json: { ...content, row: row.route } })).status).toBeLessThan(500)
  })
})
