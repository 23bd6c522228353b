import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changed } from '#shared/store/change.ts'
import { deliveryAttempts } from '#shared/store/deliveries.ts'
import { deliveryWithAttempts, SHOWN_MAX } from '#shared/webhooks/delivery-with-attempts.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { measured } from '#test/fixtures/measured-table.ts'
import { attemptOutcome, deliveryRecord } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
  for (let number = 0; number < SHOWN_MAX + 5; number++) {
    const attempt = {
      ...attemptOutcome(500),
      version: 0,
      delivery: 'dlv_1',
      number,
      attempted_at: '2030-01-02T03:00:00Z',
    }
    await service.work().commit([changed(deliveryAttempts, attempt)])
  }
})
afterAll(() => service.close())

const numbers = async (attempts_made: number) => {
  const record = deliveryRecord({ attempts_made })
  const { delivery, attempts } = await deliveryWithAttempts(service.work(), record)
  expect(delivery).toBe(record)
  return attempts.map(({ number }) => number)
}
const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

describe('deliveryWithAttempts', () => {
  test('returns the attempts, oldest first', async () => {
    expect(await numbers(12)).toEqual(from(0, 12))
  })

  test('returns no attempt that was recorded after the delivery was read', async () => {
    expect(await numbers(1)).toEqual([0])
  })

  test('returns the last hundred attempts', async () => {
    expect(await numbers(SHOWN_MAX)).toEqual(from(0, 100))
    expect(await numbers(SHOWN_MAX + 5)).toEqual(from(5, 100))
  })

  test('makes no call for a delivery without attempts', async () => {
    const table = measured(service.platform.table)
    const work = service.work({ platform: { ...service.platform, table } })
    expect((await deliveryWithAttempts(work, deliveryRecord())).attempts).toEqual([])
    expect(table.measure.calls).toBe(0)
  })

  test('returns nothing of another merchant', async () => {
    const stranger = service.work({ merchant: 'mer_other' })
    expect((await deliveryWithAttempts(stranger, deliveryRecord({ attempts_made: 5 }))).attempts).toEqual([])
  })
})
