import { describe, expect, test } from 'vitest'
import { idOf } from '#shared/domain/ids.ts'
import { type Entry, entryWrites, type Stamps } from '#shared/store/list-entries.ts'
import type { List } from '#shared/store/list-keys.ts'
import { hourLetters } from '#shared/store/list-keys.ts'
import { ENTRY_LATEST_MS, LaneWrites } from '#shared/store/list-lanes.ts'
import { MemoryTable } from '#test/simulation/memory-table.ts'

const payments: List = { pk: 'list#payment#mer_1', prefix: 'pay_', counted: true }
const byCustomer: List = { pk: 'list#payment#mer_1#customer#cus_1', prefix: 'pay_', counted: false }
const born = Date.UTC(2025, 2, 30, 1, 59, 59, 999)
const much_later = born + 40 * 86_400_000
const id = idOf('payment', born, new Uint8Array(16))
const entry = (list: List, facet = 'pending/JPY'): Entry => ({ list, id, facet })
const hour = hourLetters(born)
const first = { counted_in: 'first.1' }

/** The writes of a change of a record's entries at `now`, and the lanes of the transaction. */
function writesOf(before: readonly Entry[], after: readonly Entry[], now = born, stamps: Stamps = {}) {
  const lanes = new LaneWrites(new MemoryTable(), now)
  const { writes, stamps: next } = entryWrites(before, after, { lanes, stamps })
  const rows = lanes.writes().flatMap((write) => ('put' in write ? [write] : []))
  return { writes, stamps: next, lanes: rows, latest: lanes.latest }
}

describe('entryWrites', () => {
  test('puts the entries of a new record, counts it in one lane, and stamps the entry of the counted list', () => {
    const { writes, stamps, lanes, latest } = writesOf([], [entry(payments), entry(byCustomer)])
    const stamp = stamps.counted_in
    expect(lanes).toMatchObject([
      { was: 0, put: { pk: `${payments.pk}#count`, version: 1, added: { [hour]: 1 }, gone: {} } },
    ])
    expect(stamp).toBe(`${lanes[0]!.put.sk.slice('lane#'.length)}.1`)
    expect(writes).toEqual([
      { put: { pk: payments.pk, sk: id, version: 1, facet: 'pending/JPY', counted_in: stamp } },
      { put: { pk: byCustomer.pk, sk: id, version: 1, facet: 'pending/JPY' } },
    ])
    expect(latest).toBe(born + ENTRY_LATEST_MS)
  })

  test('counts a late entry in its own hour, in a lane of the present hour', () => {
    const { lanes, latest } = writesOf([], [entry(payments)], much_later)
    expect(lanes).toMatchObject([{ was: 0, put: { added: { [hour]: 1, [`${hour}=~`]: 1 } } }])
    expect(lanes[0]!.put.sk).toMatch(new RegExp(`^lane#${hourLetters(much_later)}`))
    expect(latest).toBe(much_later + ENTRY_LATEST_MS)
  })

  test('counts a deleted entry in its own hour, and numbers the delete', () => {
    const { writes, lanes } = writesOf([entry(payments)], [], much_later)
    expect(writes).toEqual([{ delete: { pk: payments.pk, sk: id } }])
    expect(lanes).toMatchObject([{ put: { added: { [hour]: -1 }, gone: { '*': 1 } } }])
  })

  test('returns no writes if nothing has changed', () => {
    expect(writesOf([entry(payments)], [entry(payments)], much_later, first)).toEqual({
      ...{ writes: [], stamps: first, lanes: [], latest: Number.POSITIVE_INFINITY },
    })
  })

  test('puts an entry with another facet at any time, with its first stamp and without a lane', () => {
    const changed = writesOf([entry(payments)], [entry(payments, 'captured/JPY')], much_later, first)
    const put = { pk: payments.pk, sk: id, version: 1, facet: 'captured/JPY' }
    expect(changed).toMatchObject({ writes: [{ put: { ...put, counted_in: 'first.1' } }], lanes: [] })
    const old = writesOf([entry(payments)], [entry(payments, 'captured/JPY')], much_later)
    expect(old.writes).toEqual([{ put }])
  })

  test('moves an entry of an uncounted list at any time, without a lane', () => {
    const other: List = { ...byCustomer, pk: 'list#payment#mer_1#customer#cus_2' }
    expect(writesOf([entry(byCustomer)], [entry(other)], much_later)).toMatchObject({
      writes: [
        { put: { pk: other.pk, sk: id, version: 1, facet: 'pending/JPY' } },
        { delete: { pk: byCustomer.pk, sk: id } },
      ],
      lanes: [],
    })
  })

  test('counts two lists in one lane if both have the same lanes', () => {
    const of_webhook = { ...payments, pk: `${payments.pk}#webhook#whk_1`, lanes: { pk: payments.pk, name: 'whk_1' } }
    const { lanes } = writesOf([], [entry(payments), entry(of_webhook)])
    expect(lanes).toMatchObject([{ put: { added: { [hour]: 1, [`${hour}whk_1`]: 1 } } }])
  })

  describe('of a list whose facets are counted', () => {
    const list: List = { ...payments, facetOf: (facet) => facet.split('/', 2).join('/') }

    test('counts a new entry under its facet', () => {
      const { lanes } = writesOf([], [entry(list, 'pending/JPY/order-1')])
      expect(lanes).toMatchObject([{ put: { added: { [`${hour}=pending/JPY`]: 1 } } }])
    })

    test('moves an entry to another facet in a lane, and keeps the facet before with its stamp', () => {
      const [before, after] = [[entry(list)], [entry(list, 'captured/JPY')]]
      const { writes, stamps, lanes, latest } = writesOf(before, after, born, first)
      const added = { [`${hour}=pending/JPY`]: -1, [`${hour}=captured/JPY`]: 1 }
      expect(lanes.map(({ put }) => put.added)).toEqual([added])
      const moved_in = `${lanes[0]!.put.sk.slice('lane#'.length)}.1`
      expect(stamps).toEqual({ ...first, moved_in })
      const put = { pk: list.pk, sk: id, version: 1, facet: 'captured/JPY', facet_was: 'pending/JPY' }
      expect(writes).toEqual([{ put: { ...put, ...first, moved_in } }])
      expect(latest).toBe(born + ENTRY_LATEST_MS)
      const again = writesOf(after, [entry(list, 'refunded/JPY')], much_later, stamps)
      expect(again.writes).toMatchObject([{ put: { facet_was: 'captured/JPY', was_in: moved_in } }])
      expect(again.lanes[0]!.put.added).toMatchObject({ [`${hour}=~`]: 1 })
    })

    test('writes no lane if the counted part of the facet stays', () => {
      const { writes, stamps, lanes } = writesOf(
        [entry(list, 'pending/JPY/1')],
        [entry(list, 'pending/JPY/2')],
        born,
        first,
      )
      expect([writes.length, stamps, lanes]).toEqual([1, first, []])
    })
  })
})
