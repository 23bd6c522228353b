import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servedRoutes } from '#shared/routes.ts'
import { type Api, openApi, type Reply } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { formPairs } from '#test/fixtures/form-pairs.ts'
import { rawRequest } from '#test/fixtures/raw-request.ts'
import { askAs, type Content, pathWith, type Row, rowsWithRequests } from '#test/fixtures/route-requests.ts'
import { bodies, headers, ids, keys, queries, values } from '#test/long/routes/garbage.ts'
import { jsonText } from '#test/long/routes/json-text.ts'

const rows = rowsWithRequests()

/** The number of requests over all rows. The environment can raise it, and its seed repeats a run. */
const runs = Number(process.env.GARBAGE_RUNS ?? 3_000)
const seed = Number(process.env.GARBAGE_SEED ?? 1)

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

/** One change to a valid content at its place number `where`: replace, remove, add beside, or wrap. */
const change = fc.record({
  where: fc.nat(100),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'into a list', 'into an object'),
  key: fc.oneof(fc.constantFrom(...keys), fc.string({ unit: 'binary', maxLength: 50 })),
  value: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...values) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.double() },
    { weight: 1, arbitrary: fc.integer() },
  ),
})
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

/** Null nine times out of ten, so that most requests have one fault only. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

const garbage = fc.record({
  content: fc.nat(100),
  changes: fc.array(change, { maxLength: 3 }),
  format: fc.constantFrom('json', 'json', 'json', 'json twice', 'form', 'multipart', 'nothing'),
  body: rarely(fc.constantFrom(...bodies)),
  id: rarely(fc.constantFrom(...ids)),
  query: rarely(fc.constantFrom(...queries)),
  headers: rarely(fc.array(fc.constantFrom(...headers), { minLength: 1, maxLength: 3 })),
  idempotency_key: rarely(fc.string({ unit: fc.constantFrom(...printable()), minLength: 1, maxLength: 255 })),
})
type Garbage = typeof garbage extends fc.Arbitrary<infer G> ? G : never

function printable(): string[] {
  return Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
}

/** The statuses of all responses. */
const seen = new Set<number>()

describe.each(rows.map((row, index) => ({ ...row, index })))('$route', ({ index, ...row }) => {
  test('answers any input without a 5xx, and stores what it accepted', async () => {
    const ask = askAs(api)
    const statuses = new Set<number>()
    let ready: string | undefined
    await fc.assert(
      fc.asyncProperty(garbage, async (sent) => {
        ready ??= row.params ? pathWith(row.path, await row.params(ask)) : row.path
        const reply = await send(row, ready, sent)
        expectAnswer(reply, row, sent)
        statuses.add(reply.status)
        if (reply.status === 200 && row.method !== 'GET') {
          if (row.method !== 'PATCH') ready = undefined
          await expectStored(reply, row)
        }
      }),
      // Each row gets garbage of its own.
      { seed: seed + index, numRuns: Math.ceil(runs / rows.length) },
    )
    expect(statuses).toContain(row.status)
    expect([...statuses].some((status) => status >= 400)).toBe(true)
    for (const status of statuses) seen.add(status)
  })
})

test('after all garbage, every row answers its valid request and every page of every list can be read', async () => {
  const ask = askAs(api)
  for (const row of rows) {
    const path = row.params ? pathWith(row.path, await row.params(ask)) : row.path
    const reply = await api.request(`${row.method} ${path}`, row.method === 'GET' ? {} : { json: row.contents[0] })
    expect(reply.status, `${row.route} ${reply.text.slice(0, 300)}`).toBe(200)
    if (reply.body.resource !== 'list') continue
    expect(reply.body.total).toBeGreaterThan(0)
    for (let page = 1, seen = 0; seen < reply.body.total; page++) {
      const { status, body } = await api.request(`GET ${path}?per_page=50&page=${page}`)
      expect(status).toBe(200)
      expect(body.data.length).toBeGreaterThan(0)
      seen += body.data.length
    }
  }
})

test('the garbage caused every expected status', () => {
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404, 413, 415, 422]))
})

