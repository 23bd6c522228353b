import { createHmac } from 'node:crypto'
import { DeleteMessageCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import type { SQSBatchResponse } from 'aws-lambda'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { FunctionsStack } from '#infra/stacks/functions-stack.ts'
import { fanOut, workers } from '#shared/background.ts'
import type { LogEntry } from '#shared/platform/ports.ts'
import { sweep } from '#shared/scheduling/sweep.ts'
import { recordKey } from '#shared/store/keys.ts'
import { card } from '#test/fixtures/api.ts'
import { matches, type Pattern } from '#test/fixtures/event-filter.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'
import { stageOf } from '#test/fixtures/stages.ts'
import { type AwsApi, openAwsApi } from '#test/moto/aws-api.ts'
import { openTableStream, type StreamRecord } from './table-stream.ts'

const SECRET = 'the secret of the webhook'

const logs: LogEntry[] = []
let api: AwsApi
let receiver: Receiver
let written: () => Promise<StreamRecord[]>
beforeAll(async () => {
  api = await openAwsApi({ loopback_webhooks: true, log: (entry) => logs.push(entry) })
  receiver = await openReceiver()
  written = await openTableStream(process.env.TABLE_NAME!)
})
afterAll(async () => {
  await api.close()
  await receiver.close()
})
afterEach(() => {
  vi.useRealTimers()
  receiver.received.length = 0
  receiver.says = () => 200
  expect(logs.filter(({ event }) => event === 'work_failed')).toEqual([])
})

/** The new records of the stream that the event filter of the deployed function accepts. */
async function filteredRecords(): Promise<StreamRecord[]> {
  const records = await written()
  return records.filter((record) => matches(filter, record))
}

const filter = filterOf()

function filterOf(): Pattern {
  const stack = new FunctionsStack(new App(), 'Functions', { stage: stageOf('dev'), code: () => Code.fromInline('-') })
  const mappings = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::EventSourceMapping'))
  const [{ Pattern }] = mappings.flatMap(({ Properties }) => Properties.FilterCriteria?.Filters ?? [])
  return JSON.parse(Pattern)
}

const sqs = new SQSClient()

/** Passes each message of a queue to its worker in a batch of one and deletes it after success, as Lambda does. */
async function work(queue: 'deliveries' | 'chores') {
  const QueueUrl = api.queue_urls[queue]
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['MessageGroupId'],
  })
  const { Messages = [] } = await sqs.send(command)
  for (const { MessageId, Body, ReceiptHandle } of Messages) {
    expect(await hand(queue, Body!, MessageId)).toEqual({ batchItemFailures: [] })
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
  }
  return Messages.map(({ Body, Attributes }) => ({ body: Body!, group: Attributes?.MessageGroupId }))
}

const hand = (queue: 'deliveries' | 'chores', body: string, messageId = '1') =>
  api.invoke(workers[queue], { Records: [{ messageId, body }] }) as Promise<SQSBatchResponse>

async function newWebhook(event_list: readonly string[] = ['payment.captured']) {
  const url = `${receiver.origin}/hook`
  return (await api.request('POST /webhooks', { json: { url, event_list, secret_token: SECRET } })).body
}

const deliveriesOf = async (webhook: { id: string }) =>
  (await api.request(`GET /deliveries?webhook=${webhook.id}`)).body.data

describe('webhooks', () => {
  test('are delivered through the stream and the queue, and delivered again by POST /deliveries/:id/redeliver', async () => {
    const webhook = await newWebhook()
    const { body: payment } = await api.request('POST /payments', {
      json: { amount: 700, currency: 'JPY', payment_details: card() },
    })
    const records = await filteredRecords()
    expect(records.map(({ dynamodb }) => dynamodb.Keys.sk.S)).toEqual(['outbox', 'outbox'])
    await api.invoke(fanOut, { Records: records })
    const messages = await work('deliveries')
    expect(messages.map(({ group }) => group)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), messages[0]!.group])
    const [captured, ping] = await deliveriesOf(webhook)
    expect([ping, captured]).toMatchObject([
      { status: 'delivered', event_type: 'ping' },
      { status: 'delivered', event_type: 'payment.captured', payment: payment.id },
    ])

    const arrived = receiver.received.find(({ headers }) => headers['x-service-id'] === captured.id)!
    expect(JSON.parse(arrived.body.toString())).toMatchObject({ id: captured.event, data: { id: payment.id } })
    expect(arrived.headers['x-service-signature']).toBe(createHmac('sha256', SECRET).update(arrived.body).digest('hex'))
    expect(receiver.received).toHaveLength(2)

    expect((await api.request(`POST /deliveries/${captured.id}/redeliver`)).status).toBe(200)
    await work('deliveries')
    expect(receiver.received).toHaveLength(3)
    expect(receiver.received[2]).toMatchObject({ body: arrived.body, headers: { 'x-service-id': captured.id } })
  })

  test('are delivered once, also if the stream and the queue repeat records and messages', async () => {
    const webhook = await newWebhook()
    const records = await filteredRecords()
    await api.invoke(fanOut, { Records: [...records, ...records] })
    const [message, ...others] = await work('deliveries')
    expect(others).toEqual([])
    expect(receiver.received).toHaveLength(1)

    const again = (await written()).filter(({ dynamodb }) => dynamodb.Keys.sk.S === 'outbox')
    expect(again.map(({ eventName }) => eventName)).toEqual(['REMOVE'])
    await api.invoke(fanOut, { Records: [...records, ...again] })
    expect(await work('deliveries')).toEqual([])
    expect(await hand('deliveries', message!.body)).toEqual({ batchItemFailures: [] })
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesOf(webhook)).toHaveLength(1)
  })

  test('are retried at the time of the retry schedule after a failure', async () => {
    receiver.says = () => 500
    const webhook = await newWebhook()
    await api.invoke(fanOut, { Records: await filteredRecords() })
    await work('deliveries')
    const [failing] = await deliveriesOf(webhook)
    expect(failing).toMatchObject({ status: 'pending', attempts: [{ status_code: 500 }] })
    const next = Date.parse(failing.attempts[0].attempted_at) + 4000
    expect(Date.parse(failing.next_attempt_at)).toBe(next)

    // The message is delayed in the queue, whose clock cannot be advanced here.
    const counted = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: api.queue_urls.deliveries,
        AttributeNames: ['ApproximateNumberOfMessagesDelayed'],
      }),
    )
    expect(counted.Attributes).toEqual({ ApproximateNumberOfMessagesDelayed: '1' })
    receiver.says = () => 204
    vi.useFakeTimers({ toFake: ['Date'], now: next })
    const key = recordKey('delivery', api.test.id, failing.id)
    await hand('deliveries', JSON.stringify({ kind: 'delivery', ...key, due_at: failing.next_attempt_at }))
    expect(await deliveriesOf(webhook)).toMatchObject([
      { status: 'delivered', next_attempt_at: null, attempts: [{ status_code: 500 }, { status_code: 204 }] },
    ])
  })

  test('are delivered by the sweep if the stream lost the record', async () => {
    const webhook = await newWebhook()
    await written()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    await sweep(api.platform, 'outbox')
    expect(await work('chores')).toHaveLength(1)
    await work('deliveries')
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'delivered', event_type: 'ping' }])
  })
})
