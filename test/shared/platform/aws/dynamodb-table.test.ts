import {
  type CancellationReason,
  ConditionalCheckFailedException,
  InternalServerError,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, test } from 'vitest'
import { TRIES_MAX } from '#shared/platform/aws/calls.ts'
import { DynamodbTable } from '#shared/platform/aws/dynamodb-table.ts'
import { PlatformUnavailable, type Write, WriteConflict } from '#shared/platform/ports.ts'
import { SteppingClock } from '#test/fixtures/clocks.ts'

const aws = mockClient(DynamoDBDocumentClient)
let clock: SteppingClock
let table: DynamodbTable
beforeEach(() => {
  aws.reset()
  clock = new SteppingClock()
  table = new DynamodbTable('payments', clock)
})

const answer = { message: '', $metadata: {} }
const key = (sk: string) => ({ pk: 'p', sk })
const stored = (sk: string) => ({ ...key(sk), version: 1 })
/** The option that makes DynamoDB return the item on which a condition failed. */
const returning_old = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
const cut = Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' })
const errorOf = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error)

describe('DynamodbTable.get', () => {
  test('asks again, after a wait, only for the keys that stayed unprocessed', async () => {
    aws
      .on(BatchGetCommand)
      .resolvesOnce({
        Responses: { payments: [stored('c')] },
        UnprocessedKeys: { payments: { Keys: [key('a'), key('b')] } },
      })
      .resolvesOnce({ Responses: { payments: [stored('a')] } })

    const items = await table.get([key('a'), key('b'), key('c')])

    expect(items.map((item) => item?.sk)).toEqual(['a', undefined, 'c'])
    expect(clock.waits).toHaveLength(1)
    const asked = aws.commandCalls(BatchGetCommand).map((call) => call.args[0].input.RequestItems!.payments)
    expect(asked).toEqual([
      { ConsistentRead: true, Keys: ['a', 'b', 'c'].map(key) },
      { ConsistentRead: true, Keys: ['a', 'b'].map(key) },
    ])
  })

  test('throws PlatformUnavailable if keys stay unprocessed', async () => {
    aws.on(BatchGetCommand).resolves({ UnprocessedKeys: { payments: { Keys: [key('a')] } } })
    expect(await errorOf(table.get([key('a'), key('b')]))).toBeInstanceOf(PlatformUnavailable)
    expect(aws.commandCalls(BatchGetCommand)).toHaveLength(TRIES_MAX)
  })

  test('reads a single item consistently with GetItem', async () => {
    aws.on(GetCommand, { TableName: 'payments', Key: key('a'), ConsistentRead: true }).resolves({ Item: stored('a') })
    expect(await table.get([key('a')])).toEqual([{ ...key('a'), version: 1 }])
  })
})

test('DynamodbTable reads and counts a range consistently', async () => {
  aws.on(QueryCommand).resolves({ Items: [], Count: 0 })
  await table.query({ pk: 'p' })
  await table.count({ pk: 'p' })
  expect(aws.commandCalls(QueryCommand).map((call) => call.args[0].input.ConsistentRead)).toEqual([true, true])
})

test.each<[string, () => Promise<unknown>]>([
  ['one item', () => table.get([key('a')])],
  ['items', () => table.get([key('a'), key('b')])],
  ['a range', () => table.query({ pk: 'p' })],
  ['a count', () => table.count({ pk: 'p' })],
  ['due items', () => table.due({ shard: 's', after: 'a', until: 'b' })],
])('DynamodbTable throws PlatformUnavailable when it reads %s and the service fails', async (_, read) => {
  aws.onAnyCommand().rejects(new InternalServerError(answer))
  expect(await errorOf(read())).toBeInstanceOf(PlatformUnavailable)
})

