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
/** A refusal is to say what it found. */
const telling = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
const cut = Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' })
const errorOf = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error)

describe('get', () => {
  test('asks again, after a wait, for the keys that stayed unprocessed, and only for these', async () => {
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

  test('gives up on keys that stay unprocessed, rather than to say that nothing is there', async () => {
    aws.on(BatchGetCommand).resolves({ UnprocessedKeys: { payments: { Keys: [key('a')] } } })
    expect(await errorOf(table.get([key('a'), key('b')]))).toBeInstanceOf(PlatformUnavailable)
    expect(aws.commandCalls(BatchGetCommand)).toHaveLength(TRIES_MAX)
  })

  test('reads one item consistently, with the cheaper call', async () => {
    aws.on(GetCommand, { TableName: 'payments', Key: key('a'), ConsistentRead: true }).resolves({ Item: stored('a') })
    expect(await table.get([key('a')])).toEqual([{ ...key('a'), version: 1 }])
  })
})

test('a range is read and counted consistently', async () => {
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
  ['what is due', () => table.due({ shard: 's', after: 'a', until: 'b' })],
])('reading %s from a service in trouble is unavailable', async (_, read) => {
  aws.onAnyCommand().rejects(new InternalServerError(answer))
  expect(await errorOf(read())).toBeInstanceOf(PlatformUnavailable)
})

describe('write of one item', () => {
  const item = { ...key('a'), version: 3 }

  test('goes without a transaction, on its condition', async () => {
    aws.on(PutCommand).resolves({}).on(DeleteCommand).resolves({})
    await table.write([{ put: item, was: 2 }])
    await table.write([{ put: item, was: 0 }])
    await table.write([{ delete: item, was: 3 }])
    expect(aws.calls().map((call) => call.args[0].input)).toMatchObject([
      { ConditionExpression: 'version = :was', ExpressionAttributeValues: { ':was': 2 } },
      { ConditionExpression: 'attribute_not_exists(pk)' },
      { Key: key('a'), ConditionExpression: 'version = :was', ExpressionAttributeValues: { ':was': 3 } },
    ])
    for (const call of aws.calls()) expect(call.args[0].input).toMatchObject(telling)
  })

  test('that was done although its answer was lost is known again', async () => {
    const Item = { pk: { S: 'p' }, sk: { S: 'a' }, version: { N: '3' } }
    aws
      .on(PutCommand)
      .rejectsOnce(cut)
      .rejectsOnce(new ConditionalCheckFailedException({ ...answer, Item }))
    await table.write([{ put: item, was: 2 }])
    expect(aws.calls()).toHaveLength(2)
  })

  test('is a conflict when an answer was lost, and the version is of someone else', async () => {
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
  ])('is a conflict after a send that %s, which surely was not done', async (_, refused) => {
    aws.on(PutCommand).rejectsOnce(refused).rejectsOnce(new ConditionalCheckFailedException(answer))
    expect(await errorOf(table.write([{ put: item, was: 2 }]))).toMatchObject({ name: 'WriteConflict', lost: [0] })
  })

  test('is a conflict when the version is another one', async () => {
    aws.on(PutCommand).rejects(new ConditionalCheckFailedException(answer))
    expect(await errorOf(table.write([{ put: item, was: 2 }]))).toMatchObject({ name: 'WriteConflict', lost: [0] })
  })

  test('is tried again while a transaction is at work on the item', async () => {
    aws.on(PutCommand).rejectsOnce(new TransactionConflictException(answer)).resolves({})
    await table.write([{ put: item, was: 2 }])
    expect(aws.calls()).toHaveLength(2)
  })
})

describe('write of several items', () => {
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
            ...telling,
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
            ...telling,
          },
        },
      ],
    })
  })

  test('is a conflict at once when a version is another one, and names what was lost', async () => {
    given(cancelled('ConditionalCheckFailed', 'None', 'ConditionalCheckFailed'))
    expect(await errorOf(table.write(writes))).toMatchObject({ name: 'WriteConflict', lost: [0, 2] })
    expect(sends()).toBe(1)
  })

  test('names as lost only what is known to be another version', async () => {
    given(cancelled('ConditionalCheckFailed', 'TransactionConflict', 'None'))
    expect(await errorOf(table.write(writes))).toMatchObject({ name: 'WriteConflict', lost: [0] })
  })

  test('is tried again when another transaction was at work, and is done then', async () => {
    given(cancelled('None', 'TransactionConflict', 'None'), 'done')
    await table.write(writes)
    expect(sends()).toBe(2)
    expect(clock.waits).toHaveLength(1)
  })

  test.each([1, 2])('sends each time what it was called with, for %i items', async (count) => {
    const items = ['a', 'b'].slice(0, count).map((sk) => ({ ...stored(sk), nested: { n: 1 } }))
    const conflict = new TransactionConflictException(answer)
    aws.on(PutCommand).rejectsOnce(conflict).resolves({}).on(TransactWriteCommand).rejectsOnce(conflict).resolves({})
    const writing = table.write(items.map((item) => ({ put: item, was: 1 })))
    for (const { nested } of items) nested.n = 2
    await writing
    expect(aws.calls()).toHaveLength(2)
    for (const call of aws.calls())
      expect(JSON.stringify(call.args[0].input).match(/"n":\d/g)).toEqual(Array(count).fill('"n":1'))
  })

  test('is a conflict when another transaction is at work each time', async () => {
    aws.on(TransactWriteCommand).rejects(cancelled('TransactionConflict', 'None', 'None'))
    expect(await errorOf(table.write(writes))).toMatchObject({ name: 'WriteConflict', lost: [] })
    expect(sends()).toBe(TRIES_MAX)
  })

  test('is unavailable when it is throttled each time', async () => {
    aws.on(TransactWriteCommand).rejects(cancelled('None', 'ThrottlingError', 'None'))
    expect(await errorOf(table.write(writes))).toBeInstanceOf(PlatformUnavailable)
    expect(sends()).toBe(TRIES_MAX)
  })

  test('fails as it is when it can never be done', async () => {
    const error = cancelled('None', 'ValidationError', 'None')
    given(error)
    expect(await errorOf(table.write(writes))).toBe(error)
    expect(sends()).toBe(1)
  })

  test('is done when an answer is lost and the next send is done, which DynamoDB can tell from any other', async () => {
    given(cut, 'done', 'done')
    await table.write(writes)
    await table.write(writes)
    const tokens = aws.commandCalls(TransactWriteCommand).map((call) => call.args[0].input.ClientRequestToken)
    expect(tokens).toHaveLength(3)
    expect(tokens[1]).toBe(tokens[0])
    expect(tokens[2]).not.toBe(tokens[0])
  })

  test('is no conflict once an answer was lost and nothing tells whose the versions are, since they may be its own', async () => {
    given(cut, cancelled('TransactionConflict', 'None', 'None'), cancelled('ConditionalCheckFailed', 'None', 'None'))
    const error = await errorOf(table.write(writes))
    expect(error).toBeInstanceOf(PlatformUnavailable)
    expect((error as Error).cause).toBe(cut)
    expect(sends()).toBe(3)
  })

  test('is not sent when its time has passed', async () => {
    expect(await errorOf(table.write(writes, { latest: clock.now() - 1 }))).toBeInstanceOf(WriteConflict)
    expect(sends()).toBe(0)
  })

  test('is sent at the last moment', async () => {
    given('done')
    await table.write(writes, { latest: clock.now() })
    expect(sends()).toBe(1)
  })

  test.each<[string, Error, typeof WriteConflict | typeof PlatformUnavailable]>([
    ['a conflict when it surely was not done', cancelled('TransactionConflict', 'None', 'None'), WriteConflict],
    ['unavailable when it may have been done', cut, PlatformUnavailable],
  ])('is not sent again when its time passes meanwhile: %s', async (_, failure, expected) => {
    given(failure, 'done')
    const { wait } = clock
    clock.wait = () => wait.call(clock, 1000)
    expect(await errorOf(table.write(writes, { latest: clock.now() + 999 }))).toBeInstanceOf(expected)
    expect(sends()).toBe(1)
  })
})
