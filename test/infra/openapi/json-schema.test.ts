import { isIPv4, isIPv6 } from 'node:net'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { querySchema, requestSchema, responseSchema, type Schema } from '#infra/openapi/json-schema.ts'
import type { Fault, Refusal } from '#shared/domain/errors.ts'
import type { EndpointDefinition } from '#shared/http/endpoint.ts'
import { optional, tax, text } from '#shared/resources/fields.ts'
import { parse } from '#shared/resources/parse.ts'
import { type Route, servedRoutes } from '#shared/routes.ts'
import { type Content, type RouteRequest, route_requests } from '#test/fixtures/route-requests.ts'

interface Described {
  readonly route: Route
  readonly request: v.GenericSchema
  readonly schema: Schema
  readonly contents: readonly Content[]
}

const described = (
  await Promise.all(
    servedRoutes().map(async ({ route, method, file }): Promise<Described[]> => {
      const { handler } = (await import(join(process.cwd(), `functions/${file}.ts`))) as {
        readonly handler: { readonly definition: EndpointDefinition }
      }
      const { request } = handler.definition
      if (!request) return []
      const schema = method === 'GET' ? querySchema(request) : requestSchema(request)
      const { contents = [] } = (route_requests[route] ?? {}) as RouteRequest
      return [{ route, request, schema, contents }]
    }),
  )
).flat()

/** A part of a schema, with its path. */
type Part = readonly [path: string, schema: Schema]

/** Returns the parameters and list items that a schema contains, at every level. */
function partsOf(schema: Schema, path: string): Part[] {
  const { properties = {}, items, anyOf = [], oneOf = [] } = schema
  const inner: Part[] = Object.entries(properties).map(([name, property]) => [`${path}.${name}`, property])
  if (items) inner.push([`${path}[]`, items])
  return [
    ...inner,
    ...inner.flatMap(([at, part]) => partsOf(part, at)),
    ...[...anyOf, ...oneOf].flatMap((option) => partsOf(option, path)),
  ]
}

const parts = described.flatMap(({ route, schema }) => partsOf(schema, route))

