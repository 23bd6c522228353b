import middy from '@middy/core'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_BODY_BYTES, MAX_BODY_LEVELS, type ReadEvent, readBody } from '#shared/http/body.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

const readEvent = middy()
  .use(readBody)
  .handler(async (event: ReadEvent) => event.body)

function read(
  body: string | Uint8Array | null,
  content_type?: string,
  event: Partial<APIGatewayProxyEvent> = {},
): Promise<Record<string, unknown>> {
  const raw = {
    httpMethod: 'POST',
    headers: content_type === undefined ? {} : { 'Content-Type': content_type },
    multiValueQueryStringParameters: null,
    body: body instanceof Uint8Array ? Buffer.from(body).toString('base64') : body,
    isBase64Encoded: body instanceof Uint8Array,
    ...event,
  }
  return readEvent(raw as unknown as ReadEvent, {} as Context)
}

const refused = (code: string) => expect.objectContaining({ name: 'Refusal', code })

describe('readBody by content type', () => {
  test.each([
    JSON_TYPE,
    'Application/JSON; Charset=UTF-8',
    'application/json;charset="utf8"',
    'application/vnd.api+json',
  ])('%s is read as JSON', async (type) => {
    expect(await read('{"a":{"b":[1,true,null,"x"]}}', type)).toEqual({ a: { b: [1, true, null, 'x'] } })
  })

  test('forms and multipart bodies nest alike', async () => {
    const nested = { w: [{ url: 'u', events: ['x', 'y'] }, { url: 'v' }], a: 'last' }
    const form = 'a=first&w[][url]=u&w[][events][]=x&w[][events][]=y&w[][url]=v&a=last'
    expect(await read(form, `${FORM_TYPE}; charset=utf-8`)).toEqual(nested)
    const multipart = new FormData()
    for (const [name, value] of new URLSearchParams(form)) multipart.append(name, value)
    const sent = new Response(multipart)
    expect(await read(await sent.bytes(), sent.headers.get('content-type') ?? '')).toEqual(nested)
  })

  test('JSON that is labelled as a form, as curl does, is read as JSON', async () => {
    expect(await read('{"a":{"b":1}}', FORM_TYPE)).toEqual({ a: { b: 1 } })
    await expect(read('{"a":', FORM_TYPE)).rejects.toEqual(refused('bad_request'))
  })

  test('the header is found in any case', async () => {
    expect(await read('{"a":1}', undefined, { headers: { 'CONTENT-TYPE': JSON_TYPE } })).toEqual({ a: 1 })
  })

  test('without a content type, a body that begins with a brace is JSON, and any other is a form', async () => {
    expect(await read(' \n{"a":"b=c"}')).toEqual({ a: 'b=c' })
    expect(await read('a[b]=c', '')).toEqual({ a: { b: 'c' } })
    await expect(read('{"a":')).rejects.toEqual(refused('bad_request'))
  })

  test.each([
    'text/plain',
    'application/xml',
    'application/jsonp',
    'nonsense',
    `${JSON_TYPE}, ${JSON_TYPE}`,
    'application/json; charset=iso-8859-1',
    `${FORM_TYPE}; charset=shift_jis`,
  ])('%s is not supported', async (type) => {
    await expect(read('{}', type)).rejects.toEqual(refused('unsupported_media_type'))
  })

  test('an absent or blank body is an empty object under any content type', async () => {
    for (const type of [undefined, JSON_TYPE, FORM_TYPE, 'multipart/form-data', 'text/plain']) {
      for (const body of [null, '', ' \r\n', new Uint8Array()]) expect(await read(body, type)).toEqual({})
    }
  })
})

