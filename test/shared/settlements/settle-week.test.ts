import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import { feeOf } from '#shared/domain/movement.ts'
import { refunded } from '#shared/domain/operation-outcome.ts'
import { type Payment, payment_events } from '#shared/domain/payment.ts'
import { type Settlement, settleAt, weekStart } from '#shared/domain/settlement.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item, Message } from '#shared/platform/ports.ts'
import { workOn } from '#shared/scheduling/worker-batch.ts'
import { scheduleSettlement, settleWeek } from '#shared/settlements/settle-week.ts'
import { changed, removed } from '#shared/store/change.ts'
import { movementItem } from '#shared/store/movements.ts'
import { payments } from '#shared/store/payments.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { settlements, settlings } from '#shared/store/settlements.ts'
import { fanOut } from '#shared/webhooks/fan-out.ts'
import { CrashPoints, failingAt } from '#test/faults/crash-points.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { paymentRecord } from '#test/fixtures/records.ts'

let service: Api
let points: CrashPoints
let platform: LocalPlatform
beforeEach(async () => {
  service = await openApi()
  points = new CrashPoints()
  platform = points.around(service.platform)
})
afterEach(() => service.close())

const WEEK_MS = 7 * 86_400_000
/** Midnight in Japan at the start of the Monday after the first day of the tests. */
const MONDAY = Date.parse('2030-01-06T15:00:00Z')

const turnTo = (at: number | string) => service.platform.clock.turnTo(typeof at === 'string' ? Date.parse(at) : at)
const items = (kind: string): Item[] =>
  [...service.platform.table.items()].filter(({ pk }) => pk.startsWith(`${kind}#${service.test.id}`))

/** Creates a payment that is captured now. */
async function paid(total: number, currency = 'JPY', fields: Partial<Payment> = {}): Promise<Payment> {
  const work = service.work()
  const id = work.newId('payment')
  const captured_at = timestamp(work.now())
  const record = paymentRecord({
    id,
    version: 0,
    amount: total,
    tax: 0,
    total,
    currency,
    captured_at,
    occurrence: null,
    ...fields,
  })
  await work.commit([changed(payments, record, ['payment.captured'])])
  return record
}

/** Refunds a part of a payment now. */
async function refundPart({ id }: Payment, amount: number): Promise<void> {
  const work = service.work()
  const payment = await work.get(payments, id)
  const refund = {
    id: work.newId('refund'),
    amount,
    currency: payment.currency,
    payment: id,
    description: null,
    chargeback: false,
    created_at: timestamp(work.now()),
  }
  const { next, events } = refunded(payment, refund)
  await work.commit([changed(payments, next, events)])
}

/** Fans out all events that have not been fanned out yet. */
async function fanOutAll(): Promise<void> {
  for (const key of items('event').filter(({ sk }) => sk === 'outbox')) {
    const work = await workOn(service.platform, key)
    await retryOnConflict(work, () => fanOut(work, key, scheduleSettlement))
  }
}

/** The first and the last week to settle, as dates; undefined if there are none. */
function armed(): [first: string, last: string] | undefined {
  const [row] = items('settling')
  return row && [timestamp(row.first as number), timestamp(row.last as number)]
}

const message = (): Message => {
  const [{ pk, sk, due_at }] = items('settling') as [Item]
  return { kind: 'settling', pk, sk, due_at: due_at! }
}

async function deliver(sent: Message): Promise<void> {
  const work = await workOn(platform, sent)
  await retryOnConflict(work, () => settleWeek(work, sent))
}

/** Settles each week that is due by `at`, at its own time. */
async function settleUntil(at: number | string): Promise<void> {
  const end = typeof at === 'string' ? Date.parse(at) : at
  for (let [row] = items('settling'); row && Date.parse(row.due_at!) <= end; [row] = items('settling')) {
    turnTo(row.due_at!)
    await deliver(message())
  }
  turnTo(end)
}

const settled = (): Settlement[] =>
  items('settlement')
    .map((item) => item as unknown as Settlement)
    .sort((one, other) => (one.id + one.currency < other.id + other.currency ? -1 : 1))
const sums = () =>
  settled().map(({ period_start, currency, gross, fees, refunds, net, payments: count }) => [
    period_start.slice(0, 10),
    currency,
    gross,
    fees,
    refunds,
    net,
    count,
  ])
const eventsOf = (id: string) =>
  items('event').filter(({ sk, about }) => sk === 'event' && (about as { id: string }).id === id)

