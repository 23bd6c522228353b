import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import { leased } from '#shared/domain/delivery.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { DueRange, Platform, Queue, Table, Write } from '#shared/platform/ports.ts'
import { queue_of, sendSoonDue } from '#shared/scheduling/queue-messages.ts'
import { overdueSeconds, sweep } from '#shared/scheduling/sweep.ts'
import { deliveries } from '#shared/store/deliveries.ts'
import { cursorKey, type DueKind, due_kinds, dueShard, shardsOf } from '#shared/store/keys.ts'
import { itemOf } from '#shared/store/kind.ts'
import { START } from '#test/fixtures/api.ts'
import { deliveryRecord } from '#test/fixtures/records.ts'

interface Sent {
  readonly pk: string
  readonly queue: string
  readonly group: string | undefined
  /** Seconds from the start to the moment of sending, and to the moment of arrival. */
  readonly at: number
  readonly arrives: number
}

/** How late an item may arrive that falls due just before the next sweep. */
const LATE_SECONDS = 5

/** A table with its own clock, and queues that only record their messages. */
function rig(around: (table: Table) => Table = (table) => table) {
  const clock = new VirtualClock({ frozen_at: START })
  const inner = new SqliteTable({ file: ':memory:', clock })
  const sent: Sent[] = []
  let broken = false
  const queueOf = (queue: string): Queue => ({
    async send(messages) {
      if (broken) throw new Error('the queue is down')
      const at = (clock.now() - START) / 1000
      for (const { message, delay_seconds = 0, group } of messages)
        sent.push({ pk: message.pk, queue, group, at, arrives: at + delay_seconds })
    },
  })
  const queues = {
    chores: queueOf('chores'),
    deliveries: queueOf('deliveries'),
    captures: queueOf('captures'),
    clocks: queueOf('clocks'),
  }
  const platform = { table: around(inner), clock, queues }
  return {
    platform: platform as unknown as Platform,
    clock,
    inner,
    sent,
    breakQueue: (state: boolean) => {
      broken = state
    },
    /** Puts an item that falls due so many seconds after the start. */
    put: (pk: string, seconds: number, kind: DueKind = 'payment') =>
      inner.write([
        { put: { pk, sk: 'x', version: 1, due_at: timestamp(START + seconds * 1000), due_shard: dueShard(kind, pk) } },
      ]),
    sweepAt: async (seconds: number, kind: DueKind = 'payment') => {
      clock.turnTo(START + seconds * 1000)
      await sweep(platform as unknown as Platform, kind)
    },
    sentOf: (pk: string) => sent.filter((message) => message.pk === pk),
  }
}

/** A rig in which reads of some shards fail, and which records all due reads and all writes. */
function shardRig() {
  const broken = new Set<string>()
  const asked: DueRange[] = []
  const written: Write[][] = []
  const opened = rig((table) => ({
    get: (keys) => table.get(keys),
    query: (range) => table.query(range),
    count: (range) => table.count(range),
    write: (writes, options) => {
      written.push([...writes])
      return table.write(writes, options)
    },
    due: async (range) => {
      asked.push(range)
      if (broken.has(range.shard)) throw new Error('throttled')
      return table.due(range)
    },
  }))
  const cursor = async (kind: DueKind = 'payment') => (await opened.inner.get([cursorKey(kind)]))[0]
  return { ...opened, broken, asked, written, cursor }
}

/** Names of items that fall due in a shard. */
const namesIn = (shard: string, kind: DueKind = 'payment'): string[] =>
  Array.from({ length: 4000 }, (_, n) => `p${n}`).filter((pk) => dueShard(kind, pk) === shard)

