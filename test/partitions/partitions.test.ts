import { describe, expect, test } from 'vitest'
import { randomOf } from '#test/faults/random.ts'
import { HASHES } from './key-position.ts'
import type { Operation } from './partition.ts'
import { type Consumption, Partitions } from './partitions.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Makes a call if all partitions serve it. Returns whether they do. */
function call(partitions: Partitions, operation: Operation, wanted: readonly Consumption[], now = 0): boolean {
  const is_served = partitions.serve(operation, wanted, now)
  if (is_served) partitions.consume(operation, wanted, now)
  return is_served
}

const at = (hash: number, units = 1, sk = ''): Consumption => ({ position: { hash, sk }, units })

/** The number of calls in a row that are served. */
function served(partitions: Partitions, operation: Operation, wanted: Consumption, now = 0): number {
  let calls = 0
  while (call(partitions, operation, [wanted], now)) calls++
  return calls
}

function withoutBursts(count: number): Partitions {
  const partitions = new Partitions({ count })
  partitions.spendBursts(0)
  return partitions
}

describe('the limits of a partition', () => {
  test('a new table has four partitions of a quarter of the hashes each', () => {
    const partitions = new Partitions()
    expect(partitions.all.map(({ from }) => from.hash)).toEqual([0, 2 ** 30, 2 ** 31, 3 * 2 ** 30])
    expect(partitions.at({ hash: 2 ** 30 - 1, sk: 'z' })).toBe(partitions.all[0])
    expect(partitions.at({ hash: 2 ** 30, sk: '' })).toBe(partitions.all[1])
    expect(partitions.at({ hash: HASHES - 1, sk: 'z' })).toBe(partitions.all[3])
  })

  test('a partition serves 1,000 write units a second', () => {
    const partitions = withoutBursts(1)
    expect(served(partitions, 'write', at(7))).toBe(1_000)
    expect(served(partitions, 'write', at(7), 10)).toBe(10)
    expect(partitions.all[0]!.throttled.write).toBe(2)
  })

  test('a partition serves 3,000 read units a second beside its writes', () => {
    const partitions = withoutBursts(1)
    expect(served(partitions, 'write', at(7))).toBe(1_000)
    expect(served(partitions, 'read', at(7))).toBe(3_000)
  })

  test('a partition serves twice its limit from 300 s of retained capacity, until that is spent', () => {
    const partitions = new Partitions({ count: 1 })
    let seconds = 0
    while (call(partitions, 'write', [at(7, 2_000)], seconds * SECOND)) seconds++
    // Before second n, 300,000 - 1,000 n units are left: 2,000 before second 298, and 1,000 before second 299.
    expect(seconds).toBe(299)
  })

  test('the partitions of a table have separate limits', () => {
    const partitions = withoutBursts(2)
    expect(served(partitions, 'write', at(0))).toBe(1_000)
    expect(served(partitions, 'write', at(HASHES / 2))).toBe(1_000)
  })

  test('a call that one partition throttles consumes nothing in another', () => {
    const partitions = withoutBursts(2)
    served(partitions, 'write', at(0))
    expect(call(partitions, 'write', [at(0), at(HASHES / 2)])).toBe(false)
    expect(served(partitions, 'write', at(HASHES / 2))).toBe(1_000)
  })

  test('the items of a call in one partition are added up', () => {
    const partitions = withoutBursts(1)
    expect(call(partitions, 'write', [at(1, 501), at(2, 500)])).toBe(false)
    expect(call(partitions, 'write', [at(1, 500), at(2, 500)])).toBe(true)
  })

  test('a minute shows the part of the limits that was consumed', () => {
    const partitions = new Partitions({ count: 1 })
    call(partitions, 'write', [at(1, 6_000)])
    call(partitions, 'read', [at(1, 45_000)])
    call(partitions, 'read', [at(1)], MINUTE)
    // A minute is 60,000 write units and 180,000 read units.
    expect(partitions.all[0]!.minutes).toEqual([{ ends: MINUTE, read: 0.25, write: 0.1 }])
  })
})

describe('splitting for heat', () => {
  /** Makes ten calls a second of 90 units each: 90 % of a partition. Returns the number of partitions each minute. */
  function heated(minutes: number, where: (call: number) => Consumption): [Partitions, number[]] {
    const partitions = new Partitions({ count: 1 })
    const counts: number[] = []
    for (let calls = 0; calls <= minutes * 600; calls++) {
      call(partitions, 'write', [where(calls)], calls * 100)
      if (calls > 0 && calls % 600 === 0) counts.push(partitions.all.length)
    }
    return [partitions, counts]
  }

  const random = randomOf(1)
  const anywhere = (units: number) => at(Math.floor(random() * HASHES), units)

  test('a partition above 80 % for five minutes is split where its traffic is halved', () => {
    const [partitions, counts] = heated(6, () => anywhere(90))
    expect(counts).toEqual([1, 1, 1, 1, 2, 2])
    expect(partitions.all[1]!.from.hash / HASHES).toBeCloseTo(0.5, 1)
    expect(partitions.replaced).toHaveLength(1)
  })

  test('a partition below 80 % is not split', () => {
    const [, counts] = heated(8, () => anywhere(79))
    expect(counts.at(-1)).toBe(1)
  })

  test('one item cannot be split', () => {
    const [, counts] = heated(8, () => at(0, 90))
    expect(counts.at(-1)).toBe(1)
  })

  test('an item collection is split within if its sort keys are spread', () => {
    const [partitions, counts] = heated(5, (calls) => at(0, 90, String(calls % 10)))
    expect(counts.at(-1)).toBe(2)
    expect(partitions.all[1]!.from).toEqual({ hash: 0, sk: '5' })
  })

  test('an item collection with an ever-increasing sort key is not split within', () => {
    const [, counts] = heated(8, (calls) => at(0, 90, String(calls).padStart(6, '0')))
    expect(counts.at(-1)).toBe(1)
  })

  test('a hot item collection is isolated from its neighbours', () => {
    const hot = HASHES / 2
    const [partitions, counts] = heated(16, (calls) =>
      calls % 2 ? anywhere(90) : at(hot, 90, String(calls).padStart(6, '0')),
    )
    expect(counts.at(-1)).toBeGreaterThan(1)
    expect([hot, hot + 1]).toContain(partitions.all[1]!.from.hash)
  })
})
