import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Webhook } from '#shared/domain/webhook.ts'
import { changed, removed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { receiverOf } from '#shared/webhooks/receiver.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { deliveryRecord, paymentRecord, webhookRecord } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

const keep = async (fields: Partial<Webhook>): Promise<string> => {
  const work = service.work()
  const id = work.newId('webhook')
  await work.commit([changed(webhooks, webhookRecord({ version: 0, ...fields, id }))])
  return id
}
const toWebhook = (webhook: string, fields = {}) => receiverOf(service.work(), deliveryRecord({ webhook, ...fields }))
const until = (seconds: number) => timestamp(START + seconds * 1000)

describe('receiverOf', () => {
  test('returns the current webhook, not that of the time of the delivery', async () => {
    const url = 'https://now.example/hook'
    const id = await keep({ url, secret: { sealed: 'one', previous: null } })
    expect(await toWebhook(id, { url: 'https://then.example' })).toEqual({ url, record: id, sealed: ['one'] })
    expect(await toWebhook(await keep({}))).toMatchObject({ sealed: [] })
  })

  test.each([
    [1, ['new', 'old']],
    [0, ['new']],
    [-1, ['new']],
  ])('also returns the previous secret while its grace time has %i seconds left: %j', async (left, sealed) => {
    const id = await keep({ secret: { sealed: 'new', previous: { sealed: 'old', until: until(left) } } })
    expect(await toWebhook(id)).toMatchObject({ sealed })
  })

  test('returns an error for a deleted or inactive webhook, except that a ping reaches an inactive one', async () => {
    const id = await keep({ active: false })
    expect(await toWebhook(id)).toEqual({ error: 'webhook_inactive' })
    expect(await toWebhook(id, { event_type: 'ping' })).toMatchObject({ record: id })
    const work = service.work()
    await work.commit([removed(webhooks, await work.get(webhooks, id))])
    for (const event_type of ['payment.captured', 'ping'])
      expect(await toWebhook(id, { event_type })).toEqual({ error: 'webhook_deleted' })
  })

  test('returns an error for a webhook of another merchant', async () => {
    const id = await keep({})
    const stranger = service.work({ merchant: 'mer_other' })
    expect(await receiverOf(stranger, deliveryRecord({ webhook: id }))).toEqual({ error: 'webhook_deleted' })
  })

  test('returns the webhook of the payment that the delivery names', async () => {
    const own = [
      { url: 'https://a.example', events: [], secret_sealed: null },
      { url: 'https://b.example', events: [], secret_sealed: 'sealed' },
    ]
    const work = service.work()
    const id = work.newId('payment')
    await work.commit([changed(payments, paymentRecord({ id, version: 0, webhooks: own }))])
    const of = (entry: number) => receiverOf(service.work(), deliveryRecord({ webhook: null, payment: id, entry }))
    expect(await of(0)).toEqual({ url: 'https://a.example', record: id, sealed: [] })
    expect(await of(1)).toEqual({ url: 'https://b.example', record: id, sealed: ['sealed'] })
  })
})
