import { createServer } from 'node:http'
import { toJsonSchema } from '@valibot/to-json-schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payment_types } from '#shared/domain/payment-details.ts'
import type { EndpointDefinition } from '#shared/http/endpoint.ts'
import { payment_methods } from '#shared/resources/payment-method.ts'
import { servedRoutes } from '#shared/routes.ts'
import { request } from '#test/fixtures/api.ts'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'
import { rawRequest } from '#test/fixtures/raw-request.ts'
import { openReceiver } from '#test/fixtures/receiver.ts'

interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

describe('the schema of a response', () => {
  test.each(servedRoutes())('of $route gives every field a type and a description', async ({ route, file }) => {
    const { handler } = await import(new URL(`../../functions/${file}.ts`, import.meta.url).href)
    const definition: EndpointDefinition = handler.definition
    expect(definition.route).toBe(route)
    const schema = toJsonSchema(definition.response, { typeMode: 'output', target: 'draft-2020-12' }) as JsonSchema
    expect([...gapsIn(schema, '')]).toEqual([])
  })

  test.each<[JsonSchema, string[]]>([
    [{ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }, ['.a: no description']],
    [{ type: 'object', properties: { a: { description: 'A.' } }, additionalProperties: false }, ['.a: no type']],
    [{ type: 'array', items: { type: 'object', properties: {} } }, ['[]: not strict']],
    [{ anyOf: [{ type: 'object' }] }, [': not strict']],
  ])('of %j has gaps', (schema, gaps) => {
    expect([...gapsIn(schema, '')]).toEqual(gaps)
  })
})

/** Yields the places of a schema that lack a type or a description, and the objects that accept any field. */
function* gapsIn(schema: JsonSchema, path: string): Iterable<string> {
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (!schema.type && options.length === 0) yield `${path}: no type`
  for (const option of options) yield* gapsIn(option, path)
  if (schema.items) yield* gapsIn(schema.items, `${path}[]`)
  if (schema.type === 'object' && schema.additionalProperties === undefined) yield `${path}: not strict`
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!field.description) yield `${path}.${name}: no description`
    yield* gapsIn(field, `${path}.${name}`)
  }
}

describe('a response that a test gets', () => {
  const [method, ...others] = payment_methods(payment_types)
  const error = {
    code: 'not_found',
    message: 'No such resource was found.',
    param: null,
    details: null,
    request_id: 'request-1',
    doc_url: 'https://api.example/docs/errors#not_found',
  }
  let said: { readonly status: number; readonly body: unknown }
  let url: string
  const server = createServer((_, response) => {
    response.writeHead(said.status).end(JSON.stringify(said.body))
  })
  beforeAll(async () => {
    url = await startServer(server)
  })
  afterAll(() => stopServer(server))

  const get = (status: number, body: unknown, path = '/payment_methods') => {
    said = { status, body }
    return request(url, `GET ${path}`)
  }

  test('is accepted if it has exactly the described fields', async () => {
    expect((await get(200, [method, ...others])).body).toHaveLength(payment_types.length)
    const errors = [{ code: 'not_found', message: 'No such resource was found.', param: 'id' }]
    for (const details of [null, { errors }, { payment: 'pay_1' }, { errors, payment: 'pay_1' }])
      expect((await get(404, { error: { ...error, details } }, '/payments/pay_1')).status).toBe(404)
    expect((await get(404, 'no JSON', '/payments/pay_1')).status).toBe(404)
  })

  test('fails the test if a field is undescribed or missing, or has another form', async () => {
    const { name_ko, ...missing } = method!
    const message = 'The response to GET /payment_methods does not match its schema'
    await expect(get(200, [{ ...method, fee: 0 }])).rejects.toThrow(
      `${message}: /0 must NOT have additional properties: fee`,
    )
    await expect(get(200, [missing])).rejects.toThrow(`${message}: /0 must have required property 'name_ko'`)
    await expect(get(200, [{ ...method, currency: 'yen' }])).rejects.toThrow(
      `${message}: /0/currency must match pattern`,
    )
    await expect(get(200, { data: [] })).rejects.toThrow(`${message}:  must be array`)
    await expect(get(200, 'no JSON')).rejects.toThrow(`${message}:  must be array`)
  })

  test('fails the test also if the request was sent unchanged', async () => {
    const getRaw = (body: unknown) => {
      said = { status: 200, body }
      return rawRequest(url, { method: 'GET', path: '/api/v1/payment_methods?a=1' })
    }
    expect((await getRaw([method])).body).toEqual([method])
    await expect(getRaw([{ ...method, fee: 0 }])).rejects.toThrow('/0 must NOT have additional properties: fee')
  })

  test('fails the test if an error differs from the error envelope', async () => {
    const { doc_url, ...missing } = error
    const errors = [{ code: 'no_such_code', message: 'No.', param: 'id' }]
    const other_details = [{ errors }, {}, { payment: 'cus_1' }, { site_url: 'It is missing.' }]
    const others = other_details.map((details) => ({ error: { ...error, details } }))
    for (const body of [{ error, data: null }, { error: missing }, ...others])
      await expect(get(404, body, '/payments/pay_1')).rejects.toThrow(
        'The error of GET /api/v1/payments/pay_1 does not match its schema',
      )
  })
})

describe('an event that a receiver gets', () => {
  const data = {
    id: 'whk_1',
    resource: 'webhook',
    url: 'https://shop.example',
    active: true,
    event_list: ['ping'],
    created_at: '2030-01-02T03:00:00Z',
  }
  const event = { id: 'evt_1', type: 'ping', resource: 'event', data, created_at: '2030-01-02T03:00:00Z' }

  const receive = async (body: unknown, headers: Record<string, string> = { 'X-Service-Event': 'ping' }) => {
    const receiver = await openReceiver()
    await fetch(receiver.origin, { method: 'POST', headers, body: JSON.stringify(body) })
    await receiver.close()
  }

  test('is accepted if it has exactly the described fields, and any other request is ignored', async () => {
    await expect(receive(event)).resolves.toBeUndefined()
    await expect(receive('hello', {})).resolves.toBeUndefined()
  })

  test('fails the test if a field is undescribed, or if its data is of another type', async () => {
    const message = 'A delivered event does not match its schema'
    await expect(receive({ ...event, version: 1 })).rejects.toThrow(message)
    await expect(receive({ ...event, data: { ...data, secret: 'x' } })).rejects.toThrow(message)
    await expect(receive({ ...event, type: 'payment.captured' })).rejects.toThrow(message)
  })
})
