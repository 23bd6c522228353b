import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changed } from '#shared/store/change.ts'
import { deliveryAttempts } from '#shared/store/deliveries.ts'
import { deliveryWithAttempts, SHOWN_MAX } from '#shared/webhooks/delivery-with-attempts.ts'
import { attemptOutcome, deliveryRecord } from '#test/fixtures/delivery-record.ts'
import { measured } from '#test/fixtures/measured-table.ts'
import { openWorking, type Working } from '#test/fixtures/working.ts'

let working: Working
beforeAll(async () => {
  working = await openWorking()
  for (let number = 0; number < SHOWN_MAX + 5; number++) {
    const attempt = {
      ...attemptOutcome(500),
      version: 0,
      delivery: 'dlv_1',
      number,
      attempted_at: '2030-01-02T03:00:00Z',
    }
    await working.work().commit([changed(deliveryAttempts, attempt)])
  }
})
afterAll(() => working.close())

const numbers = async (attempts_made: number) => {
  const record = deliveryRecord({ attempts_made })
  const { delivery, attempts } = await deliveryWithAttempts(working.work(), record)
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
    const table = measured(working.platform.table)
    const work = working.work({ platform: { ...working.platform, table } })
    expect((await deliveryWithAttempts(work, deliveryRecord())).attempts).toEqual([])
    expect(table.measure.calls).toBe(0)
  })

  test('returns nothing of another merchant', async () => {
    const stranger = working.work({ merchant: 'mer_other' })
    expect((await deliveryWithAttempts(stranger, deliveryRecord({ attempts_made: 5 }))).attempts).toEqual([])
  })
})