describe('sweep', () => {
  test('sends the items that fall due within the minute, to arrive when they are due, each once', async () => {
    const { put, sweepAt, sent } = rig()
    for (const [pk, seconds] of [
      ['past', -5],
      ['now', 0],
      ['soon', 30],
      ['edge', 55],
      ['later', 60],
    ] as const)
      await put(pk, seconds)
    await sweepAt(0)
    expect(sent.map(({ pk, arrives }) => [pk, arrives]).toSorted()).toEqual([
      ['edge', 55],
      ['now', 0],
      ['past', 0],
      ['soon', 30],
    ])
    await sweepAt(60)
    expect(sent.slice(4)).toMatchObject([{ pk: 'later', at: 60, arrives: 60 }])
    await sweepAt(120)
    expect(sent).toHaveLength(5)
  })

  test('sends all overdue items the first time', async () => {
    const { put, sweepAt, sentOf } = rig()
    await put('old', -400 * 86_400)
    await sweepAt(0)
    expect(sentOf('old')).toHaveLength(1)
  })

  test('catches up on missed minutes, and sends each item once', async () => {
    const { put, sweepAt, sent } = rig()
    await sweepAt(0)
    for (let minute = 2; minute < 20; minute++) await put(`m${minute}`, minute * 60)
    await sweepAt(600)
    expect(
      sent
        .filter(({ at }) => at === 600)
        .map(({ pk }) => pk)
        .toSorted(),
    ).toEqual(['m2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', 'm10'].toSorted())
  })

  test('sends an item that stays due again after 5 minutes, 15 minutes, 1 hour, 4 hours, and each day', async () => {
    const { put, sweepAt, sentOf } = rig()
    await sweepAt(0)
    await put('stuck', 3600)
    for (let minute = 1; minute <= 6 * 24 * 60; minute++) if (isNear(minute)) await sweepAt(minute * 60)
    const minutes = sentOf('stuck').map(({ at }) => (at - 3600) / 60)
    expect(minutes.slice(0, 5)).toEqual([0, 5, 15, 60, 240])
    const days = minutes.slice(5)
    expect(days.length).toBeGreaterThanOrEqual(4)
    expect(days[0]).toBeGreaterThanOrEqual(24 * 60)
    expect(days[0]).toBeLessThanOrEqual(48 * 60)
    for (const [index, minute] of days.slice(1).entries()) expect(minute - days[index]!).toBe(24 * 60)
  })

  /** Whether a minute is near a repeat or the turn of a day. At other times a sweep each hour is enough. */
  const isNear = (minute: number) => minute < 330 || minute % 60 === 0 || (minute + 180) % 1440 < 5

  test('continues with the other shards if one fails, and then fails', async () => {
    const { put, sweepAt, sent, broken } = shardRig()
    broken.add(dueShard('payment', 'p0'))
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`)
    for (const pk of names) await put(pk, 10)
    await expect(sweepAt(0)).rejects.toThrow('throttled')
    const whole = names.filter((pk) => !broken.has(dueShard('payment', pk)))
    expect(sent.map(({ pk }) => pk).toSorted()).toEqual(whole.toSorted())
  })

  test('sweeps a failed shard from where it stood the next time, and the others from their cursor', async () => {
    const { put, sweepAt, sent, broken, asked, cursor } = shardRig()
    const [shard, other] = shardsOf('payment') as [string, string]
    const [[late, later], [whole]] = [namesIn(shard), namesIn(other)] as [[string, string], [string]]
    await sweepAt(0)
    await put(late, 100)
    await put(later, 160)
    await put(whole, 100)
    broken.add(shard)
    await expect(sweepAt(60)).rejects.toThrow('throttled')
    await expect(sweepAt(120)).rejects.toThrow('throttled')
    expect(sent).toMatchObject([{ pk: whole, at: 60, arrives: 100 }])
    const stood = START + 55_000
    expect(await cursor()).toMatchObject({ swept_until: START + 175_000, left_behind: { [shard]: stood } })
    broken.clear()
    asked.length = 0
    await sweepAt(180)
    expect(sent.slice(1).map(({ pk, at, arrives }) => [pk, at, arrives])).toEqual([
      [late, 180, 180],
      [later, 180, 180],
    ])
    const newIn = (name: string) => asked.find((range) => range.shard === name)!.after
    expect([newIn(shard), newIn(other)]).toEqual([timestamp(stood), timestamp(START + 175_000)])
    expect(await cursor()).toMatchObject({ swept_until: START + 235_000, left_behind: {} })
    await sweepAt(240)
    expect(sent).toHaveLength(3)
  })

  test('sweeps all of a failed shard the next time, if it was never swept', async () => {
    const { put, sweepAt, sent, broken } = shardRig()
    await put('old', -400 * 86_400)
    broken.add(dueShard('payment', 'old'))
    await expect(sweepAt(0)).rejects.toThrow('throttled')
    broken.clear()
    await sweepAt(60)
    expect(sent.map(({ pk }) => pk)).toEqual(['old'])
  })

  test('reads every shard of its kind, and writes a single row', async () => {
    for (const kind of due_kinds) {
      const { sweepAt, asked, written } = shardRig()
      for (const minute of [0, 1]) await sweepAt(minute * 60, kind)
      expect(new Set(asked.map(({ shard }) => shard))).toEqual(new Set(shardsOf(kind)))
      expect(written.map((writes) => writes.map((write) => 'put' in write && write.put.pk))).toEqual([
        [cursorKey(kind).pk],
        [cursorKey(kind).pk],
      ])
    }
  })

  test('does not send a finished item again', async () => {
    const { put, sweepAt, inner, sent } = rig()
    await put('done', 30)
    await sweepAt(0)
    await inner.write([{ delete: { pk: 'done', sk: 'x' } }])
    for (const seconds of [60, 330, 930, 3700, 15_000, 90_000, 180_000]) await sweepAt(seconds)
    expect(sent).toHaveLength(1)
  })

  test('sends every item on time and none early, whatever the times of sweeps and writes', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 7200 }), { minLength: 1, maxLength: 12 })
    const things = fc.array(
      fc.record({ written: fc.integer({ min: 0, max: 7000 }), ahead: fc.integer({ min: 60, max: 1200 }) }),
      {
        maxLength: 20,
      },
    )
    await fc.assert(
      fc.asyncProperty(times, things, async (sweeps, due) => {
        const { put, sweepAt, sentOf, inner } = rig()
        const steps = [
          ...sweeps.map((at) => ({ at, act: () => sweepAt(at) })),
          ...due.map(({ written, ahead }, index) => ({ at: written, act: () => put(`t${index}`, written + ahead) })),
        ].sort((one, other) => one.at - other.at)
        for (const { act } of steps) await act()
        await sweepAt(9000)
        for (const [index, { written, ahead }] of due.entries()) {
          const due_at = written + ahead
          const [first] = sentOf(`t${index}`)
          const expected = [...sweeps, 9000].toSorted((a, b) => a - b).find((at) => at + 55 >= due_at && at >= written)
          expect(first!.at).toBe(expected)
          expect(first!.arrives).toBe(Math.max(first!.at, due_at))
        }
        inner.close()
      }),
      { numRuns: 25 },
    )
  })

  test('reads all pages of a shard', async () => {
    const { put, sweepAt, sent } = rig((table) => ({
      get: (keys) => table.get(keys),
      query: (range) => table.query(range),
      count: (range) => table.count(range),
      write: (writes, options) => table.write(writes, options),
      due: (range) => table.due({ ...range, limit: 2 }),
    }))
    const pks = namesIn(shardsOf('payment')[7]!)
    for (const pk of pks.slice(0, 11)) await put(pk, 5)
    await sweepAt(0)
    expect(sent.map(({ pk }) => pk).toSorted()).toEqual(pks.slice(0, 11).toSorted())
  })

  test('stops when its time is over, and the next sweeps continue and send each item once', async () => {
    const page = 2
    const { put, sweepAt, sent, clock } = rig((table) => ({
      get: (keys) => table.get(keys),
      query: (range) => table.query(range),
      count: (range) => table.count(range),
      write: (writes, options) => table.write(writes, options),
      async due(range) {
        // Only this shard holds items. Each page of it takes 15 of the 40 seconds of a sweep.
        if (range.shard === shardsOf('payment')[7] && (range.after === '' || range.next))
          clock.turnTo(clock.now() + 15_000)
        return table.due({ ...range, limit: page })
      },
    }))
    const pks = namesIn(shardsOf('payment')[7]!).slice(0, 9)
    for (const pk of pks) await put(pk, 5)
    const counts: number[] = []
    for (const at of [0, 60, 120]) {
      await sweepAt(at)
      counts.push(sent.length)
    }
    expect(counts[0]).toBe(3 * page)
    expect(counts.at(-1)).toBe(pks.length)
    expect(sent.map(({ pk }) => pk).toSorted()).toEqual(pks.toSorted())
  })

  test('sends the items of one kind', async () => {
    const { put, sweepAt, sent } = rig()
    await put('payment', 0, 'payment')
    await put('attempt', 0, 'attempt')
    await sweepAt(0, 'attempt')
    expect(sent.map(({ pk }) => pk)).toEqual(['attempt'])
    expect(Object.keys(queue_of).toSorted()).toEqual([...due_kinds].toSorted())
  })

  test('misses nothing and leaves the cursor right when two sweeps run concurrently', async () => {
    const { platform, put, clock, sweepAt, sentOf, sent } = rig()
    await sweepAt(0)
    await put('thing', 100)
    clock.turnTo(START + 60_000)
    await Promise.all([sweep(platform, 'payment'), sweep(platform, 'payment')])
    expect(sentOf('thing').length).toBeGreaterThanOrEqual(1)
    const before = sent.length
    await sweepAt(120)
    expect(sent).toHaveLength(before)
  })

  test('keeps its cursor if it cannot send, so that the next sweep sends', async () => {
    const { put, sweepAt, sentOf, breakQueue } = rig()
    await sweepAt(0)
    await put('thing', 100)
    breakQueue(true)
    await expect(sweepAt(60)).rejects.toThrow('the queue is down')
    breakQueue(false)
    await sweepAt(120)
    expect(sentOf('thing')).toMatchObject([{ pk: 'thing', at: 120, arrives: 120 }])
  })

  test('moves the cursor of its kind, and never back', async () => {
    const { platform, sweepAt, cursor } = shardRig()
    await sweepAt(60)
    const moved = { version: 1, swept_until: START + 60_000 + 55_000, left_behind: {} }
    expect(await cursor()).toMatchObject(moved)
    expect(await cursor('attempt')).toBeUndefined()
    const slow = { ...platform, clock: { now: () => START, wait: async () => {} } }
    await sweep(slow, 'payment')
    expect(await cursor()).toMatchObject(moved)
  })
})

describe('overdueSeconds', () => {
  test('returns how long the oldest item of a kind is overdue, in any shard', async () => {
    const { put, platform, clock } = rig()
    const seconds = (kind: DueKind = 'payment') => overdueSeconds(platform, kind)
    expect(await seconds()).toBe(0)
    await put('p0', 10)
    await put('p1', -40)
    await put('p2', -90, 'attempt')
    expect(dueShard('payment', 'p0')).not.toBe(dueShard('payment', 'p1'))
    expect([await seconds(), await seconds('attempt'), await seconds('webhook')]).toEqual([40, 90, 0])
    clock.turnTo(START + 30_999)
    expect(await seconds()).toBe(70)
  })

  test('returns zero if nothing is due yet, or if the item is gone', async () => {
    const { put, platform, inner, clock } = rig()
    await put('p0', 10)
    expect(await overdueSeconds(platform, 'payment')).toBe(0)
    clock.turnTo(START + 20_000)
    expect(await overdueSeconds(platform, 'payment')).toBe(10)
    await inner.write([{ delete: { pk: 'p0', sk: 'x' } }])
    expect(await overdueSeconds(platform, 'payment')).toBe(0)
  })
})

test('sweep sends a few messages for an item that stays due, and not one a minute', async () => {
  const { put, sweepAt, sent } = rig()
  await put('stuck', 0)
  for (let minute = 0; minute <= 300; minute++) await sweepAt(minute * 60)
  expect(sent).toHaveLength(5)
})

describe('the queue and group of a message', () => {
  const delivery = `delivery#mer_1#dlv_${'1'.repeat(26)}${'r'.repeat(16)}`
  const expected = [
    ['payment', 'chores', undefined],
    ['attempt', 'chores', undefined],
    ['outbox', 'chores', undefined],
    ['delivery', 'deliveries', `mer_1${'r'.repeat(16)}`],
    ['webhook', 'chores', undefined],
    ['subscription', 'captures', undefined],
    ['occurrence', 'captures', undefined],
    ['settling', 'chores', undefined],
    ['file', 'chores', undefined],
    ['secure_token', 'chores', undefined],
    ['notification', 'chores', undefined],
    ['provider_events', 'chores', undefined],
    ['test_clock', 'clocks', undefined],
  ] as const

  test('depend on the kind and, for deliveries, on the receiver when a sweep sends', async () => {
    const { put, sweepAt, sent } = rig()
    for (const kind of due_kinds) await put(delivery, 10, kind).then(() => sweepAt(0, kind))
    expect(sent.map(({ queue, group }, n) => [due_kinds[n], queue, group])).toEqual(expected)
  })

  test('are the same when a write sends', async () => {
    const { platform, sent } = rig()
    const due_at = timestamp(START + 10_000)
    const items = due_kinds.map((kind) => ({
      pk: delivery,
      sk: kind,
      version: 1,
      due_at,
      due_shard: dueShard(kind, delivery),
    }))
    for (const item of items) await sendSoonDue(platform, [item], START)
    expect(sent.map(({ queue, group }, n) => [due_kinds[n], queue, group])).toEqual(expected)
  })
})

describe('sendSoonDue', () => {
  const item = (pk: string, seconds?: number) => {
    const due = seconds !== undefined && {
      due_at: timestamp(START + seconds * 1000),
      due_shard: dueShard('attempt', pk),
    }
    return { pk, sk: 'x', version: 1, ...due }
  }
  const written = [item('never'), item('past', -10), item('soon', 40), item('edge', 59), item('later', 60)]

  test('sends the items that fall due before the next sweep, to arrive when they are due', async () => {
    const { platform, sent } = rig()
    await sendSoonDue(platform, written, START)
    expect(sent.map(({ pk, arrives }) => [pk, arrives])).toEqual([
      ['past', 0],
      ['soon', 40],
      ['edge', 59],
    ])
  })

  test('calls each queue once, however many items were written', async () => {
    const { platform } = rig()
    const calls: number[] = []
    const chores = { send: async (messages: readonly unknown[]) => void calls.push(messages.length) }
    await sendSoonDue({ ...platform, queues: { ...platform.queues, chores } }, written, START)
    expect(calls).toEqual([3])
  })

  test('leaves the end of a lease to the sweep', async () => {
    const { platform, sent } = rig()
    for (const now of [START, START + 1, START + 999])
      await sendSoonDue(platform, [itemOf(deliveries, 'mer_1', leased(deliveryRecord(), 'token', now), now)], now)
    expect(sent).toEqual([])
  })

  test('does not fail if it cannot send', async () => {
    const { platform, sent, breakQueue } = rig()
    breakQueue(true)
    await sendSoonDue(platform, written, START)
    expect(sent).toEqual([])
  })

  test('misses nothing together with the sweep, at any time after a sweep', async () => {
    for (let after = 0; after <= 60; after += 5) {
      const { platform, put, sweepAt, sent, clock } = rig()
      await sweepAt(0)
      clock.turnTo(START + after * 1000)
      for (const ahead of [1, 30, 59, 60, 61, 119]) {
        await put(`t${ahead}`, after + ahead)
        await sendSoonDue(platform, [item(`t${ahead}`, after + ahead)], clock.now())
      }
      await sweepAt(60)
      await sweepAt(120)
      await sweepAt(180)
      const firsts = [...Map.groupBy(sent, ({ pk }) => pk).values()].map(([first]) => first!)
      const late = firsts.filter(({ pk, arrives }) => arrives > after + Number(pk.slice(1)) + LATE_SECONDS)
      expect([late, new Set(sent.map(({ pk }) => pk)).size], `${after} seconds after a sweep`).toEqual([[], 6])
    }
  })
})
