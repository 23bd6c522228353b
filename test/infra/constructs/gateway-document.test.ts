import { describe, expect, test } from 'vitest'
import { gatewayDocument } from '#infra/constructs/gateway-document.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { type Method, routes, servedAbsolute, servedRoutes } from '#shared/routes.ts'

const invocationOf = (file: string) => ({ uri: `functions/${file}`, credentials: 'role' })
const pages = servedAbsolute()
const base_url = 'https://$context.domainName/dev'
const document = gatewayDocument({ rows: servedRoutes(), pages, base_url }, invocationOf)

interface Operation {
  readonly operationId?: string
  readonly security?: unknown
  readonly parameters: { name: string; in: string; required: boolean; schema: unknown }[]
  readonly responses: Record<string, { description: string }>
  readonly 'x-amazon-apigateway-integration': { type: string; httpMethod: string; uri: string; credentials: string }
}

const ANY = 'x-amazon-apigateway-any-method'

function operations(paths: typeof document.paths) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({ path, method, operation })),
  )
}

describe('gatewayDocument', () => {
  test('has one operation for each route, with its function and its authentication', () => {
    const rows = operations(document.paths)
      .filter(({ method, path }) => ![ANY, 'head'].includes(method) && path.startsWith('/api/v1/'))
      .filter(({ path }) => path !== '/api/v1/openapi.json')
      .filter(({ operation }) => !operation.operationId?.startsWith('short-'))
      .map(({ path, method, operation }) => [
        method,
        path,
        operation['x-amazon-apigateway-integration'].uri,
        operation.security,
      ])
    expect(rows).toEqual(
      expect.arrayContaining(
        servedRoutes().map(({ method, path, file }) => [
          method.toLowerCase(),
          `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`,
          `functions/${file}`,
          [{ basic: [] }],
        ]),
      ),
    )
    expect(rows).toHaveLength(servedRoutes().length)
    expect(document.components.securitySchemes.basic).toMatchObject({ type: 'http', scheme: 'basic' })
  })

  test('has one operation for each page, picture and document, with its function and without authentication', () => {
    const rows = operations(document.paths)
      .filter(({ method }) => ![ANY, 'head'].includes(method))
      .filter(({ path }) => !path.startsWith('/api/v1/') || path === '/api/v1/openapi.json')
      .map(({ path, method, operation }) => [
        `${method.toUpperCase()} ${path}`,
        operation['x-amazon-apigateway-integration'].uri,
        operation.security,
      ])
    expect(rows.sort()).toEqual(
      pages.map(({ route, file }) => [route.replace(/:(\w+)/g, '{$1}'), `functions/${file}`, []]).sort(),
    )
  })

  test('has HEAD beside every GET, with the same function, and nowhere else', () => {
    for (const item of Object.values(document.paths) as Record<string, Operation>[]) {
      const { operationId: get, ...rest } = item.get ?? ({} as Operation)
      expect(item.head).toEqual(item.get && { operationId: `head-${get}`, ...rest })
    }
  })

  test('integrates every function as a proxy with the role of the API', () => {
    for (const { operation } of operations(document.paths)) {
      expect(operation['x-amazon-apigateway-integration']).toEqual({
        type: 'aws_proxy',
        httpMethod: 'POST',
        uri: expect.stringMatching(/^functions\/./),
        credentials: 'role',
      })
    }
  })

  test('routes every other method and path, including every parent path, to not-found', () => {
    const paths = Object.keys(document.paths)
    expect(paths).toContain('/{proxy+}')
    for (const path of paths) expect(paths).toContain(path.slice(0, path.lastIndexOf('/')) || '/')
    for (const item of Object.values(document.paths)) {
      expect(item).toHaveProperty([ANY, 'x-amazon-apigateway-integration', 'uri'], 'functions/background/not-found')
    }
  })

  test('gives all parameters at one place of a path the same name, as API Gateway demands', () => {
    const names = new Map<string, Set<string>>()
    for (const path of Object.keys(document.paths)) {
      for (const { index, 0: name } of path.matchAll(/{\w+}/g)) {
        const before = path.slice(0, index)
        names.set(before, (names.get(before) ?? new Set()).add(name))
      }
    }
    expect([...names.values()].filter(({ size }) => size > 1)).toEqual([])
  })

  test('declares the path parameters and the response of every operation, and uses each id once', () => {
    const all = operations(document.paths)
    for (const { path, operation } of all) {
      const names = [...path.matchAll(/{(\w+)\+?}/g)].map(([, name]) => name)
      expect(operation.parameters).toEqual(
        names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      )
      expect(Object.keys(operation.responses)).toEqual(['200'])
    }
    const ids = all.flatMap(({ operation }) => operation.operationId ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    expect(document.openapi).toMatch(/^3\.0\.\d$/)
    expect(Object.keys(document.info).sort()).toEqual(['title', 'version'])
  })

  test('serves an onboarding record also on its short path, by the same function', () => {
    const row = {
      route: 'PATCH /live_application/payment_methods/wallet',
      method: 'PATCH',
      path: '/live_application/payment_methods/wallet',
      file: 'live-application/payment-methods/wallet/update',
    } as const
    const { paths } = gatewayDocument({ rows: [row], pages: [], base_url }, invocationOf)
    const uri = ['patch', 'x-amazon-apigateway-integration', 'uri']
    expect(paths['/api/v1/live_application/payment_methods/wallet']).toHaveProperty(uri, `functions/${row.file}`)
    expect(paths['/api/v1/payment_methods/wallet']).toHaveProperty(uri, `functions/${row.file}`)
    expect(paths['/api/v1/live_application/payment_methods']).toHaveProperty([ANY])
  })

  test('has fewer than 300 paths for all planned routes', () => {
    const rows = (Object.keys(routes) as (keyof typeof routes)[]).map((route) => {
      const [method, path] = route.split(' ') as [Method, string]
      return { route, method, path, file: `${path}-${method}` }
    })
    expect(Object.keys(gatewayDocument({ rows, pages, base_url }, invocationOf).paths).length).toBeLessThan(300)
  })
})

describe('the gateway responses', () => {
  const responses = document['x-amazon-apigateway-gateway-responses']
  const answers = Object.entries(responses).map(([name, { statusCode, responseTemplates, responseParameters }]) => ({
    name,
    status: statusCode,
    body: JSON.parse(responseTemplates['application/json']),
    headers: responseParameters,
  }))

  test('have a status and an error code for each failure', () => {
    expect(Object.fromEntries(answers.map(({ name, status, body }) => [name, `${status} ${body.error.code}`]))).toEqual(
      {
        DEFAULT_4XX: '400 bad_request',
        MISSING_AUTHENTICATION_TOKEN: '404 not_found',
        REQUEST_TOO_LARGE: '413 payload_too_large',
        UNSUPPORTED_MEDIA_TYPE: '415 unsupported_media_type',
        THROTTLED: '429 rate_limited',
        WAF_FILTERED: '429 rate_limited',
        DEFAULT_5XX: '500 internal_server_error',
        INTEGRATION_FAILURE: '504 gateway_timeout',
        INTEGRATION_TIMEOUT: '504 gateway_timeout',
      },
    )
  })

  test('have the error envelope and the messages of the API', () => {
    for (const { body, headers } of answers) {
      const { code, message, ...rest } = body.error
      expect(rest).toEqual({
        ...{ param: null, details: null, request_id: '$context.requestId' },
        doc_url: `https://$context.domainName/dev/docs/errors#${code}`,
      })
      expect(message).toBe(new Refusal(code).message)
      expect(headers['gatewayresponse.header.X-Request-Id']).toBe('context.requestId')
    }
  })

  test('have a Retry-After header for throttled and blocked requests, and none for server errors', () => {
    const retryAfter = ['gatewayresponse.header.Retry-After']
    expect(responses.THROTTLED!.responseParameters).toHaveProperty(retryAfter, "'1'")
    expect(responses.WAF_FILTERED!.responseParameters).toHaveProperty(retryAfter, "'30'")
    expect(responses.DEFAULT_5XX!.responseParameters).not.toHaveProperty(retryAfter)
  })
})
