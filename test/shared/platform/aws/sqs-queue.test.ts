import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, test } from 'vitest'
import { TRIES_MAX } from '#shared/platform/aws/calls.ts'
import { sqsQueue } from '#shared/platform/aws/sqs-queue.ts'
import { type Message, PlatformUnavailable, type Queue } from '#shared/platform/ports.ts'
import { SteppingClock } from '#test/fixtures/clocks.ts'

const aws = mockClient(SQSClient)
let clock: SteppingClock
let queue: Queue
beforeEach(() => {
  aws.reset()
  clock = new SteppingClock()
  queue = sqsQueue('https://sqs/queue', clock)
})

const message = (sk: string): Message => ({ kind: 'payment', pk: 'p', sk, due_at: '2025-01-01T00:00:00Z' })
const sent = () => aws.commandCalls(SendMessageBatchCommand).map((call) => call.args[0].input)
const sentBodies = () => sent().map(({ Entries }) => Entries!.map(({ MessageBody }) => JSON.parse(MessageBody!).sk))

describe('sqsQueue', () => {
  test('sends the delay, and a message group id that SQS accepts for any group name', async () => {
    aws.on(SendMessageBatchCommand).resolves({})
    const group = `https://決済.example/${'x'.repeat(300)}`
    await queue.send([
      { message: message('a'), delay_seconds: 900, group },
      { message: message('b'), group },
      { message: message('c'), group: 'other' },
      { message: message('d') },
    ])
    const [{ QueueUrl, Entries = [] } = {}] = sent()
    expect(QueueUrl).toBe('https://sqs/queue')
    expect(JSON.parse(Entries[0]!.MessageBody!)).toEqual(message('a'))
    expect(Entries.map(({ DelaySeconds }) => DelaySeconds)).toEqual([900, undefined, undefined, undefined])
    const [a, b, c, d] = Entries.map(({ MessageGroupId }) => MessageGroupId)
    expect(a).toMatch(/^[0-9a-z]{1,128}$/)
    expect([b, d]).toEqual([a, undefined])
    expect(c).not.toBe(a)
  })

  test('uses the endpoint of the region, whatever host the URL names', async () => {
    aws.on(SendMessageBatchCommand).resolves({})
    await queue.send([{ message: message('a') }])
    expect(aws.call(0).thisValue.config.useQueueUrlAsEndpoint).toBe(false)
  })

  test('sends batches of ten', async () => {
    aws.on(SendMessageBatchCommand).resolves({})
    await queue.send(Array.from({ length: 21 }, (_, n) => ({ message: message(String(n)) })))
    expect(sentBodies().map((bodies) => bodies.length)).toEqual([10, 10, 1])
    expect(sentBodies().flat()).toEqual(Array.from({ length: 21 }, (_, n) => String(n)))
  })

  test('sends failed messages again, after a wait, and only those', async () => {
    aws
      .on(SendMessageBatchCommand)
      .resolvesOnce({ Successful: [], Failed: [{ Id: '1', SenderFault: false, Code: 'InternalError' }] })
      .resolvesOnce({})
    await queue.send([{ message: message('a') }, { message: message('b') }, { message: message('c') }])
    expect(sentBodies()).toEqual([['a', 'b', 'c'], ['b']])
    expect(clock.waits).toHaveLength(1)
  })

  test('throws PlatformUnavailable if some messages fail every time', async () => {
    aws
      .on(SendMessageBatchCommand)
      .resolves({ Successful: [], Failed: [{ Id: '0', SenderFault: false, Code: 'InternalError' }] })
    await expect(queue.send([{ message: message('a') }])).rejects.toBeInstanceOf(PlatformUnavailable)
    expect(sent()).toHaveLength(TRIES_MAX)
  })

  test('throws PlatformUnavailable if the queue cannot be reached', async () => {
    aws.on(SendMessageBatchCommand).rejects(Object.assign(new Error(), { name: 'TimeoutError', code: 'ECONNREFUSED' }))
    await expect(queue.send([{ message: message('a') }])).rejects.toBeInstanceOf(PlatformUnavailable)
  })
})
