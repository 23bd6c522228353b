import { describe, expect, test } from 'vitest'
import { breakingChanges, type ComparedDocument } from '#infra/openapi/breaking-changes.ts'

type Part = Readonly<Record<string, unknown>>

/** A document with one endpoint whose request and response have these schemas. */
const documentOf = ({ request = {}, response = {}, ...operation }: Part): ComparedDocument => ({
  paths: {
    '/payments': {
      post: {
        requestBody: { content: { 'application/json': { schema: request as object } } },
        responses: { 200: { content: { 'application/json': { schema: response as object } } } },
        security: [{ secret_key: [] }, { publishable_key: [] }],
        ...operation,
      },
    },
  },
})

const changesOf = (before: Part, after: Part) => breakingChanges(documentOf(before), documentOf(after))

const object = (properties: Part, required: readonly string[] = []) => ({ type: 'object', properties, required })
const text = { type: 'string' }

describe('a request that becomes narrower is a breaking change', () => {
  test.each<[string, object, object, string]>([
    ['a type', { type: ['string', 'null'] }, text, '[a] can no longer be of type null'],
    ['any type', {}, text, '[a] must now be of type string'],
    ['a value', { enum: ['x', 'y'] }, { enum: ['x'] }, '[a] can no longer be "y"'],
    ['free text', text, { ...text, enum: ['x'] }, '[a] must now be one of "x"'],
    ['a minimum', { minimum: 0 }, { minimum: 1 }, '[a] has a minimum of 1 now'],
    ['a new maximum', {}, { maximum: 5 }, '[a] has a maximum of 5 now'],
    ['a length', { maxLength: 9 }, { maxLength: 8 }, '[a] has a maxLength of 8 now'],
    ['a pattern', text, { ...text, pattern: '^x' }, '[a] must now match the pattern ^x'],
    ['an alternative', { anyOf: [text, { type: 'null' }] }, { anyOf: [text] }, '[a] can no longer be of type null'],
    ['a condition', object({}), { ...object({}), allOf: [{ required: ['b'] }] }, '[a] has a new condition'],
    ['the elements of a list', { items: { maximum: 5 } }, { items: { maximum: 4 } }, '[a][] has a maximum of 4 now'],
    ['an inner field', object({ b: text }), object({ b: text }, ['b']), '[a][b] is now required'],
  ])('%s', (_, before, after, change) => {
    const [one, other] = [{ request: object({ a: before }) }, { request: object({ a: after }) }]
    expect(changesOf(one, other)).toEqual([`POST /payments: the request${change}`])
    expect(changesOf(other, one)).toEqual([])
  })

  test('a field that is not read any more', () => {
    expect(changesOf({ request: object({ a: text }) }, { request: object({}) })).toEqual([
      'POST /payments: the request[a] is no longer read',
    ])
  })
})

describe('a response that promises less is a breaking change', () => {
  test.each<[string, object, object, string]>([
    ['a field is removed', object({ a: text }, ['a']), object({}), '[a] was removed'],
    ['a field becomes optional', object({ a: text }, ['a']), object({ a: text }), '[a] may now be absent'],
    [
      'a type is added',
      object({ a: text }),
      object({ a: { type: ['string', 'null'] } }),
      '[a] can now be of type null',
    ],
    [
      'a number has decimals',
      object({ a: { type: 'integer' } }),
      object({ a: { type: 'number' } }),
      '[a] can now be of type number',
    ],
    [
      'an alternative is added',
      object({ a: { oneOf: [text] } }),
      object({ a: { oneOf: [text, { type: 'null' }] } }),
      '[a] can now be of type null',
    ],
  ])('%s', (_, before, after, change) => {
    expect(changesOf({ response: before }, { response: after })).toEqual([`POST /payments: the response${change}`])
    expect(changesOf({ response: after }, { response: before })).toEqual([])
  })

  test('a new field, a new value and a new limit break nothing', () => {
    const before = object({ a: { enum: ['x'] } })
    expect(changesOf({ response: before }, { response: object({ a: { enum: ['x', 'y'] }, b: text }) })).toEqual([])
  })
})

describe('a change of an operation', () => {
  const parameter = { name: 'page', in: 'query', schema: { type: 'integer' } }

  test.each<[string, Part, Part, string]>([
    ['parameter removed', { parameters: [parameter] }, {}, 'the query parameter page was removed'],
    [
      'parameter required',
      { parameters: [parameter] },
      { parameters: [{ ...parameter, required: true }] },
      'the query parameter page is now required',
    ],
    [
      'required parameter added',
      {},
      { parameters: [{ ...parameter, required: true }] },
      'the query parameter page is now required',
    ],
    [
      'parameter narrowed',
      { parameters: [parameter] },
      { parameters: [{ ...parameter, schema: { type: 'integer', maximum: 5 } }] },
      'the query parameter page has a maximum of 5 now',
    ],
    ['key no longer accepted', {}, { security: [{ secret_key: [] }] }, 'publishable_key is no longer accepted'],
    ['response removed', {}, { responses: { 302: {} } }, 'the response 200 was removed'],
    [
      'content type removed',
      {},
      { requestBody: { content: {} } },
      'request bodies of type application/json were removed',
    ],
  ])('%s', (_, before, after, change) => {
    expect(changesOf(before, after)).toEqual([`POST /payments: ${change}`])
  })

  test('that removes it breaks clients, and a new operation does not', () => {
    const document = documentOf({})
    expect(breakingChanges(document, { paths: {} })).toEqual(['POST /payments was removed'])
    expect(breakingChanges({ paths: {} }, document)).toEqual([])
  })
})

test('a webhook that is removed or loses a field is a breaking change', () => {
  const webhook = (schema: object) => ({
    webhooks: { ping: { post: { requestBody: { content: { 'application/json': { schema } } } } } },
  })
  expect(breakingChanges(webhook(object({ a: text })), {})).toEqual(['the webhook ping was removed'])
  expect(breakingChanges(webhook(object({ a: text })), webhook(object({})))).toEqual([
    'the webhook ping: the response[a] was removed',
  ])
})

test('references are followed, also in schemas that contain themselves', () => {
  const withNode = (value: object) => ({
    ...documentOf({ response: { $ref: '#/components/schemas/Node' } }),
    components: { schemas: { Node: object({ value, next: { $ref: '#/components/schemas/Node' } }) } },
  })
  expect(breakingChanges(withNode(text), withNode({ type: 'integer' }))).toEqual([
    'POST /payments: the response[value] can now be of type integer',
  ])
})
