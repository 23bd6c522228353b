import { describe, expect, test } from 'vitest'
import { parse } from '#shared/resources/parse.ts'
import { ListSettlements, settlement } from '#shared/resources/settlement.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

describe('ListSettlements', () => {
  test('filters by time', () => {
    expect(parse(ListSettlements, { end_time: '2030-01-08', page: '2' })).toEqual({
      end_time: Date.UTC(2030, 0, 8),
      page: 2,
      per_page: 10,
    })
    expect(refusalOf(ListSettlements, { per_page: 0 })).toMatchObject({ code: 'invalid_parameter', param: 'per_page' })
  })
})

describe('settlement', () => {
  test('returns the documented fields in their order, and no internal ones', () => {
    const shown = {
      id: 'stl_1',
      resource: 'settlement',
      currency: 'JPY',
      period_start: '2029-12-30T15:00:00Z',
      period_end: '2030-01-06T15:00:00Z',
      gross: 1000,
      fees: 36,
      refunds: 1200,
      net: -236,
      payments: 1,
      created_at: '2030-01-06T15:10:00Z',
    }
    const { resource, ...kept } = shown
    expect(JSON.stringify(settlement({ ...kept, version: 1 }))).toBe(JSON.stringify(shown))
  })
})
