import { bracedPath } from '#shared/routes.ts'
import { documentedEndpoints } from './endpoints.ts'
import { request_headers, response_headers } from './headers.ts'
import { introduction } from './introduction.ts'
import { document_operation, operationOf } from './operations.ts'
import { type Recording, recordExamples } from './recorded-examples.ts'
import { errorExamples, errorResponse, type SharedResponses } from './refusals.ts'
import { componentSchemas } from './schemas.ts'
import { tag_descriptions } from './tags.ts'
import { delivery_headers, webhooksOf } from './webhooks.ts'

/**
 * Builds the API description: an OpenAPI 3.1 document of all endpoints and events. The same code always builds the same
 * document.
 */
export async function apiDescription(recording?: Recording) {
  const [endpoints, { examples, events }] = await Promise.all([documentedEndpoints(), recording ?? recordExamples()])
  const schemas = await componentSchemas(endpoints)
  const shared: SharedResponses = { MethodNotAllowed: errorResponse(['method_not_allowed']) }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = bracedPath(endpoint.path)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, schemas, examples, shared) }
  }
  paths['/openapi.json'] = { get: document_operation }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Payment service API',
      version: '1',
      summary: 'Payments, subscriptions and webhooks for merchants.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The service, on your own machine or deployed.',
        variables: {
          base_url: {
            default: 'http://127.0.0.1:3000/api/v1',
            description: 'The address of the API, with its version.',
          },
        },
      },
    ],
    tags: Object.entries(tag_descriptions).map(([name, description]) => ({ name, description })),
    security: [{ secret_key: [] }],
    paths,
    webhooks: webhooksOf(events),
    components: {
      securitySchemes: security_schemes,
      parameters: { ...request_headers, ...delivery_headers },
      headers: response_headers,
      schemas: sorted(schemas.components),
      examples: errorExamples({ paths, shared }),
      responses: sorted(shared),
    },
  }
}

const security_schemes = {
  secret_key: {
    type: 'http',
    scheme: 'basic',
    description: 'A secret key (`sk_test_…` or `sk_live_…`) as the user name, and an empty password. Only for servers.',
  },
  publishable_key: {
    type: 'http',
    scheme: 'basic',
    description:
      'A publishable key (`pk_test_…` or `pk_live_…`) as the user name, and an empty password. Browsers may use it for ' +
      'the few endpoints that list it.',
  },
} as const

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
