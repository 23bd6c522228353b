import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi, type Reply } from '#test/fixtures/api.ts'
import { formPairs, notations } from '#test/fixtures/form-pairs.ts'
import { askAs, type Content, pathWith, type Row, rowsWithRequests } from '#test/fixtures/route-requests.ts'

/**
 * The rows that write, except two. The same request is sent many times, and the name of an account must be unique. The
 * test clock shows another time at each request.
 */
const rows = rowsWithRequests()
  .filter(({ route }) => route !== 'POST /accounts' && route !== 'POST /test_clock')
  .filter(({ method }) => method !== 'GET')

/** The number of contents over all rows. Each is sent in five formats. */
const runs = Number(process.env.FORM_RUNS ?? 300)
const seed = Number(process.env.FORM_SEED ?? 1)

let api: Api
beforeAll(async () => {
  api = await openApi()
  // The contents of a row refer to records, which must exist before the first content is read.
  for (const row of rows) await row.params?.(askAs(api))
})
afterAll(() => api.close())

const wrong_texts = [
  ...[
    '',
    ' ',
    'x',
    '0',
    '-1',
    '1',
    '1.5',
    '10.0',
    '1e3',
    '007',
    '99999999999',
    '10000000000',
    'true',
    'false',
    'null',
    'auto',
  ],
  ...[
    'JPY',
    'USD',
    'XXX',
    'jpy',
    'a@b.jp',
    'a@b',
    'https://a.jp/?b[]=c&d=%20',
    'http://localhost',
    'ftp://a.jp',
    'en',
    'captured',
  ],
  ...[
    'konbini',
    'credit_card',
    'paypay',
    'lawson',
    'docomo',
    '4111111111111111',
    '4123111111111000',
    '4100000000000100',
    '4111111111111112',
  ],
  ...[
    'あ+ &=%',
    '😀',
    'a\r\nb',
    '"\\',
    '\u0000',
    '[a]',
    'x'.repeat(64),
    'x'.repeat(256),
    'x'.repeat(2_001),
    'tok_1',
    'payment.captured',
  ],
]
const wrong_numbers = [
  0,
  -0,
  -1,
  1,
  12,
  13,
  59,
  60,
  2_035,
  1.5,
  1e21,
  9_999_999_999,
  10_000_000_000,
  2 ** 53,
  true,
  false,
]

/**
 * One change that both JSON and a form can express. A number may become text, but not the reverse, because every value
 * of a form is text.
 */
const change = fc.record({
  where: fc.nat(100),
  how: fc.constantFrom('text', 'text', 'number', 'remove', 'list', 'object', 'add'),
  text: fc.oneof(fc.constantFrom(...wrong_texts), fc.string({ unit: 'grapheme' })),
  number: fc.constantFrom(...wrong_numbers),
})
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

function changed(content: Content, { where, how, text, number }: Change): Content {
  const next = structuredClone(content) as Record<string, unknown>
  const places: { of: Record<string, unknown>; at: string }[] = []
  const visit = (inner: unknown) => {
    if (inner === null || typeof inner !== 'object') return
    for (const at of Object.keys(inner)) {
      places.push({ of: inner as Record<string, unknown>, at })
      visit((inner as Record<string, unknown>)[at])
    }
  }
  visit(next)
  const place = places[where % (places.length || 1)]
  if (!place) return { unheard_of: text }
  const { of, at } = place
  const was = of[at]
  if (how === 'text') of[at] = text
  else if (how === 'number') of[at] = typeof was === 'number' || typeof was === 'boolean' ? number : text
  else if (how === 'list') of[at] = [text, text]
  else if (how === 'object') of[at] = { inner: text }
  else if (how === 'add' && !Array.isArray(of)) of.added = text
  else if (!Array.isArray(of)) delete of[at]
  return next
}

/** Whether a form can express the value, which must contain neither null nor anything empty. */
const canBeForm = (value: unknown): boolean =>
  typeof value !== 'object' || value === null
    ? value !== null
    : Object.keys(value).length > 0 && Object.values(value).every(canBeForm)

describe.each(rows)('$route', (row) => {
  test('answers the same to JSON, to a form in every notation, and to multipart', async () => {
    const statuses = new Set<number>()
    const any = fc
      .tuple(fc.constantFrom(...row.contents), fc.array(change, { maxLength: 2 }))
      .map(([content, changes]) => changes.reduce(changed, content))
      .filter((content) => Object.values(content).every(canBeForm))
    await fc.assert(
      fc.asyncProperty(any, async (content) => {
        const asJson = await send(row, 'application/json', JSON.stringify(content))
        statuses.add(asJson.status)
        for (const notation of notations) {
          const form = new URLSearchParams(formPairs(content, notation)).toString()
          const asForm = await send(row, 'application/x-www-form-urlencoded', form)
          expect(comparable(asForm), notation).toEqual(comparable(asJson))
        }
        expect(comparable(await sendMultipart(row, content)), 'multipart').toEqual(comparable(asJson))
      }),
      { seed, numRuns: Math.ceil(runs / rows.length), examples: row.contents.map((content): [Content] => [content]) },
    )
    expect([...statuses]).toContain(200)
  })
})

/** Sends a request to a record of its own, because a response may depend on earlier requests. */
async function send(row: Row, type: string, body: string): Promise<Reply> {
  const path = row.params ? pathWith(row.path, await row.params(askAs(api))) : row.path
  return api.request(`${row.method} ${path}`, { raw: body, headers: { 'content-type': type } })
}

async function sendMultipart(row: Row, content: Content): Promise<Reply> {
  const form = new FormData()
  for (const [name, value] of formPairs(content)) form.append(name, value)
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return send(row, request.headers.get('content-type')!, await request.text())
}

/** The content of a response without random ids and codes, latencies, and the types of metadata values. */
function comparable({ status, body }: Reply): unknown {
  if (body.error) return { status, code: body.error.code, param: body.error.param }
  return JSON.parse(JSON.stringify({ status, ...body }), (key, value) => {
    if (key === 'metadata') return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, String(of)]))
    if (key === 'latency_ms') return 'some time'
    if (key === 'id' && typeof value === 'number') return 'a number'
    if (typeof value !== 'string') return value
    return value
      .replaceAll(/\b[a-z]{3}_[0-9a-z]{26,}/g, 'an id')
      .replaceAll(/\b[sp]k_(test|live)_[0-9a-z]{32}/g, 'a key')
      .replace(/^\d{6,11}$/, 'a code')
  })
}

describe('a form', () => {
  const payment = [
    ['amount', '1000'],
    ['currency', 'JPY'],
    ['payment_details[type]', 'paypay'],
  ] as const
  const hooks = [
    { url: 'https://a.example.com', events: ['payment.captured', 'payment.failed'], secret_key: 's' },
    { url: 'https://b.example.com', events: ['payment.refunded'] },
  ]
  const kept = () => {
    const items = [...api.platform.table.items()].filter(({ sk }) => sk === 'payment')
    return items.map(({ webhooks }) =>
      (webhooks as { url: string; events: string[] }[]).map(({ url, events }) => ({ url, events })),
    )
  }

  test.each(notations)('expresses the webhooks of a payment in the notation "%s"', async (notation) => {
    const before = kept().length
    const reply = await api.request('POST /payments', {
      form: [...payment, ...formPairs({ webhooks: hooks }, notation)],
    })
    expect(reply.status, reply.text).toBe(200)
    expect(kept()).toHaveLength(before + 1)
    expect(kept()).toContainEqual(hooks.map(({ url, events }) => ({ url, events })))
  })
})
