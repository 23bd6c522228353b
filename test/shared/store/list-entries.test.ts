import { describe, expect, test } from 'vitest'
import { idOf } from '#shared/domain/ids.ts'
import type { Write } from '#shared/platform/ports.ts'
import { ENTRY_LATEST_MS, type Entry, entryWrites } from '#shared/store/list-entries.ts'
import type { List } from '#shared/store/list-keys.ts'

const payments: List = { pk: 'list#payment#mer_1', prefix: 'pay_', counted: true }
const byCustomer: List = { pk: 'list#payment#mer_1#customer#cus_1', prefix: 'pay_', counted: false }
const born = Date.UTC(2025, 2, 30, 1, 59, 59, 999)
const id = idOf('payment', born, new Uint8Array(16))
const entry = (list: List, facet = 'pending/JPY'): Entry => ({ list, id, facet })

describe('the writes for the entries of a record', () => {
  test('of a new record put its entries, to be sent soon after its birth', () => {
    expect(entryWrites([], [entry(payments), entry(byCustomer)])).toEqual({
      writes: [payments, byCustomer].map(({ pk }) => ({ put: { pk, sk: id, version: 1, facet: 'pending/JPY' } })),
      latest: born + ENTRY_LATEST_MS,
    })
  })

  test('of several new records are to be sent soon after the first birth', () => {
    const later = { ...entry(payments), id: idOf('payment', born + 5_000, new Uint8Array(16)) }
    expect(entryWrites([], [later, entry(payments)]).latest).toBe(born + ENTRY_LATEST_MS)
  })

  test('are none where nothing has changed', () => {
    expect(entryWrites([entry(payments)], [entry(payments)])).toEqual({ writes: [], latest: undefined })
  })

  test('of another facet may be sent at any time, and touch no count', () => {
    expect(entryWrites([entry(payments)], [entry(payments, 'captured/JPY')])).toEqual({
      writes: [{ put: { pk: payments.pk, sk: id, version: 1, facet: 'captured/JPY' } }],
      latest: undefined,
    })
  })

  test('of a list that is not counted may be moved at any time, and touch no count', () => {
    const other: List = { ...byCustomer, pk: 'list#payment#mer_1#customer#cus_2' }
    expect(entryWrites([entry(byCustomer)], [entry(other)])).toEqual({
      writes: [
        { put: { pk: other.pk, sk: id, version: 1, facet: 'pending/JPY' } },
        { delete: { pk: byCustomer.pk, sk: id } },
      ],
      latest: undefined,
    })
  })

  test('of a deleted record forget the counts of its hour and day, with versions that were never there', () => {
    const { writes, latest } = entryWrites([entry(payments)], [])
    const version = expect.any(Number)
    expect(latest).toBeUndefined()
    expect(writes).toEqual([
      { delete: { pk: payments.pk, sk: id } },
      { put: { pk: `${payments.pk}#count`, sk: 'hour#2025-03-30T01', version } },
      { put: { pk: `${payments.pk}#count`, sk: 'day#2025-03-30', version } },
      { put: { pk: `${payments.pk}#count`, sk: 'deletions', version } },
    ])
    const versions = Array.from({ length: 100 }, () => versionsOf(entryWrites([entry(payments)], []).writes)).flat()
    expect(new Set(versions).size).toBe(300)
    expect(versions.every((version) => Number.isSafeInteger(version) && version > 0)).toBe(true)
  })
})

function versionsOf(writes: readonly Write[]): number[] {
  return writes.flatMap((write) => ('put' in write ? [write.put.version] : []))
}