describe('settleWeek', () => {
  test('settles a week ten minutes after its end, with captures less fees and refunds', async () => {
    const one = await paid(10_000)
    turnTo('2030-01-05T00:00:00Z')
    await paid(333)
    await refundPart(one, 4_000)
    await refundPart(one, 1_000)
    await fanOutAll()
    expect(armed()).toEqual(['2029-12-30T15:00:00Z', '2029-12-30T15:00:00Z'])
    expect(message().due_at).toBe('2030-01-06T15:10:00Z')
    await settleUntil(MONDAY + 10 * 60_000)
    expect(settled()).toMatchObject([
      {
        currency: 'JPY',
        period_start: '2029-12-30T15:00:00Z',
        period_end: '2030-01-06T15:00:00Z',
        gross: 10_333,
        fees: 360 + 11,
        refunds: 5_000,
        net: 10_333 - 371 - 5_000,
        payments: 2,
        created_at: '2030-01-06T15:10:00Z',
      },
    ])
    const [{ id }] = settled() as [Settlement]
    expect(eventsOf(id)).toMatchObject([{ type: 'settlement.created' }])
    expect(JSON.parse(eventsOf(id)[0]!.data as string)).toMatchObject({ id, resource: 'settlement', gross: 10_333 })
    expect(await service.work().get(settlements, id)).toMatchObject({ gross: 10_333 })
    expect(armed()).toBeUndefined()
  })

  test('ends the week at midnight in Japan, and counts a later capture in the next week', async () => {
    turnTo(MONDAY - 1_000)
    await paid(100)
    turnTo(MONDAY - 1)
    await paid(20)
    turnTo(MONDAY)
    await paid(3)
    await fanOutAll()
    await settleUntil(MONDAY + 2 * WEEK_MS)
    expect(sums()).toEqual([
      ['2029-12-30', 'JPY', 120, 3, 0, 117, 2],
      ['2030-01-06', 'JPY', 3, 0, 0, 3, 1],
    ])
  })

  test('settles a negative net if refunds exceed captures', async () => {
    const payment = await paid(10_000)
    await fanOutAll()
    await settleUntil(MONDAY + WEEK_MS)
    await refundPart(payment, 6_000)
    await fanOutAll()
    await settleUntil(MONDAY + 3 * WEEK_MS)
    await refundPart(payment, 4_000)
    await paid(500)
    await fanOutAll()
    await settleUntil(MONDAY + 5 * WEEK_MS)
    expect(sums()).toEqual([
      ['2029-12-30', 'JPY', 10_000, 360, 0, 9_640, 1],
      ['2030-01-13', 'JPY', 0, 0, 6_000, -6_000, 0],
      ['2030-01-27', 'JPY', 500, 18, 4_000, -3_518, 1],
    ])
  })

  test('settles a week that has only payments of 0', async () => {
    await paid(0)
    await fanOutAll()
    await settleUntil(MONDAY + WEEK_MS)
    expect(sums()).toEqual([['2029-12-30', 'JPY', 0, 0, 0, 0, 1]])
  })

  test('creates a settlement for each of 20 currencies, with one event each', async () => {
    const currencies = 'JPY USD EUR GBP AUD CAD CHF CNY HKD KRW KWD NZD SGD THB TWD VND ZAR BHD SEK NOK'.split(' ')
    for (const [index, currency] of currencies.entries()) await paid(1_000 * (index + 1), currency)
    await fanOutAll()
    await settleUntil(MONDAY + WEEK_MS)
    expect(settled()).toHaveLength(20)
    for (const [index, currency] of currencies.entries()) {
      const one = settled().find((settlement) => settlement.currency === currency)!
      expect([one.gross, one.payments, one.net]).toEqual([1_000 * (index + 1), 1, one.gross - one.fees])
      expect(eventsOf(one.id)).toHaveLength(1)
    }
    expect(new Set(settled().map(({ id }) => id)).size).toBe(20)
  })

  test('sums up more movements than a page of the table holds', async () => {
    await paid(7)
    await fanOutAll()
    const count = 9_000
    const {
      platform: inner,
      test: { id: merchant },
    } = service
    const rows = Array.from({ length: count }, (_, index) => {
      const of = `pay_${String(index).padStart(26, '0')}`
      const movement = { of, type: 'capture', currency: index % 3 ? 'JPY' : 'USD', amount: index, fee: 1 } as const
      return movementItem(merchant, movement, inner.clock.now() + index)
    })
    for (let at = 0; at < count; at += 100)
      await inner.table.write(rows.slice(at, at + 100).map((put) => ({ put, was: 0 })))
    expect((await inner.table.query({ pk: rows[0]!.pk })).next).toBeDefined()
    await settleUntil(MONDAY + WEEK_MS)
    const total = (of: readonly Item[]) => of.reduce((sum, { amount }) => sum + (amount as number), 0)
    const [usd, jpy] = [
      rows.filter(({ currency }) => currency === 'USD'),
      rows.filter(({ currency }) => currency === 'JPY'),
    ]
    const found = Object.fromEntries(
      settled().map(({ currency, gross, fees, payments: paid }) => [currency, [gross, fees, paid]]),
    )
    expect(found).toEqual({
      USD: [total(usd), usd.length, usd.length],
      JPY: [total(jpy) + 7, jpy.length, jpy.length + 1],
    })
  })

  test('settles one merchant only', async () => {
    await paid(100)
    const other = service.work({ merchant: 'mer_other' })
    await other.commit([
      changed(payments, paymentRecord({ id: 'pay_x', version: 0, captured_at: '2030-01-02T03:00:00Z' })),
    ])
    await fanOutAll()
    await settleUntil(MONDAY + WEEK_MS)
    expect(sums()).toEqual([['2029-12-30', 'JPY', 100, 3, 0, 97, 1]])
  })
})

