import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSBatchResponse } from 'aws-lambda'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { workers } from '#shared/background.ts'
import { sweep } from '#shared/scheduling/sweep.ts'
import { card } from '#test/fixtures/api.ts'
import { type AwsApi, openAwsApi } from '#test/moto/aws-api.ts'

let api: AwsApi
beforeAll(async () => {
  api = await openAwsApi()
})
afterAll(() => api.close())
afterEach(() => {
  vi.useRealTimers()
})

/** Receives the messages of the queue `chores` as an event of Lambda. */
async function received() {
  const command = new ReceiveMessageCommand({ QueueUrl: api.queue_urls.chores, MaxNumberOfMessages: 10 })
  const { Messages = [] } = await new SQSClient().send(command)
  return { Records: Messages.map(({ MessageId, Body }) => ({ messageId: MessageId, body: Body })) }
}

const work = async (event: object) => (await api.invoke(workers.chores, event)) as SQSBatchResponse

describe('the background workers', () => {
  test('inquire about a charge with an unknown outcome and resolve it once', async () => {
    await sweep(api.platform, 'attempt')
    const { body } = await api.request('POST /payments', {
      json: { amount: 700, currency: 'JPY', payment_details: card() },
      headers: { 'x-service-scenario': 'timeout_after_charge' },
    })
    const { payment } = body.error.details
    const show = async () => (await api.request(`GET /payments/${payment}`)).body
    expect((await show()).status).toBe('pending')

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 })
    await sweep(api.platform, 'attempt')
    await sweep(api.platform, 'attempt')
    const event = await received()
    expect(event.Records).toHaveLength(1)
    expect(await work(event)).toEqual({ batchItemFailures: [] })
    expect(await show()).toMatchObject({ status: 'captured', amount: 700 })

    expect(await work(event)).toEqual({ batchItemFailures: [] })
    expect((await api.request('GET /events')).body.data).toMatchObject([
      { type: 'payment.captured', data: { id: payment, status: 'captured' } },
    ])
  })

  test('report only the message that failed', async () => {
    const message = { kind: 'payment', pk: `payment#${api.test.id}#pay_gone`, sk: 'payment', due_at: '' }
    const lost = { ...message, pk: 'payment#mer_gone#pay_gone' }
    const event = { Records: [message, lost].map((body, n) => ({ messageId: `${n}`, body: JSON.stringify(body) })) }
    expect(await work(event)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] })
  })
})
