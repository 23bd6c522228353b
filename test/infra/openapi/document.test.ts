import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { gatewayDocument } from '#infra/constructs/gateway-document.ts'
import { apiDescription } from '#infra/openapi/document.ts'
import { DOCUMENT_FILE, fileText } from '#infra/openapi/document-file.ts'
import { event_types } from '#shared/domain/event.ts'
import { common_refusals } from '#shared/http/common-refusals.ts'
import { BASE_PATH, servedAbsolute, servedRoutes, shortPaths } from '#shared/routes.ts'

interface Content {
  readonly schema: object
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Body {
  readonly content?: Readonly<Record<string, Content>>
}
interface Operation {
  readonly operationId: string
  readonly description: string
  readonly security: readonly object[]
  readonly parameters?: readonly { readonly name?: string; readonly schema?: object; readonly example?: unknown }[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body & { readonly $ref?: string }>>
}

const text = readFileSync(DOCUMENT_FILE, 'utf8')
const document = JSON.parse(text) as Omit<Awaited<ReturnType<typeof apiDescription>>, 'paths'> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true })
formats.default(ajv)
// Notations of OpenAPI for bytes in a body. They limit nothing.
ajv.addFormat('binary', true)
ajv.addVocabulary(['components'])
ajv.addSchema(strict({ $id: 'api', components: document.components }))

/**
 * Returns a schema whose objects accept only the properties that they describe. A schema beside `$ref` describes only
 * a part of the properties, and a schema below `allOf` states a condition.
 */
function strict(schema: object): object {
  const closed = mapObject(schema, (inner, key) => (key === 'allOf' ? inner : strict(inner)))
  const is_complete = 'properties' in schema && 'type' in schema && !('$ref' in schema)
  return is_complete ? { additionalProperties: false, ...closed } : closed
}

function mapObject(value: object, change: (inner: object, key: string) => object): object {
  const changed = (inner: unknown, key: string) => (inner && typeof inner === 'object' ? change(inner, key) : inner)
  if (Array.isArray(value)) return value.map((inner) => changed(inner, ''))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner, key)]))
}

/** Returns what is wrong with a value by a schema of the document. A property that is not described is a fault. */
function faultsOf(schema: object, value: unknown): string[] {
  const located = JSON.parse(JSON.stringify(strict(schema)).replaceAll('"#/', '"api#/'))
  const validate = ajv.compile(located)
  return validate(value) ? [] : [ajv.errorsText(validate.errors)]
}

const examplesIn = ({ content = {} }: Body) =>
  Object.values(content).flatMap(({ schema, examples = {} }) =>
    Object.entries(examples).map(([name, { value }]) => ({ name, schema, value })),
  )