describe('readBody of JSON', () => {
  test.each(['[]', '1', 'null', '"x"', 'true'])('refuses %s, which is not an object', async (json) => {
    await expect(read(json, JSON_TYPE)).rejects.toEqual(refused('bad_request'))
  })

  test('refuses malformed JSON without repeating it', async () => {
    const sent = '{"number":"4111111111111111",}'
    const refusal = await read(sent, JSON_TYPE).catch((error) => error)
    expect(refusal).toEqual(refused('bad_request'))
    expect(refusal.cause).toBeUndefined()
    expect(`${refusal.stack} ${JSON.stringify(refusal)}`).not.toMatch(/4111|number/)
  })

  test('takes the last of a repeated key', async () => {
    expect(await read('{"a":1,"a":2}', JSON_TYPE)).toEqual({ a: 2 })
  })

  test(`reads ${MAX_BODY_LEVELS} levels, and refuses more`, async () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    expect(JSON.stringify(await read(nested(MAX_BODY_LEVELS), JSON_TYPE))).toBe(nested(MAX_BODY_LEVELS))
    for (const deeper of [nested(MAX_BODY_LEVELS + 1), nested(500_000), '['.repeat(MAX_BODY_BYTES)]) {
      await expect(read(deeper, JSON_TYPE)).rejects.toEqual(refused('bad_request'))
    }
  })

  test('refuses a number that no double can hold, because it would come back as null', async () => {
    await expect(read('{"metadata":{"a":-1e999}}', JSON_TYPE)).rejects.toEqual(refused('bad_request'))
  })

  test.each(['{"__proto__":{"polluted":1}}', '{"a":[{"\\u005f_proto__":{"polluted":1}}]}'])(
    'refuses %s',
    async (json) => {
      await expect(read(json, JSON_TYPE)).rejects.toEqual(refused('bad_request'))
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    },
  )
})

describe('readBody of text', () => {
  test('replaces lone surrogates in values and keys, and keeps NUL', async () => {
    const expected = { 'k\ufffd': ['a\ufffdb', '\u0000'] }
    expect(await read('{"k\\ud800":["a\\udc00b","\\u0000"]}', JSON_TYPE)).toEqual(expected)
    expect(await read('k\ud800[]=a\udc00b&k\ud800[]=%00', FORM_TYPE)).toEqual(expected)
  })

  test('replaces bytes that are not UTF-8, and drops a byte order mark', async () => {
    expect(await read(Buffer.from('{"a":"\xff"}', 'latin1'), JSON_TYPE)).toEqual({ a: '\ufffd' })
    expect(await read(Buffer.from('\ufeff{"a":"é"}'), JSON_TYPE)).toEqual({ a: 'é' })
    expect(await read('a=%ff', FORM_TYPE)).toEqual({ a: '\ufffd' })
  })
})

describe('readBody of a large body', () => {
  const sized = (bytes: number) => `{"a":"${'é'.repeat((bytes - 8) / 2)}"}`

  test('reads exactly 1 MB and refuses one byte more, encoded or not', async () => {
    for (const as of [String, Buffer.from] as const) {
      expect(await read(as(sized(MAX_BODY_BYTES)), JSON_TYPE)).toHaveProperty('a')
      await expect(read(as(`${sized(MAX_BODY_BYTES)} `), JSON_TYPE)).rejects.toEqual(refused('payload_too_large'))
    }
  })
})

describe('readBody by method', () => {
  const query = { multiValueQueryStringParameters: { page: ['1'], 'status[]': ['a', 'b'] } }

  test.each(['GET', 'DELETE'])(
    '%s reads parameters from the query and the body, and the body wins',
    async (httpMethod) => {
      expect(await read(null, undefined, { httpMethod, ...query })).toEqual({ page: '1', status: ['a', 'b'] })
      expect(await read('{"page":2}', JSON_TYPE, { httpMethod, ...query })).toEqual({ page: 2, status: ['a', 'b'] })
    },
  )

  test.each(['POST', 'PATCH'])('%s does not read the query', async (httpMethod) => {
    expect(await read('{"a":2}', JSON_TYPE, { httpMethod, ...query })).toEqual({ a: 2 })
  })
})

describe('readBody of whole numbers above 2^53', () => {
  test.each(['9007199254740993', '-9223372036854775808'])('keeps the digits of %s', async (digits) => {
    expect(await read(`{"a":[${digits}]}`, JSON_TYPE)).toEqual({ a: [BigInt(digits)] })
  })

  test('keeps the digits of a number with zeros after its point', async () => {
    expect(await read('{"a":9007199254740993.0}', JSON_TYPE)).toEqual({ a: 9_007_199_254_740_993n })
  })

  test.each(['9007199254740991', '1.5', '1e30', '"9007199254740993"'])('returns %s unchanged', async (json) => {
    expect(await read(`{"a":${json},"b":"1234567890123456"}`, JSON_TYPE)).toMatchObject({ a: JSON.parse(json) })
  })
})