describe('DynamodbTable.write of one item', () => {
  const item = { ...key('a'), version: 3 }

  test('uses no transaction, and sends its condition', async () => {
    aws.on(PutCommand).resolves({}).on(DeleteCommand).resolves({})
    await table.write([{ put: item, was: 2 }])
    await table.write([{ put: item, was: 0 }])
    await table.write([{ delete: item, was: 3 }])
    expect(aws.calls().map((call) => call.args[0].input)).toMatchObject([
      { ConditionExpression: 'version = :was', ExpressionAttributeValues: { ':was': 2 } },
      { ConditionExpression: 'attribute_not_exists(pk)' },
      { Key: key('a'), ConditionExpression: 'version = :was', ExpressionAttributeValues: { ':was': 3 } },
    ])
    for (const call of aws.calls()) expect(call.args[0].input).toMatchObject(returning_old)
  })

  test('succeeds if an answer was lost and the item is stored as written', async () => {
    const Item = { pk: { S: 'p' }, sk: { S: 'a' }, version: { N: '3' } }
    aws
      .on(PutCommand)
      .rejectsOnce(cut)
      .rejectsOnce(new ConditionalCheckFailedException({ ...answer, Item }))
    await table.write([{ put: item, was: 2 }])
    expect(aws.calls()).toHaveLength(2)
  })

  test('throws WriteConflict if an answer was lost and the stored version is of another writer', async () => {
    const Item = { pk: { S: 'p' }, sk: { S: 'a' }, version: { N: '3' }, by: { S: 'someone else' } }
    aws
      .on(PutCommand)
      .rejectsOnce(cut)
      .rejectsOnce(new ConditionalCheckFailedException({ ...answer, Item }))
    expect(await errorOf(table.write([{ put: item, was: 2 }]))).toMatchObject({ name: 'WriteConflict', lost: [0] })
  })

  test.each([
    ['is throttled', new ThrottlingException(answer)],
    ['meets a transaction', new TransactionConflictException(answer)],
  ])('throws WriteConflict after a send that %s, because that send did not write', async (_, refused) => {
    aws.on(PutCommand).rejectsOnce(refused).rejectsOnce(new ConditionalCheckFailedException(answer))
    expect(await errorOf(table.write([{ put: item, was: 2 }]))).toMatchObject({ name: 'WriteConflict', lost: [0] })
  })

  test('throws WriteConflict if the version differs', async () => {
    aws.on(PutCommand).rejects(new ConditionalCheckFailedException(answer))
    expect(await errorOf(table.write([{ put: item, was: 2 }]))).toMatchObject({ name: 'WriteConflict', lost: [0] })
  })

  test('is repeated while a transaction holds the item', async () => {
    aws.on(PutCommand).rejectsOnce(new TransactionConflictException(answer)).resolves({})
    await table.write([{ put: item, was: 2 }])
    expect(aws.calls()).toHaveLength(2)
  })
})