describe('shared/openapi.json', () => {
  test('is what npm run openapi writes', async () => {
    const built = fileText(await apiDescription())
    expect(built === text, `${DOCUMENT_FILE} is not current. Run: npm run openapi`).toBe(true)
  })

  test('has an operation for every row, with the paths and operation ids of the gateway', () => {
    const pages = servedAbsolute()
    const gateway = gatewayDocument({ rows: servedRoutes(), pages, base_url: '' }, () => ({ uri: '', credentials: '' }))
    const shorts = new Set([...shortPaths().keys()].map((short) => short.split(' ')[1]))
    const served = Object.entries(gateway.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, { readonly operationId?: string }>)
        .filter(([method]) => !['head', 'x-amazon-apigateway-any-method'].includes(method))
        .filter(() => path.startsWith(`${BASE_PATH}/`) && !shorts.has(path.slice(BASE_PATH.length)))
        .map(([method, { operationId }]) => `${method} ${path.slice(BASE_PATH.length)} ${operationId}`),
    )
    expect(
      operations.map(({ path, method, operation }) => `${method} ${path} ${operation.operationId}`).sort(),
    ).toEqual(served.sort())
    expect(served.length).toBe(servedRoutes().length + 1)
  })

  test('names the short path of every onboarding record', () => {
    for (const [short] of shortPaths()) {
      const [, path] = short.split(' ') as [string, string]
      expect(text).toContain(`The short path \`${path}\` does the same.`)
    }
  })

  test('lets clients accept fields that a later version adds', () => {
    expect(text).not.toContain('"additionalProperties": false')
  })

  test('promises the header Retry-After only for errors that have it', () => {
    const responses = Object.values(document.components.responses) as { headers: object; content: object }[]
    const own = operations.flatMap(({ operation }) => Object.values(operation.responses)).filter(({ $ref }) => !$ref)
    for (const response of [...responses, ...own]) {
      const waits = /"(idempotency_in_flight|rate_limited|service_unavailable)"/.test(JSON.stringify(response.content))
      expect('Retry-After' in ((response as { headers?: object }).headers ?? {}), JSON.stringify(response)).toBe(waits)
    }
  })

  test('shows the account number of a refund request and what the response shows of it', () => {
    const { requestBody, responses } = document.paths['/payments/{id}/refund_request']!.post!
    expect(JSON.stringify(requestBody)).toContain('"account_number":"1234567"')
    expect(JSON.stringify(responses[200])).toContain('"account_number":"****567"')
  })

  test('contains nothing of AWS', () => {
    expect(text).not.toContain('x-amazon')
  })

  test('has a type and a description for every property of a request and a response', () => {
    const incomplete: string[] = []
    const visit = (value: unknown, path: string, is_condition: boolean): void => {
      if (!value || typeof value !== 'object') return
      const { properties, ...rest } = value as { readonly properties?: Readonly<Record<string, object>> }
      for (const [name, property] of Object.entries(properties ?? {})) {
        const has_type = ['type', '$ref', 'anyOf', 'oneOf'].some((key) => key in property)
        if (!is_condition && !(has_type && ('description' in property || '$ref' in property)))
          incomplete.push(`${path}.${name}`)
        visit(property, `${path}.${name}`, is_condition)
      }
      // A schema below `allOf` states a condition about properties that are described beside it.
      for (const [key, inner] of Object.entries(rest)) visit(inner, `${path}.${key}`, is_condition || key === 'allOf')
    }
    visit(document.components.schemas, '', false)
    expect(incomplete).toEqual([])
  })
})

describe('an operation of the document', () => {
  test.each(operations)('$method $path has valid examples of requests and responses', ({ operation }) => {
    const bodies = [operation.requestBody ?? {}, ...Object.values(operation.responses)]
    const all = bodies.flatMap(examplesIn).filter(({ value }) => value !== undefined)
    for (const { name, schema, value } of all) expect([name, faultsOf(schema, value)]).toEqual([name, []])
    for (const { name, schema, example } of operation.parameters ?? [])
      if (example !== undefined) expect([name, faultsOf(schema!, example)]).toEqual([name, []])
  })

  test('would have an invalid example if a response had a field that its schema does not describe', () => {
    const { responses } = operations.find(({ operation }) => operation.operationId === 'payments-create')!.operation
    const { schema, value } = examplesIn(responses[200]!)[0]!
    const payment = value as { readonly payment_details: object }
    expect(faultsOf(schema, payment)).toEqual([])
    expect(faultsOf(schema, { ...payment, fee: 0 })).not.toEqual([])
    expect(faultsOf(schema, { ...payment, payment_details: { ...payment.payment_details, fee: 0 } })).not.toEqual([])
  })

  const rows = operations.filter(({ path }) => path !== '/openapi.json')

  test.each(rows)('$method $path has an example of a successful response', ({ operation: { responses } }) => {
    const examples = examplesIn(responses[200] ?? responses[302] ?? {})
    expect(examples.length).toBeGreaterThan(0)
  })

  test.each(rows)('$method $path lists the refusals of every request', ({ operation: { responses } }) => {
    const resolved = Object.values(responses).map((response) =>
      response.$ref
        ? (document.components.responses as Record<string, Body>)[response.$ref.split('/').at(-1)!]!
        : response,
    )
    const codes = resolved.flatMap(({ content = {} }) => Object.keys(content['application/json']?.examples ?? {}))
    expect(codes).toEqual(expect.arrayContaining([...common_refusals.every_request]))
  })
})

describe('the webhooks of the document', () => {
  const webhooks = document.webhooks as Readonly<Record<string, { readonly post: Operation }>>

  test('are the types of events', () => {
    expect(Object.keys(webhooks)).toEqual([...event_types])
  })

  test.each(event_types)('%s has a recorded payload that is valid', (type) => {
    const examples = examplesIn(webhooks[type]!.post.requestBody!)
    expect(examples.length).toBe(1)
    for (const { schema, value } of examples) expect(faultsOf(schema, value)).toEqual([])
  })
})
