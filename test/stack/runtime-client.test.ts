import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import { fanOut, notFound, sweep, workers } from '#shared/background.ts'
import { BASE_PATH, servedNotifications, servedPages, servedPictures, servedRoutes } from '#shared/routes.ts'
import { gatewayEvent, scheduledEvent, sqsEvent, streamEvent } from '#test/fixtures/lambda-events.ts'
import { environmentIn } from '#test/fixtures/template-values.ts'
import { STAGE, templateOf } from './deployment.ts'
import { installRuntimeClient, invokeBundle, missing_tools } from './runtime-client.ts'

const MINUTES_MS = 60_000

/** The event of a function and the expected result. */
interface Case {
  readonly file: string
  readonly event: object
  readonly result: unknown
}

const filled = (path: string): string => path.replaceAll(/:[a-z_]+/g, 'unknown_1')
const paramsOf = (path: string) =>
  Object.fromEntries(Array.from(path.matchAll(/:([a-z_]+)/g), ([, name]) => [name!, 'unknown_1']))

const answer = (statusCode: number) => expect.objectContaining({ statusCode })
const cases: readonly Case[] = [
  ...servedRoutes().map(({ file, method, path }) => ({
    file,
    event: gatewayEvent({ method, path: filled(BASE_PATH + path), params: paramsOf(path) }),
    result: answer(401),
  })),
  ...servedPages().map(({ file, method, path }) => ({
    file,
    event: gatewayEvent({ method, path: filled(path), params: paramsOf(path) }),
    // A form from another site is refused before any read.
    result: answer(method === 'GET' ? 404 : 403),
  })),
  ...servedPictures().map(({ file, method, path }) => ({
    file,
    event: gatewayEvent({ method, path: filled(path), params: paramsOf(path) }),
    result: answer(404),
  })),
  ...servedNotifications().map(({ file, method, path }) => ({
    file,
    event: gatewayEvent({ method, path }),
    // The stage has no provider.
    result: answer(404),
  })),
  { file: 'docs/show', event: gatewayEvent({ method: 'GET', path: '/' }), result: answer(302) },
  { file: 'docs/openapi', event: gatewayEvent({ method: 'GET', path: '/api/v1/openapi.json' }), result: answer(200) },
  { file: notFound, event: gatewayEvent({ method: 'GET', path: '/nowhere' }), result: answer(404) },
  { file: sweep, event: scheduledEvent(), result: null },
  { file: fanOut, event: streamEvent([]), result: null },
  ...Object.values(workers).map((file) => ({ file, event: sqsEvent([]), result: { batchItemFailures: [] } })),
]

if (missing_tools.length > 0)
  console.warn(
    `The tests under AWS's runtime client are skipped. To build the client, install ${missing_tools.join(', ')}.`,
  )

describe.skipIf(missing_tools.length > 0)("under AWS's runtime client", () => {
  let functions: Map<string, Readonly<Record<string, unknown>>>
  beforeAll(() => {
    installRuntimeClient()
    const { Resources } = templateOf(inject('assembly'), 'Functions')
    const lambdas = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function')
    functions = new Map(lambdas.map(({ Properties }) => [String(Properties.FunctionName), Properties]))
  }, 20 * MINUTES_MS)

  test('the cases cover every function of the stage', () => {
    expect([...functions.keys()].sort()).toEqual(cases.map(({ file }) => namesOf(STAGE).function(file)).sort())
  })

  test.each(cases)('the deployed bundle of $file returns its result', async ({ file, event, result }) => {
    const properties = functions.get(namesOf(STAGE).function(file))!
    const { S3Key } = properties.Code as { S3Key: string }
    const bundle = {
      code: join(inject('assembly'), `asset.${S3Key.replace('.zip', '')}`),
      handler: String(properties.Handler),
      environment: environmentIn(properties),
    }
    expect(await invokeBundle(bundle, event)).toEqual({ result })
  })
})