describe('DynamodbTable.write of several items', () => {
  const writes: Write[] = [
    { put: { ...key('a'), version: 2 }, was: 1 },
    { check: key('b'), was: 1 },
    { delete: key('c'), was: 4 },
  ]
  const cancelled = (...codes: string[]) =>
    new TransactionCanceledException({
      ...answer,
      CancellationReasons: codes.map((Code): CancellationReason => ({ Code })),
    })
  const sends = () => aws.commandCalls(TransactWriteCommand).length
  const given = (...ends: (Error | 'done')[]) => {
    const mocked = aws.on(TransactWriteCommand)
    for (const end of ends) end === 'done' ? mocked.resolvesOnce({}) : mocked.rejectsOnce(end)
  }

  test('is one transaction', async () => {
    given('done')
    await table.write(writes)
    expect(aws.calls()[0]!.args[0].input).toEqual({
      ClientRequestToken: expect.any(String),
      TransactItems: [
        {
          Put: {
            TableName: 'payments',
            Item: { ...key('a'), version: 2 },
            ConditionExpression: 'version = :was',
            ExpressionAttributeValues: { ':was': 1 },
            ...returning_old,
          },
        },
        {
          ConditionCheck: {
            TableName: 'payments',
            Key: key('b'),
            ConditionExpression: 'version = :was',
            ExpressionAttributeValues: { ':was': 1 },
          },
        },
        {
          Delete: {
            TableName: 'payments',
            Key: key('c'),
            ConditionExpression: 'version = :was',
            ExpressionAttributeValues: { ':was': 4 },
            ...returning_old,
          },
        },
      ],
    })
  })

  test('throws WriteConflict at once if a version differs, and names the lost writes', async () => {
    given(cancelled('ConditionalCheckFailed', 'None', 'ConditionalCheckFailed'))
    expect(await errorOf(table.write(writes))).toMatchObject({ name: 'WriteConflict', lost: [0, 2] })
    expect(sends()).toBe(1)
  })

  test('names only writes as lost whose version is known to differ', async () => {
    given(cancelled('ConditionalCheckFailed', 'TransactionConflict', 'None'))
    expect(await errorOf(table.write(writes))).toMatchObject({ name: 'WriteConflict', lost: [0] })
  })

  test('is repeated after a conflict with another transaction', async () => {
    given(cancelled('None', 'TransactionConflict', 'None'), 'done')
    await table.write(writes)
    expect(sends()).toBe(2)
    expect(clock.waits).toHaveLength(1)
  })

  test.each([1, 2])(
    'sends the same content each time, although the caller changes its objects meanwhile, for %i items',
    async (count) => {
      const items = ['a', 'b'].slice(0, count).map((sk) => ({ ...stored(sk), nested: { n: 1 } }))
      const conflict = new TransactionConflictException(answer)
      aws.on(PutCommand).rejectsOnce(conflict).resolves({}).on(TransactWriteCommand).rejectsOnce(conflict).resolves({})
      const writing = table.write(items.map((item) => ({ put: item, was: 1 })))
      for (const { nested } of items) nested.n = 2
      await writing
      expect(aws.calls()).toHaveLength(2)
      for (const call of aws.calls())
        expect(JSON.stringify(call.args[0].input).match(/"n":\d/g)).toEqual(Array(count).fill('"n":1'))
    },
  )

  test('throws WriteConflict if every try of some seconds meets another transaction', async () => {
    const began_at = clock.now()
    aws.on(TransactWriteCommand).rejects(cancelled('TransactionConflict', 'None', 'None'))
    expect(await errorOf(table.write(writes))).toMatchObject({ name: 'WriteConflict', lost: [] })
    expect(sends()).toBe(24)
    expect(Math.max(...clock.waits)).toBeLessThanOrEqual(400)
    expect(clock.now() - began_at).toBeLessThan(9_000)
  })

  test('counts conflicts with other transactions apart from other failures', async () => {
    const conflict = cancelled('TransactionConflict', 'None', 'None')
    given(...Array<Error>(20).fill(conflict), cancelled('None', 'ThrottlingError', 'None'), conflict, 'done')
    await table.write(writes)
    expect(sends()).toBe(23)
  })

  test('throws PlatformUnavailable if every try is throttled', async () => {
    aws.on(TransactWriteCommand).rejects(cancelled('None', 'ThrottlingError', 'None'))
    expect(await errorOf(table.write(writes))).toBeInstanceOf(PlatformUnavailable)
    expect(sends()).toBe(TRIES_MAX)
  })

  test('throws other failures unchanged, without another try', async () => {
    const error = cancelled('None', 'ValidationError', 'None')
    given(error)
    expect(await errorOf(table.write(writes))).toBe(error)
    expect(sends()).toBe(1)
  })

  test('repeats a send whose answer was lost under the same request token', async () => {
    given(cut, 'done', 'done')
    await table.write(writes)
    await table.write(writes)
    const tokens = aws.commandCalls(TransactWriteCommand).map((call) => call.args[0].input.ClientRequestToken)
    expect(tokens).toHaveLength(3)
    expect(tokens[1]).toBe(tokens[0])
    expect(tokens[2]).not.toBe(tokens[0])
  })

  test('throws PlatformUnavailable if an answer was lost and the versions may be its own', async () => {
    given(cut, cancelled('TransactionConflict', 'None', 'None'), cancelled('ConditionalCheckFailed', 'None', 'None'))
    const error = await errorOf(table.write(writes))
    expect(error).toBeInstanceOf(PlatformUnavailable)
    expect((error as Error).cause).toBe(cut)
    expect(sends()).toBe(3)
  })

  test('is not sent after its latest time', async () => {
    expect(await errorOf(table.write(writes, { latest: clock.now() - 1 }))).toBeInstanceOf(WriteConflict)
    expect(sends()).toBe(0)
  })

  test('is sent at its latest time', async () => {
    given('done')
    await table.write(writes, { latest: clock.now() })
    expect(sends()).toBe(1)
  })

  test.each<[string, Error, typeof WriteConflict | typeof PlatformUnavailable]>([
    ['a conflict if it was certainly not written', cancelled('TransactionConflict', 'None', 'None'), WriteConflict],
    ['unavailable if it may have been written', cut, PlatformUnavailable],
  ])('is not sent again after its latest time: %s', async (_, failure, expected) => {
    given(failure, 'done')
    const { wait } = clock
    clock.wait = () => wait.call(clock, 1000)
    expect(await errorOf(table.write(writes, { latest: clock.now() + 999 }))).toBeInstanceOf(expected)
    expect(sends()).toBe(1)
  })
})
