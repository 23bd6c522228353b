import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { gateway, invoker } from '#infra/local/server.ts'
import { namesOf } from '#infra/names.ts'
import { openStage } from '#infra/operate/place.ts'
import { retryOffset } from '#shared/domain/retry-schedule.ts'
import { DynamodbTable } from '#shared/platform/aws/dynamodb-table.ts'
import type { Clock, Platform } from '#shared/platform/ports.ts'
import { card, type Service, serve } from '#test/fixtures/api.ts'
import { STAGE } from './deployment.ts'
import { openDeployed } from './service.ts'

const SECOND_MS = 1000
const WEEK_MS = 7 * 24 * 3600 * SECOND_MS

/** Longer than a sweep looks ahead, so that the interval falls due for a later sweep. */
const AHEAD_MS = 65 * SECOND_MS

/** The timeout of a wait. A minute of the emulator's clock can take five minutes on a busy machine. */
const PATIENCE = { timeout: 300 * SECOND_MS, interval: SECOND_MS }

let service: Service
beforeAll(async () => {
  service = await openDeployed()
})
afterAll(() => service.close())

describe.concurrent('the background work of the deployed stage', { timeout: 400 * SECOND_MS }, () => {
  test('retries a failed webhook after 4 and 49 seconds', async () => {
    const webhook = { url: 'https://receiver.invalid/hook', event_list: ['payment.captured'] }
    const { id } = (await service.request('POST /webhooks', { json: webhook })).body
    const payment = { amount: 700, currency: 'JPY', payment_details: card() }
    expect((await service.request('POST /payments', { json: payment })).status).toBe(200)

    const deliveries = async () => (await service.request(`GET /deliveries?webhook=${id}`)).body.data
    const captured = await vi.waitFor(async () => {
      const found = (await deliveries()).find(({ event_type }: { event_type: string }) => event_type !== 'ping')
      expect(found?.attempts.length).toBeGreaterThanOrEqual(3)
      return found
    }, PATIENCE)

    expect(captured).toMatchObject({ status: 'pending', event_type: 'payment.captured' })
    const { attempts, next_attempt_at } = captured
    for (const { error } of attempts) expect(error).toBe('name_not_resolved')
    const [first, ...retries] = attempts.map(({ attempted_at }: { attempted_at: string }) => Date.parse(attempted_at))
    // Both times have a resolution of one second.
    for (const [index, at] of retries.entries()) expect(at - first).toBeGreaterThan(retryOffset(index + 1) - SECOND_MS)
    expect(Date.parse(next_attempt_at) - first).toBe(retryOffset(attempts.length))
  })

  test('captures a subscription again when its next interval begins', async () => {
    // The same functions create the subscription in this process, on the table of the stage, with a clock that is a
    // week late.
    const { platform } = await openStage(STAGE)
    const clock: Clock = { ...platform.clock, now: () => Date.now() - WEEK_MS + AHEAD_MS }
    const late: Platform = { ...platform, clock, table: new DynamodbTable(namesOf(STAGE).table, clock) }
    const lastWeek = await serve(gateway(invoker(late)), late)
    const key = lastWeek.test.secret_key
    const customer = await lastWeek.request('POST /customers', { json: { payment_details: card() } })
    const order = { customer: customer.body.id, amount: 1200, currency: 'JPY', period: 'weekly' }
    const made = await lastWeek.request('POST /subscriptions', { json: order })
    expect(made.body).toMatchObject({ status: 'active', payments: [expect.any(String)] })
    await lastWeek.close()

    const due_at = Date.parse(made.body.created_at) + WEEK_MS
    const again = await vi.waitFor(async () => {
      const { body } = await service.request(`GET /subscriptions/${made.body.id}`, { key })
      expect(body.payments).toHaveLength(2)
      return body
    }, PATIENCE)

    expect(again.status).toBe('active')
    const id = again.payments.find((payment: string) => payment !== made.body.payments[0])
    const payment = (await service.request(`GET /payments/${id}`, { key })).body
    expect(payment).toMatchObject({ status: 'captured', amount: 1200, customer: order.customer })
    expect(Date.parse(payment.created_at)).toBeGreaterThanOrEqual(due_at)
  })
})
