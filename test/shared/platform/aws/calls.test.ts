import { InternalServerError, ThrottlingException } from '@aws-sdk/client-dynamodb'
import { RequestThrottled } from '@aws-sdk/client-sqs'
import { describe, expect, test } from 'vitest'
import { answered, backoffMs, failureOf, TRIES_MAX } from '#shared/platform/aws/calls.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'

const answer = { message: '', $metadata: {} }
const refusal = (name: string) => Object.assign(new Error(name), { name, $fault: 'client' })
const broken = (name: string, code?: string) => Object.assign(new Error(name), { name, code })

describe('failureOf', () => {
  test.each<[string, Error]>([
    ['a throttled table', new ThrottlingException(answer)],
    ['a throttled partition', refusal('ProvisionedThroughputExceededException')],
    ['an account at its limit', refusal('RequestLimitExceeded')],
    ['a throttled queue', new RequestThrottled(answer)],
    ['a transaction that is still under way', refusal('TransactionInProgressException')],
    ['an error of the service', new InternalServerError(answer)],
    ['a connection that was cut', broken('TimeoutError', 'ECONNRESET')],
    ['a name that was not resolved', broken('Error', 'EAI_AGAIN')],
    ['an answer that cannot be read', new SyntaxError('Unexpected token')],
  ])('turns %s into PlatformUnavailable with its cause', (_, error) => {
    const failure = failureOf(error)
    expect(failure).toBeInstanceOf(PlatformUnavailable)
    expect((failure as Error).cause).toBe(error)
  })

  test.each(['ValidationException', 'AccessDeniedException', 'ResourceNotFoundException'])(
    'returns %s unchanged',
    (name) => {
      const error = refusal(name)
      expect(failureOf(error)).toBe(error)
    },
  )
})

test('answered returns the answer, or throws what failureOf returns', async () => {
  expect(await answered(Promise.resolve('answer'))).toBe('answer')
  await expect(answered(Promise.reject(new InternalServerError(answer)))).rejects.toBeInstanceOf(PlatformUnavailable)
})

test('backoffMs is random below a limit that doubles with every try', () => {
  for (let tries = 1; tries < TRIES_MAX; tries++)
    for (let round = 0; round < 100; round++) {
      expect(backoffMs(tries)).toBeGreaterThanOrEqual(0)
      expect(backoffMs(tries)).toBeLessThan(25 * 2 ** tries)
    }
})
