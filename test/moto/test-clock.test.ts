import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSBatchResponse } from 'aws-lambda'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { queueNames, workers } from '#shared/background.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import { sweep } from '#shared/scheduling/sweep.ts'
import { newMerchants } from '#shared/store/merchants.ts'
import { card } from '#test/fixtures/api.ts'
import { type AwsApi, openAwsApi } from '#test/moto/aws-api.ts'

let api: AwsApi
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 2, 3, 0, 0) })
  api = await openAwsApi()
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => api.close())

/** Passes the messages of a queue to its worker, as Lambda does. Returns the number of messages. */
async function workOff(queue: QueueName): Promise<number> {
  const sqs = new SQSClient()
  const QueueUrl = api.queue_urls[queue]
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }))
  if (Messages.length === 0) return 0
  const Records = Messages.map(({ MessageId, Body }) => ({ messageId: MessageId, body: Body }))
  expect((await api.invoke(workers[queue], { Records })) as SQSBatchResponse).toEqual({ batchItemFailures: [] })
  for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
  return Messages.length
}

/**
 * Lets a minute of real time pass: sweeps the test clocks and works off all queues. moto delays messages by the time of
 * the machine, so the sweep replaces the messages of later looks.
 */
async function passMinute(): Promise<void> {
  vi.setSystemTime(Date.now() + 60_000)
  await sweep(api.platform, 'test_clock')
  for (let worked = 1; worked > 0; ) {
    worked = 0
    for (const queue of queueNames) worked += await workOff(queue)
  }
}

test('a test clock alone makes twelve monthly captures, while the time of another merchant stands still', async () => {
  const { merchants, writes } = newMerchants(Date.now())
  await api.platform.table.write(writes)
  const other = merchants.test.secret_key
  const subscribe = async (key: string) => {
    const json = { email: 'a@b.example', payment_details: card() }
    const { body: customer } = await api.request('POST /customers', { key, json })
    const fields = { amount: 1000, currency: 'JPY', period: 'monthly', customer: customer.id }
    expect((await api.request('POST /subscriptions', { key, json: fields })).status).toBe(200)
  }
  const captures = async (key: string): Promise<string[]> =>
    (await api.request('GET /payments?per_page=100&status=captured', { key })).body.data
      .map(({ created_at }: { created_at: string }) => created_at)
      .toReversed()
  const clock = (advance: number, key: string) => api.request('POST /test_clock', { key, json: { advance } })

  const key = api.test.secret_key
  const began = Date.now()
  await subscribe(key)
  await subscribe(other)
  const { body } = await clock(365 * 86_400, key)
  expect(body.now).toBe(timestamp(began + 365 * 86_400_000))
  expect((await clock(1, key)).status).toBe(409)
  let minutes = 0
  for (; (await clock(0, key)).body.now < body.now && minutes < 200; minutes++) await passMinute()

  const months = Array.from({ length: 13 }, (_, month) => timestamp(Date.UTC(2030, month, 2, 3, 0, 0)))
  expect((await captures(key)).map((at) => at.slice(0, 10))).toEqual(months.map((at) => at.slice(0, 10)))
  expect((await captures(other)).length).toBe(1)
  expect((await clock(0, other)).body.now).toBe(timestamp(Date.now()))
  expect((await clock(1, key)).status).toBe(200)
}, 300_000)