function send(row: Row, ready: string, sent: Garbage): Promise<Reply> {
  const path = sent.id === null ? ready : row.path.replaceAll(/:\w+/g, () => sent.id!)
  const content = sent.changes.reduce<unknown>(
    changed,
    structuredClone(row.contents[sent.content % row.contents.length]),
  )
  const inQuery = row.method === 'GET' && sent.format === 'form' && sent.body === null
  const query = inQuery ? formText(content) : sent.query
  const [type, body] = inQuery ? [] : (sent.body ?? written(content, sent.format))
  return rawRequest(api.url, {
    method: row.method,
    path: `/api/v1${path}${query === null ? '' : `?${query}`}`.slice(0, 12_000),
    headers: {
      authorization: `Basic ${btoa(`${api.test.secret_key}:`)}`,
      ...(type && { 'content-type': type }),
      ...(sent.idempotency_key && { 'idempotency-key': sent.idempotency_key }),
      ...Object.fromEntries(sent.headers ?? []),
    },
    body,
  })
}

/** The content with one change. A place is any value inside the content. */
function changed(content: unknown, { where, how, key, ...change }: Change): unknown {
  const value = structuredClone(change.value)
  const places: { of: Record<string, unknown>; at: string }[] = []
  const visit = (inner: unknown) => {
    if (inner === null || typeof inner !== 'object') return
    for (const at of Object.keys(inner)) {
      places.push({ of: inner as Record<string, unknown>, at })
      if (places.length < 1_000) visit((inner as Record<string, unknown>)[at])
    }
  }
  visit(content)
  const place = places[where % (places.length || 1)]
  if (!place) return content === null || typeof content !== 'object' ? content : { ...content, [key]: value }
  const { of, at } = place
  if (how === 'remove') delete of[at]
  else if (how === 'add' && Array.isArray(of)) of.push(value)
  else if (how === 'add')
    Object.defineProperty(of, key, { value, enumerable: true, configurable: true, writable: true })
  else if (how === 'into a list') of[at] = [of[at], value]
  else if (how === 'into an object') of[at] = { [key]: of[at] }
  else of[at] = value
  return content
}

/** A body with the content in a format, and its content type. */
function written(
  content: unknown,
  format: Garbage['format'],
): readonly [string | undefined, string | Uint8Array | undefined] {
  switch (format) {
    case 'json':
      return ['application/json', jsonText(content)]
    case 'json twice':
      return ['application/json', `${jsonText(content).slice(0, -1)},${jsonText(content).slice(1)}`]
    case 'form':
      return ['application/x-www-form-urlencoded', formText(content)]
    case 'multipart': {
      const parts = formPairs(content as Content).map(
        ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      return ['multipart/form-data; boundary=b', `${parts.join('')}--b--\r\n`]
    }
    case 'nothing':
      return [undefined, undefined]
  }
}

const formText = (content: unknown): string =>
  formPairs(content as Content)
    .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')

/** Expects an error envelope or a resource. Only a scenario causes an unknown outcome. */
function expectAnswer(reply: Reply, { route }: Row, sent: Garbage): void {
  const timesOut = sent.headers?.some(([, value]) => value.startsWith('timeout_'))
  if (!timesOut || reply.status !== 504) expect(reply.status, reply.text.slice(0, 300)).toBeLessThan(500)
  if (reply.status >= 400) expectEnvelope(reply)
  else if (route === 'GET /payment_methods') expect(Array.isArray(reply.body)).toBe(true)
  else if (route === 'POST /sessions/:id/pay') expect(reply.body.status).toMatch(/^(pending|completed)$/)
  else if (route === 'POST /test_clock') expect(typeof reply.body.now).toBe('string')
  else if (route.includes(' /live_application/payment_methods/')) expect(reply.body).toBeInstanceOf(Object)
  else expect(typeof reply.body.resource).toBe('string')
}

const shown = new Set(servedRoutes().map(({ route }) => route as string))

/**
 * Expects that the response to a write is what GET shows afterwards. After a DELETE it is 404, except for
 * subscriptions.
 */
async function expectStored({ body: answered }: Reply, { method }: Row): Promise<void> {
  // `authentication_url` is only in the response that creates a secure token.
  const { authentication_url, ...body } = answered
  if (!shown.has(`GET /${body.resource}s/:id`)) return
  const reply = await api.request(`GET /${body.resource}s/${body.id}`)
  if (method === 'DELETE' && body.status !== 'deleted') return expectEnvelope(reply, 'not_found')
  expect(reply.status).toBe(200)
  expect(reply.text).toBe(JSON.stringify(body))
  // JSON escapes lone surrogates, which must never be stored.
  expect(reply.text).not.toMatch(/(?<!\\)(\\\\)*\\ud[89a-f]/i)
}