describe('readBody of arbitrary input', () => {
  const contentType = fc.oneof(
    fc.constantFrom(JSON_TYPE, FORM_TYPE, 'multipart/form-data; boundary=x', 'text/plain', `${JSON_TYPE};charset=x`),
    fc.constant(undefined),
    fc.string(),
  )
  const scrap = fc.constantFrom(
    ...['{', '}', '[', ']', '"', ':', ',', '=', '&', '%5B', '%', '\\ud800', '__proto__', 'constructor', '1e999', 'a'],
    ...['--x', '--x--', '\r\n', 'content-disposition: form-data; name="a"', '; filename="f"', '\u0000', '\ud800'],
  )
  const garbage = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(scrap, { maxLength: 30 }).map((scraps) => scraps.join('')),
    fc.json(),
    fc.string({ unit: 'binary' }),
  )

  const digits = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

  test('returns a plain object, or refuses with 400, 413 or 415', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    await fc.assert(
      fc.asyncProperty(garbage, contentType, fc.constantFrom('GET', 'POST'), async (body, type, httpMethod) => {
        const outcome = await read(body, type, { httpMethod }).catch((error) => error)
        if (outcome instanceof Error) {
          expect(['bad_request', 'payload_too_large', 'unsupported_media_type']).toContain(
            (outcome as Error & { code?: string }).code,
          )
        } else {
          expect(Object.getPrototypeOf(outcome)).toBe(Object.prototype)
          expect(JSON.stringify(outcome, digits).isWellFormed()).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  })

  // The content that a form can express: no empty objects or lists, and no object whose keys are those of a list.
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 5 })
    .filter((text) => !/[[\]]/.test(text) && text !== '__proto__' && !/^\d+$/.test(text))
  const key = fc.oneof(fc.constantFrom('url', 'events'), name)
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { minKeys: 1, maxKeys: 3 }),
    ),
  }))
  const content = fc.dictionary(key, tree, { maxKeys: 4 })

  test('reads the same request from a form, a query and JSON with the same content', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.boolean(), async (object, emptyBrackets) => {
        const pairs = Object.entries(object).flatMap(([name, value]) => flattened(name, value, emptyBrackets))
        const form = new URLSearchParams(pairs).toString()
        const json = await read(JSON.stringify(object), JSON_TYPE)
        expect(await read(form, FORM_TYPE)).toEqual(json)
        expect(json).toEqual(object)
        const explicit = Object.entries(object).flatMap(([name, value]) => flattened(name, value, false))
        const multiValueQueryStringParameters = Object.fromEntries(explicit.map(([name, text]) => [name, [text]]))
        expect(await read(null, undefined, { httpMethod: 'GET', multiValueQueryStringParameters })).toEqual(json)
      }),
    )
  })
})

type Tree = string | Tree[] | { [key: string]: Tree }

/**
 * Content as form pairs: with `emptyBrackets`, `a[]` and `a[][b]` where they can express the list, otherwise `a[0]`.
 */
function flattened(name: string, value: Tree, emptyBrackets: boolean): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, inner]) => flattened(`${name}[${key}]`, inner, emptyBrackets))
  }
  const empty = emptyBrackets && (value.every((element) => typeof element === 'string') || beginAlike(value))
  return value.flatMap((element, index) => flattened(`${name}[${empty ? '' : index}]`, element, emptyBrackets))
}

/**
 * Whether all elements are objects with the same first key and a text as its value, so that the key marks each start.
 */
function beginAlike(list: Tree[]): boolean {
  const first = list.map(
    (element) => typeof element === 'object' && !Array.isArray(element) && Object.entries(element)[0],
  )
  return first.every((entry) => entry && entry[0] === (first[0] as [string, Tree])[0] && typeof entry[1] === 'string')
}