describe('settleWeek over a year', () => {
  test('settles every payment and refund exactly once', async () => {
    const all: Payment[] = []
    for (let day = 0; day < 364; day += 3) {
      await settleUntil(MONDAY + day * 86_400_000 + day * 997_000)
      const payment = await paid(1_000 + day, day % 2 ? 'JPY' : 'USD')
      all.push(payment)
      if (day % 4 === 0) await refundPart(all[Math.floor(all.length / 2)]!, 10)
      await fanOutAll()
    }
    await settleUntil(MONDAY + 60 * WEEK_MS)
    const of = (currency: string) => {
      const [mine, weeks] = [all, settled()].map((some: readonly { currency: string }[]) =>
        some.filter((one) => one.currency === currency),
      ) as [Payment[], Settlement[]]
      const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
      return {
        settled: [
          sum(weeks.map(({ gross }) => gross)),
          sum(weeks.map(({ fees }) => fees)),
          sum(weeks.map((week) => week.payments)),
        ],
        paid: [sum(mine.map(({ total }) => total)), sum(mine.map(feeOf)), mine.length],
      }
    }
    for (const currency of ['JPY', 'USD']) expect(of(currency).settled).toEqual(of(currency).paid)
    expect(settled().reduce((sum, { refunds }) => sum + refunds, 0)).toBe(
      10 * all.filter((_, index) => index % 4 === 0).length,
    )
    expect(armed()).toBeUndefined()
  })
})

describe('settleWeek of a message', () => {
  beforeEach(async () => {
    await paid(1_000)
    await fanOutAll()
  })

  test('drops a message that comes before its time, or is about another week', async () => {
    await deliver(message())
    await deliver({ ...message(), due_at: settleAt(MONDAY - 2 * WEEK_MS) })
    turnTo(MONDAY + 10 * 60_000)
    await deliver({ ...message(), due_at: settleAt(MONDAY) })
    expect(settled()).toEqual([])
    await deliver(message())
    expect(settled()).toHaveLength(1)
  })

  test('settles once if a message comes again, or to several workers at once', async () => {
    turnTo(MONDAY + 10 * 60_000)
    const sent = message()
    await Promise.all([1, 2, 3].map(() => deliver(sent)))
    await deliver(sent)
    expect(sums()).toEqual([['2029-12-30', 'JPY', 1_000, 36, 0, 964, 1]])
    expect(eventsOf(settled()[0]!.id)).toHaveLength(1)
  })
})

describe('settleWeek after an outage', () => {
  test('settles the missed weeks one after the other', async () => {
    for (let week = 0; week < 4; week++) {
      turnTo(MONDAY + week * WEEK_MS)
      if (week !== 2) await paid(1_000 * (week + 1))
      await fanOutAll()
    }
    turnTo(MONDAY + 20 * WEEK_MS)
    const { due_at } = message()
    expect(due_at).toBe(settleAt(MONDAY - WEEK_MS))
    await settleUntil(MONDAY + 20 * WEEK_MS)
    expect(sums().map(([start, , gross]) => [start, gross])).toEqual([
      ['2030-01-06', 1_000],
      ['2030-01-13', 2_000],
      ['2030-01-27', 4_000],
    ])
    expect(armed()).toBeUndefined()
  })
})