describe('the JSON Schema of every request', () => {
  test('states what each parameter and list item can be', () => {
    const kinds = ['type', 'const', 'enum', 'anyOf', 'oneOf'] as const
    expect(parts.length).toBeGreaterThan(500)
    expect(parts.filter(([, part]) => !kinds.some((kind) => part[kind])).map(([path]) => path)).toEqual([])
  })

  test('describes each parameter in a sentence', () => {
    const parameters = parts.filter(([path]) => !path.endsWith('[]'))
    expect(parameters.filter(([, { description = '' }]) => !/^[A-Z`].*\.$/.test(description))).toEqual([])
  })

  test('has no default in a PATCH, because an absent field stays unchanged', () => {
    const fields = described
      .filter(({ route }) => route.startsWith('PATCH'))
      .flatMap(({ route, schema }) =>
        Object.entries(schema.properties ?? {}).map(([name, field]) => ({ route, name, field })),
      )
    expect(fields.length).toBeGreaterThan(100)
    expect(fields.filter(({ field: { description = '' } }) => description.includes('Default:'))).toEqual([])
  })

  test('states defaults in words, because generated clients would require a parameter with a default', () => {
    const bodies = described.filter(({ route }) => !route.startsWith('GET')).map(({ schema }) => schema)
    expect(bodies.flatMap((schema) => partsOf(schema, '')).filter(([, part]) => 'default' in part)).toEqual([])
    const { properties = {} } = described.find(({ route }) => route === 'POST /payments')!.schema
    expect(properties.capture!.description).toMatch(/\. Default: `true`\.$/)
    expect(properties.locale!.description).toMatch(/\. Default: `ja`\.$/)
    expect(properties.metadata!.description).not.toContain('Default')
  })

  test('contains no character class that means something else in other languages', () => {
    const patterns = parts.flatMap(([, { pattern = '' }]) => pattern)
    expect(patterns.filter((pattern) => /\\[dDwWsSpPbB]/.test(pattern))).toEqual([])
  })
})

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  binary: () => true,
  'date-time': (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text),
  email: (text) => text.includes('@'),
  uri: (text) => URL.canParse(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
}

/** Returns a function that checks a request against a schema. */
function checkOf(schema: Schema): ValidateFunction {
  const ajv = new Ajv2020({ strict: false })
  for (const [name, fits] of Object.entries(formats)) ajv.addFormat(name, fits)
  return ajv.compile(schema)
}

/** Returns the faults that the service finds in a request. */
function faultsIn(request: v.GenericSchema, content: unknown): readonly Fault[] {
  try {
    parse(request, content)
    return []
  } catch (error) {
    return (error as Refusal).details?.errors as readonly Fault[]
  }
}

/** The valid contents of each route, without a spelling that only the leniency of the service accepts. */
const cases = described.flatMap(({ contents, schema, ...rest }) => {
  const check = checkOf(schema)
  return contents
    .map((content) => ({ ...content, ...('customer' in content && { customer: 'cus_1' }) }) as Content)
    .filter(({ event_list }) => typeof event_list !== 'string')
    .map((content) => ({ ...rest, names: Object.keys(schema.properties ?? {}), check, content }))
})

/** The path of a value in a content. */
type Path = readonly string[]

/** Returns the paths of all properties of a content. The keys of metadata are no parameters. */
const pathsIn = (content: unknown): Path[] =>
  typeof content !== 'object' || content === null
    ? []
    : Object.entries(content).flatMap(([key, value]) => [
        ...(Array.isArray(content) ? [] : [[key]]),
        ...(key === 'metadata' ? [] : pathsIn(value).map((inner) => [key, ...inner])),
      ])

/** Returns a content with another value at a path, if its object is still there. Undefined removes the value. */
function withValue(content: Content, path: Path, value: unknown): Content {
  const copy = structuredClone({ ...content })
  let holder: Record<string, unknown> | undefined = copy
  for (const key of path.slice(0, -1)) holder = holder?.[key] as Record<string, unknown> | undefined
  if (holder && value === undefined) delete holder[path.at(-1)!]
  else if (holder) holder[path.at(-1)!] = value
  return copy
}

/** A case with one to three paths in its content. */
const caseToReduce = fc.constantFrom(...cases.filter(({ content }) => pathsIn(content).length > 0)).chain((one) =>
  fc.record({
    one: fc.constant(one),
    paths: fc.subarray(pathsIn(one.content), { minLength: 1, maxLength: Math.min(3, pathsIn(one.content).length) }),
  }),
)

/** A case with a path in its content, or with the name of any parameter. */
const caseToChange = fc
  .constantFrom(...cases)
  .map((one) => ({ one, paths: [...pathsIn(one.content), ...one.names.map((name) => [name])] }))
  .filter(({ paths }) => paths.length > 0)
  .chain(({ one, paths }) => fc.record({ one: fc.constant(one), path: fc.constantFrom(...paths) }))

/** Values at and beyond the limits of many parameters. */
const values = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    [],
    {},
    '',
    'x',
    'auto',
    'JPY',
    'whsec_x',
    'http://',
    'https://a.example',
  ),
  fc.constantFrom<unknown>(0, 1, -1, 1.5, 12, 13, 59, 60, 100, 101, 999, 1_000, 9_999, 10_000, 86_400, 86_401, 1e21),
  fc.constantFrom(9_999_999_999, 10_000_000_000, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1),
  fc
    .constantFrom(3, 4, 5, 40, 41, 64, 65, 128, 129, 255, 256, 500, 501, 1_024, 1_025, 2_000, 2_001, 2_048, 2_049)
    .map((length) => 'x'.repeat(length)),
  fc.constantFrom('2030-01-31', '2030-01-31T12:00:00Z', '09:30', '24:00', 'a@b', 'a@b.example', 'tok_x', 'fil_1'),
  fc.dictionary(fc.string({ maxLength: 42 }), fc.oneof(fc.double(), fc.string(), fc.constantFrom(null, 2 ** 53))),
)

/** The faults that JSON Schema cannot express: equal amounts, and the decimals and the maximum of a currency. */
const inexpressible = /must be the same as|is too large together|decimals in|of the smallest unit/

describe('a request', () => {
  test.each(cases.map((one) => [one.route, one] as const))(
    'of %s is valid under its schema',
    (_, { check, content }) => {
      expect(check(content), JSON.stringify(check.errors)).toBe(true)
    },
  )

  test('is invalid without a parameter exactly if the service requires the parameter', () => {
    fc.assert(
      fc.property(caseToReduce, ({ one: { request, check, content }, paths }) => {
        const rest = paths.reduce((less, path) => withValue(less, path, undefined), content)
        const lacks = faultsIn(request, rest).some(({ code }) => code === 'missing_parameter')
        expect(check(rest), `without ${paths.map((path) => path.join('.'))}`).toBe(!lacks)
      }),
      { numRuns: 5_000 },
    )
  })

  test('that is valid under its schema is accepted by the service', () => {
    fc.assert(
      fc.property(caseToChange, values, ({ one: { request, check, content }, path }, value) => {
        const changed = withValue(content, path, value)
        if (!check(changed)) return
        expect(faultsIn(request, changed).filter(({ message }) => !inexpressible.test(message))).toEqual([])
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('a token of type mobile', () => {
  test('needs a currency', () => {
    const { check } = cases.find(({ route }) => route === 'POST /tokens')!
    const payment_details = { type: 'mobile', email: 'hanako@example.com' }
    expect(check({ payment_details, currency: 'JPY' })).toBe(true)
    expect(check({ payment_details })).toBe(false)
  })
})

describe('requestSchema', () => {
  test('states that a parameter which can be absent can be null as well', () => {
    expect(requestSchema(optional(text(5)))).toEqual({ type: ['string', 'null'], minLength: 1, maxLength: 5 })
    expect(querySchema(optional(text(5)))).toEqual({ type: 'string', minLength: 1, maxLength: 5 })
  })

  test('lists the options of a schema that depends on the value', () => {
    const whole = { type: 'integer', minimum: 0, maximum: 9_999_999_999 }
    expect(requestSchema(tax)).toEqual({ anyOf: [whole, { type: 'string', const: 'auto' }] })
  })

  test('keeps the last description of a pipe, also behind a transformation', () => {
    const schema = v.pipe(v.string(), v.description('one'), v.transform(Number), v.description('two'))
    expect(requestSchema(schema)).toEqual({ type: 'string', description: 'two' })
  })
})

describe('responseSchema', () => {
  test('shows null as one more type of a value', () => {
    const word = v.nullable(v.picklist(['a', 'b']))
    const schema = v.strictObject({
      word,
      list: v.nullable(v.array(v.number())),
      kind: v.literal('x'),
      map: v.record(v.string(), v.nullable(v.literal(true))),
    })
    expect(responseSchema(schema)).toEqual({
      type: 'object',
      properties: {
        word: { type: ['string', 'null'], enum: ['a', 'b', null] },
        list: { type: ['array', 'null'], items: { type: 'number' } },
        kind: { type: 'string', const: 'x' },
        map: {
          type: 'object',
          propertyNames: { type: 'string' },
          additionalProperties: { type: ['boolean', 'null'], enum: [true, null] },
        },
      },
      required: ['word', 'list', 'kind', 'map'],
    })
  })

  test('accepts additional fields in every object, and keeps the schema of the values of a map', () => {
    const inner = v.strictObject({ a: v.string() })
    const schema = v.strictObject({
      list: v.array(inner),
      either: v.union([inner, v.string()]),
      map: v.record(v.string(), inner),
    })
    const text = JSON.stringify(responseSchema(schema))
    expect(text).not.toContain('"additionalProperties":false')
    expect(text).toContain('"additionalProperties":{"type":"object"')
  })

  test('adds null to the options of a choice', () => {
    const schema = v.nullable(v.union([v.string(), v.strictObject({ a: v.string() })]))
    const { anyOf = [] } = responseSchema(schema)
    expect(anyOf.map(({ type }) => type)).toEqual(['string', 'object', 'null'])
  })
})
