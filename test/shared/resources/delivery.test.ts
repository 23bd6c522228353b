import { describe, expect, test } from 'vitest'
import { delivery, ListDeliveries } from '#shared/resources/delivery.ts'
import { parse } from '#shared/resources/parse.ts'
import { attemptOutcome, deliveryRecord } from '#test/fixtures/records.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

describe('ListDeliveries', () => {
  test('filters by event, webhook, payment, status and time', () => {
    const ids = { event: 'evt_1', webhook: 'whk_1', payment: 'pay_1' }
    expect(parse(ListDeliveries, { ...ids, status: 'failed,pending,failed', start_time: '2030-01-01' })).toEqual({
      ...ids,
      status: ['failed', 'pending'],
      start_time: Date.UTC(2030, 0, 1),
      page: 1,
      per_page: 10,
    })
  })

  test.each([null, ''])('accepts %j as no filter', (blank) => {
    const filters = { event: blank, webhook: blank, payment: blank, status: blank }
    expect(parse(ListDeliveries, filters)).toEqual({ page: 1, per_page: 10 })
  })

  test.each<[object, string]>([
    [{ event: 5 }, 'event'],
    [{ event: 'x'.repeat(256) }, 'event'],
    [{ webhook: ['whk_1'] }, 'webhook'],
    [{ webhook: 'x'.repeat(256) }, 'webhook'],
    [{ payment: {} }, 'payment'],
    [{ payment: 'x'.repeat(256) }, 'payment'],
    [{ status: 'lost' }, 'status'],
    [{ status: 'pending,' }, 'status'],
    [{ status: 1 }, 'status'],
    [{ page: 0 }, 'page'],
    [{ per_page: 101 }, 'per_page'],
    [{ start_time: 'now' }, 'start_time'],
    [{ end_time: 'now' }, 'end_time'],
  ])('refuses %j', (fields, param) => {
    expect(refusalOf(ListDeliveries, fields)).toMatchObject({ code: 'invalid_parameter', param })
  })
})

test('delivery returns the documented fields in their order, and nothing of the lease and the tries', () => {
  const kept = deliveryRecord({
    attempts_made: 2,
    tries: 2,
    failed_at: '2030-01-02T03:00:19Z',
    next_attempt_at: '2030-01-02T03:00:49Z',
    lease: { token: 'secret', until: '2030-01-02T03:01:00Z', outdated: false },
  })
  const made = { version: 1, delivery: kept.id }
  const attempts = [
    { ...made, number: 0, attempted_at: '2030-01-02T03:00:00Z', ...attemptOutcome(503) },
    { ...made, number: 1, attempted_at: '2030-01-02T03:00:04Z', ...attemptOutcome('timeout') },
  ]
  const shown = { attempted_at: '2030-01-02T03:00:00Z', status_code: 503, latency_ms: 12, response_body: '' }
  expect(JSON.stringify(delivery({ delivery: kept, attempts }))).toBe(
    JSON.stringify({
      id: 'dlv_1',
      resource: 'delivery',
      event: 'evt_1',
      event_type: 'payment.captured',
      webhook: 'whk_1',
      payment: 'pay_1',
      url: 'https://shop.example/hook',
      status: 'pending',
      next_attempt_at: '2030-01-02T03:00:49Z',
      created_at: '2030-01-02T03:00:00Z',
      attempts: [
        { ...shown, error: null, after_unrecorded: false },
        {
          attempted_at: '2030-01-02T03:00:04Z',
          status_code: null,
          latency_ms: 12,
          response_body: null,
          error: 'timeout',
          after_unrecorded: false,
        },
      ],
    }),
  )
})
