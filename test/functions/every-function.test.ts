import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { FunctionsStack } from '#infra/stacks/functions-stack.ts'
import { backgroundFiles, notFound } from '#shared/background.ts'
import { servedFiles } from '#shared/routes.ts'
import { stageOf } from '#test/fixtures/stages.ts'
import { environmentIn } from '#test/fixtures/template-values.ts'
import type { Called, LambdaService } from '#test/functions/lambda-service.ts'

const files = [...servedFiles(), ...backgroundFiles]

const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' }

const calls: Called[] = []
const callsOf = (file: string) => calls.filter((call) => call.file === file)

let environment: Record<string, string>
let api: LambdaService
beforeAll(async () => {
  const stack = new FunctionsStack(new App(), 'Functions', { stage: stageOf('dev'), code: () => Code.fromInline('-') })
  const functions = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function'))
  const environments = functions.map(({ Properties }) => environmentIn(Properties))
  expect(environments).toHaveLength(files.length)
  environment = environments[0]!
  for (const one of environments) expect(one).toEqual(environment)
  for (const [name, value] of Object.entries({ ...credentials, ...environment })) vi.stubEnv(name, value)
  vi.resetModules()
  const { nameless } = await import('#test/fixtures/api.ts')
  vi.doMock('#shared/platform/dns.ts', () => ({ resolveHost: nameless }))
  const { openLambdaService } = await import('#test/functions/lambda-service.ts')
  api = await openLambdaService((call) => calls.push(call))
  const { useEveryFunction } = await import('#test/functions/use-every-function.ts')
  await useEveryFunction(api)
}, 240_000)
afterAll(async () => {
  await api?.close()
  vi.doUnmock('#shared/platform/dns.ts')
  vi.unstubAllEnvs()
  vi.resetModules()
})

/** The functions that find nothing on a stage without a provider. */
const only_with_provider: readonly string[] = ['notifications/stripe', 'pages/return/show']

/** Whether a function returned the result of a successful call. */
function succeeded(file: string, result: unknown): boolean {
  const { statusCode, batchItemFailures } = Object(result) as { statusCode?: number; batchItemFailures?: unknown[] }
  if (file === notFound || only_with_provider.includes(file)) return statusCode === 404
  if (backgroundFiles.includes(file)) return result === undefined || batchItemFailures?.length === 0
  return [200, 302, 303].includes(statusCode!)
}

describe('every function, called by its Lambda entry point,', () => {
  test.each(files)('%s succeeds at least once', (file) => {
    const results = callsOf(file).map(({ result }) => result)
    expect(results.filter((result) => succeeded(file, result)).length, JSON.stringify(results)).toBeGreaterThan(0)
  })

  test('uses only the table, the queues, the key and the bucket that its template names', () => {
    const sent = calls.flatMap((call) => call.sent)
    const used = (service: string, name: string) => {
      const found = sent.filter((one) => one.service === service).flatMap(({ input }) => valuesOf(input, name))
      return [...new Set(found)].sort()
    }
    const { DELIVERIES_QUEUE_URL, CAPTURES_QUEUE_URL, CHORES_QUEUE_URL, CLOCKS_QUEUE_URL } = environment
    expect({
      tables: used('DynamoDB', 'TableName'),
      queues: used('SQS', 'QueueUrl'),
      keys: used('KMS', 'KeyId'),
      buckets: used('S3', 'Bucket'),
    }).toEqual({
      tables: [environment.TABLE_NAME],
      queues: [CAPTURES_QUEUE_URL, CHORES_QUEUE_URL, CLOCKS_QUEUE_URL, DELIVERIES_QUEUE_URL],
      keys: [environment.VAULT_KEY_ID],
      buckets: [environment.FILES_BUCKET],
    })
  })
})

/** The values of a field anywhere in the input of a call, except inside items. */
function valuesOf(input: unknown, name: string): unknown[] {
  if (typeof input !== 'object' || input === null || input instanceof Uint8Array) return []
  return Object.entries(input).flatMap(([key, value]) =>
    key === name ? [value] : key === 'Item' ? [] : valuesOf(value, name),
  )
}