describe('settleWeek after a late fan-out', () => {
  test('settles a late event in its own week, even if other weeks have been settled', async () => {
    await paid(1_000)
    const early = items('event').filter(({ sk }) => sk === 'outbox')
    turnTo(MONDAY + 3 * WEEK_MS)
    await paid(2_000)
    for (const key of items('event').filter(({ sk, pk }) => sk === 'outbox' && pk !== early[0]!.pk)) {
      const work = await workOn(service.platform, key)
      await fanOut(work, key, scheduleSettlement)
    }
    await settleUntil(MONDAY + 5 * WEEK_MS)
    expect(sums().map(([start, , gross]) => [start, gross])).toEqual([['2030-01-27', 2_000]])
    await fanOutAll()
    await settleUntil(MONDAY + 6 * WEEK_MS)
    expect(sums().map(([start, , gross]) => [start, gross])).toEqual([
      ['2029-12-30', 1_000],
      ['2030-01-27', 2_000],
    ])
    for (const { id } of settled()) expect(eventsOf(id)).toHaveLength(1)
  })

  test('adds nothing to a settled week', async () => {
    await paid(1_000)
    await paid(500)
    const [first, second] = items('event').filter(({ sk }) => sk === 'outbox')
    const fanOutOf = async (key: Item) => {
      const work = await workOn(service.platform, key)
      await fanOut(work, key, scheduleSettlement)
    }
    await fanOutOf(first!)
    await settleUntil(MONDAY + WEEK_MS)
    const before = settled()
    expect(before).toMatchObject([{ gross: 1_500, payments: 2 }])
    await fanOutOf(second!)
    await settleUntil(MONDAY + 2 * WEEK_MS)
    expect(settled()).toEqual(before)
    expect(eventsOf(before[0]!.id)).toHaveLength(1)
    expect(armed()).toBeUndefined()
  })
})

describe('armSettlement', () => {
  test('reacts to captures and refunds only', async () => {
    const { id } = await paid(100)
    const [event] = eventsOf(id)
    for (const type of payment_events) {
      const work = service.work()
      await scheduleSettlement(work, { created_at: event!.created_at as string, type })
      const moves = type === 'payment.captured' || type === 'payment.refund.created'
      expect(armed() !== undefined, type).toBe(moves)
      const row = await work.at(settlings, settlings.key(service.test.id, {} as never))
      if (row) await work.commit([removed(settlings, row)])
    }
  })

  test('writes its row once a week, and not for every event', async () => {
    for (let times = 0; times < 5; times++) await paid(100)
    await fanOutAll()
    expect(items('settling')).toMatchObject([{ version: 1 }])
    turnTo(MONDAY + WEEK_MS / 2)
    for (let times = 0; times < 5; times++) await paid(100)
    await fanOutAll()
    expect(items('settling')).toMatchObject([{ version: 2 }])
    expect(armed()).toEqual(['2029-12-30T15:00:00Z', '2030-01-06T15:00:00Z'])
  })

  test('covers every week from the first to the last, in any order of events', async () => {
    const madeIn = (week: number) => timestamp(MONDAY + (week + 0.5) * WEEK_MS)
    for (const week of [3, 1, 2, 5, 0])
      await scheduleSettlement(service.work(), { created_at: madeIn(week), type: 'payment.captured' })
    expect(armed()).toEqual([timestamp(MONDAY), timestamp(MONDAY + 5 * WEEK_MS)])
  })

  test('covers the previous week too in the first minutes of a week, because clocks differ', async () => {
    turnTo(MONDAY + 5 * 60_000)
    await paid(1_000)
    await fanOutAll()
    expect(armed()).toEqual([timestamp(MONDAY - WEEK_MS), timestamp(MONDAY)])
    await settleUntil(MONDAY + 2 * WEEK_MS)
    expect(sums().map(([start]) => start)).toEqual(['2030-01-06'])
  })

  test('covers the weeks of all events if several workers run concurrently', async () => {
    for (let times = 0; times < 4; times++) await paid(100)
    await Promise.all([fanOutAll(), fanOutAll(), fanOutAll()])
    expect(armed()).toEqual([timestamp(weekStart(MONDAY - 1)), timestamp(weekStart(MONDAY - 1))])
  })
})

describe('settleWeek with a worker that is killed', () => {
  const currencies = 'JPY USD EUR GBP AUD CAD CHF CNY HKD KRW KWD NZD SGD THB TWD VND ZAR'.split(' ')

  test.each(['fail_before', 'fail_after', 'conflict'] as const)(
    '(%s) at any of its calls settles everything once',
    async (fate) => {
      let calls = Number.POSITIVE_INFINITY
      for (let at = 0; at <= calls; at++) {
        const monday = weekStart(service.platform.clock.now())
        turnTo(monday + WEEK_MS / 2)
        for (const currency of currencies) await paid(1_000, currency)
        await fanOutAll()
        turnTo(message().due_at)
        const sent = message()
        points.arm(at > 0 ? failingAt(at, fate, { is_killed: at % 2 === 0 }) : undefined)
        await deliver(sent).catch(() => undefined)
        points.disarm()
        if (at === 0) calls = points.calls
        await deliver(sent)
        const made = settled().filter(({ period_start }) => period_start === timestamp(monday))
        expect(
          made.map(({ gross, payments: count }) => [gross, count]),
          `at call ${at} of ${calls}`,
        ).toEqual(currencies.map(() => [1_000, 1]))
        for (const { id } of made) expect(eventsOf(id)).toHaveLength(1)
        expect(armed()).toBeUndefined()
      }
      expect(calls).toBeGreaterThan(4)
    },
  )
})
