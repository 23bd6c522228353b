import { describe, expect, test } from 'vitest'
import { idOf } from '#shared/domain/ids.ts'
import type { Write } from '#shared/platform/ports.ts'
import { ENTRY_LATEST_MS, type Entry, entryWrites } from '#shared/store/list-entries.ts'
import type { List } from '#shared/store/list-keys.ts'

const payments: List = { pk: 'list#payment#mer_1', prefix: 'pay_', counted: true }
const byCustomer: List = { pk: 'list#payment#mer_1#customer#cus_1', prefix: 'pay_', counted: false }
const born = Date.UTC(2025, 2, 30, 1, 59, 59, 999)
const much_later = born + 40 * 86_400_000
const id = idOf('payment', born, new Uint8Array(16))
const entry = (list: List, facet = 'pending/JPY'): Entry => ({ list, id, facet })

/**
 * The writes that invalidate the cached counts of the record's hour and day: two rows without a count, and `deletions`.
 */
const invalidations = ['hour#2025-03-30T01', 'day#2025-03-30', 'deletions'].map((sk) => ({
  put: { pk: `${payments.pk}#count`, sk, version: expect.any(Number) },
}))

describe('entryWrites', () => {
  test('puts the entries of a new record, with a latest time soon after its creation', () => {
    expect(entryWrites([], [entry(payments), entry(byCustomer)], born)).toEqual({
      writes: [payments, byCustomer].map(({ pk }) => ({ put: { pk, sk: id, version: 1, facet: 'pending/JPY' } })),
      latest: born + ENTRY_LATEST_MS,
    })
  })

  test('sets the latest time of several new records by the first of them', () => {
    const later = { ...entry(payments), id: idOf('payment', born + 5_000, new Uint8Array(16)) }
    expect(entryWrites([], [later, entry(payments)], born + 5_000).latest).toBe(born + ENTRY_LATEST_MS)
  })

  test('returns no writes if nothing has changed', () => {
    expect(entryWrites([entry(payments)], [entry(payments)], much_later)).toEqual({ writes: [], latest: undefined })
  })

  test('puts an entry with another facet at any time, without invalidating counts', () => {
    expect(entryWrites([entry(payments)], [entry(payments, 'captured/JPY')], much_later)).toEqual({
      writes: [{ put: { pk: payments.pk, sk: id, version: 1, facet: 'captured/JPY' } }],
      latest: undefined,
    })
  })

  test('moves an entry of an uncounted list at any time, without invalidating counts', () => {
    const other: List = { ...byCustomer, pk: 'list#payment#mer_1#customer#cus_2' }
    expect(entryWrites([entry(byCustomer)], [entry(other)], much_later)).toEqual({
      writes: [
        { put: { pk: other.pk, sk: id, version: 1, facet: 'pending/JPY' } },
        { delete: { pk: byCustomer.pk, sk: id } },
      ],
      latest: undefined,
    })
  })

  test('invalidates the counts of the hour and day of a deleted record, with random versions', () => {
    const { writes, latest } = entryWrites([entry(payments)], [], much_later)
    expect(latest).toBeUndefined()
    expect(writes).toEqual([{ delete: { pk: payments.pk, sk: id } }, ...invalidations])
    const versions = Array.from({ length: 100 }, () =>
      versionsOf(entryWrites([entry(payments)], [], much_later).writes),
    ).flat()
    expect(new Set(versions).size).toBe(300)
    expect(versions.every((version) => Number.isSafeInteger(version) && version > 0)).toBe(true)
  })

  test('invalidates the counts for a late record, at any time, except for uncounted lists', () => {
    for (const now of [born + ENTRY_LATEST_MS / 2 + 1, much_later])
      expect(entryWrites([], [entry(payments), entry(byCustomer)], now)).toEqual({
        writes: [
          ...[payments, byCustomer].map(({ pk }) => ({ put: { pk, sk: id, version: 1, facet: 'pending/JPY' } })),
          ...invalidations,
        ],
        latest: undefined,
      })
  })

  test('treats a record as in time until half of its time has passed', () => {
    const in_time = entryWrites([], [entry(payments)], born + ENTRY_LATEST_MS / 2)
    expect([in_time.writes.length, in_time.latest]).toEqual([1, born + ENTRY_LATEST_MS])
  })

  test('sets the latest time by the record in time, if late records come with it', () => {
    const old = { ...entry(payments), id: idOf('payment', born - 3 * 86_400_000, new Uint8Array(16)) }
    const { writes, latest } = entryWrites([], [old, entry(payments)], born)
    expect(latest).toBe(born + ENTRY_LATEST_MS)
    expect(writes.slice(2).map((write) => 'put' in write && write.put.sk)).toEqual([
      'hour#2025-03-27T01',
      'day#2025-03-27',
      'deletions',
    ])
  })
})

function versionsOf(writes: readonly Write[]): number[] {
  return writes.flatMap((write) => ('put' in write ? [write.put.version] : []))
}
