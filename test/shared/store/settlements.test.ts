import { describe, expect, test } from 'vitest'
import { creationTimeOf } from '#shared/domain/ids.ts'
import { nextWeek, type Settlement, settleAt } from '#shared/domain/settlement.ts'
import { isId, kindOf, merchantAndId } from '#shared/store/keys.ts'
import { itemOf, recordOf } from '#shared/store/kind.ts'
import { settlementId, settlementList, settlements, settlings } from '#shared/store/settlements.ts'

const WEEK = Date.parse('2029-12-30T15:00:00Z')
const record: Settlement = {
  id: settlementId('mer_1', WEEK, 'JPY'),
  version: 0,
  currency: 'JPY',
  period_start: '2029-12-30T15:00:00Z',
  period_end: '2030-01-06T15:00:00Z',
  gross: 1_000,
  fees: 36,
  refunds: 2_000,
  net: -1_036,
  payments: 1,
  created_at: '2030-01-06T15:10:00Z',
}

describe('settlementId', () => {
  test('is the same for the same merchant, week and currency, and differs for any other', () => {
    expect(settlementId('mer_1', WEEK, 'JPY')).toBe(record.id)
    const others = [
      settlementId('mer_2', WEEK, 'JPY'),
      settlementId('mer_1', nextWeek(WEEK), 'JPY'),
      settlementId('mer_1', WEEK, 'USD'),
    ]
    expect(new Set([record.id, ...others]).size).toBe(4)
  })

  test('is a valid id with the time of the settlement, so that ids sort by week', () => {
    expect(isId(record.id)).toBe(true)
    expect(record.id).toMatch(/^stl_/)
    expect(creationTimeOf(record.id)).toBe(Date.parse(settleAt(WEEK)))
    const ids = Array.from({ length: 10 }, (_, week) => settlementId('mer_1', WEEK + week * 604_800_000, 'JPY'))
    expect(ids.toSorted()).toEqual(ids)
  })
})

test('settlements are read as they were stored, and are in the list of their merchant', () => {
  const stored = itemOf(settlements, 'mer_1', record, WEEK)
  expect([stored.pk, stored.sk]).toEqual([`settlement#mer_1#${record.id}`, 'settlement'])
  expect(recordOf(settlements, stored)).toEqual({ ...record, version: 1 })
  expect([stored.due_at, stored.ttl]).toEqual([undefined, undefined])
  const entries = settlements.entries!('mer_1', record)
  expect(entries).toEqual([{ list: settlementList('mer_1'), id: record.id, facet: 'JPY' }])
  expect(entries[0]!.list).toMatchObject({ pk: 'list#settlement#mer_1', prefix: 'stl_', counted: true })
})

test('settlings fall due when their first week does', () => {
  const settling = { id: 'mer_1', version: 3, first: WEEK, last: nextWeek(nextWeek(WEEK)) }
  const stored = itemOf(settlings, 'mer_1', settling, WEEK)
  expect(recordOf(settlings, stored)).toEqual({ ...settling, version: 4 })
  expect([stored.due_at, kindOf(stored.due_shard!)]).toEqual(['2030-01-06T15:10:00Z', 'settling'])
  expect(merchantAndId(stored.pk).merchant).toBe('mer_1')
})
