import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePayment } from '#shared/charging/make-payment.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { PlatformUnavailable, type Table } from '#shared/platform/ports.ts'
import { parse } from '#shared/resources/parse.ts'
import { CreatePayment } from '#shared/resources/payment.ts'
import { changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { startingOver } from '#shared/store/start-over.ts'
import type { Work } from '#shared/store/work.ts'
import { type Api, card, openApi } from '#test/support/api.ts'
import { FaultyTable } from '#test/support/faulty-table.ts'
import { eventTypesOf, ledgerOf, refusalIn } from '#test/support/witness.ts'
import { impatient, openWorking, type Working } from '#test/support/working.ts'

let working: Working
beforeAll(async () => {
  working = await openWorking()
})
afterAll(() => working.close())

const order = () => parse(CreatePayment, { amount: 100, currency: 'JPY', payment_details: card() })

/** As an endpoint does it: decides, commits, and starts over when it has lost a race. */
const charge = (work: Work): Promise<Payment> =>
  startingOver(work, async () => {
    const { changes, answer } = await makePayment(work, order())
    await work.commit(changes)
    return answer as Payment
  })

const isLedger = (key: { pk: string }) => key.pk.startsWith('sandbox#')

/** The table, with what is told of every call to the acquirer's ledger before it happens. */
function watched(told: (call: 'asked' | 'recorded') => void | Promise<void>): Table {
  const table = working.platform.table
  return {
    query: (range) => table.query(range),
    count: (range) => table.count(range),
    due: (range) => table.due(range),
    async get(keys) {
      if (keys.some(isLedger)) await told('asked')
      return table.get(keys)
    },
    async write(writes, options) {
      if (writes.some((write) => 'put' in write && isLedger(write.put))) await told('recorded')
      return table.write(writes, options)
    },
  }
}

const on = (table: Table) => working.work({ platform: { ...working.platform, table } })
const rows = (prefix: string) => [...working.platform.table.items()].filter(({ pk }) => pk.startsWith(prefix))

describe('an operation', () => {
  test('is committed with its payment before the acquirer hears of it', async () => {
    const seen: object[] = []
    const { id } = await charge(
      on(
        watched((call) => {
          const found = rows(`payment#${working.merchant}`).filter(({ in_flight }) => (in_flight as unknown[])?.length)
          seen.push({
            call,
            in_flight: found.map((payment) => payment.id),
            attempts: rows('payment#').filter(isOpen).length,
          })
        }),
      ),
    )
    expect(seen).toEqual([{ call: 'recorded', in_flight: [id], attempts: 1 }])
    expect(rows('payment#').filter(isOpen)).toEqual([])
  })

  const isOpen = ({ sk, outcome }: { sk: string; outcome?: unknown }) => sk.startsWith('attempt#') && outcome === null

  test('whose payment is changed by another one meanwhile is settled on that, and asked for once', async () => {
    const calls: string[] = []
    const { id } = await charge(
      on(
        watched(async (call) => {
          calls.push(call)
          const other = working.work()
          const [found] = rows(`payment#${working.merchant}`).filter(
            ({ in_flight }) => (in_flight as unknown[])?.length,
          )
          const payment = await other.get(payments, found!.id as string)
          await other.commit([changed(payments, { ...payment, description: 'changed meanwhile' }, ['payment.updated'])])
        }),
      ),
    )
    expect(calls).toEqual(['recorded'])
    const payment = await working.work().get(payments, id)
    expect(payment).toMatchObject({ status: 'captured', description: 'changed meanwhile', version: 3 })
  })

  test('that loses the race of its outcome again and again is asked for once', async () => {
    let writes = 0
    let asked = 0
    const table = new FaultyTable(
      watched(() => {
        asked++
      }),
      // The first write begins, the second is the acquirer's own; then three outcomes lose.
      ({ operation }) => (operation === 'write' && ++writes > 2 && writes < 6 ? 'conflict' : 'ok'),
    )
    expect((await charge(on(table))).status).toBe('captured')
    expect([writes, asked]).toEqual([6, 1])
  })

  test('that loses the race of its beginning has not asked, and begins again', async () => {
    let asked = 0
    let writes = 0
    const table = new FaultyTable(
      watched(() => {
        asked++
      }),
      ({ operation }) => (operation === 'write' && ++writes < 3 ? 'conflict' : 'ok'),
    )
    expect((await charge(on(table))).status).toBe('captured')
    expect(asked).toBe(1)
  })
})

describe('an acquirer that does not answer', () => {
  test('within fifteen seconds leaves the outcome unknown: gateway_timeout with the payment', async () => {
    const waits: number[] = []
    const platform = impatient(working.platform, (milliseconds) => milliseconds === 15_000, waits)
    const error = await charge(working.work({ platform, scenario: 'slow' })).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'gateway_timeout', details: { payment: expect.stringMatching(/^pay_/) } })
    expect(waits.toSorted()).toEqual([15_000, 3_000])
    expect(await working.work().get(payments, error.details.payment)).toMatchObject({ status: 'pending' })
  })

  test('since it is cut off leaves it unknown, too', async () => {
    const cut = watched(() => {
      throw new PlatformUnavailable('cut off')
    })
    await expect(charge(on(cut))).rejects.toMatchObject({ code: 'gateway_timeout' })
  })

  test('in time leaves no wait behind', async () => {
    const signals: AbortSignal[] = []
    const clock = {
      now: () => working.platform.clock.now(),
      wait: (_: number, signal?: AbortSignal) => {
        if (signal) signals.push(signal)
        return new Promise<void>(() => {})
      },
    }
    await charge(working.work({ platform: { ...working.platform, clock } }))
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('an operation that is resumed', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())

  test('is given up when it never arrived and its token is gone: nothing is charged that cannot be', async () => {
    const { body: token } = await api.request('POST /tokens', { json: { payment_details: card() } })
    const pay = (headers: Record<string, string> = {}) =>
      api.request('POST /payments', {
        json: { amount: 100, currency: 'JPY', payment_details: token.id },
        headers: { 'idempotency-key': 'order-1', ...headers },
      })
    const { payment } = (await pay({ 'x-service-scenario': 'timeout_before_charge' })).body.error.details
    const { clock, table } = api.platform
    clock.turnTo(clock.now() + 2 * 3_600_000)
    expect(table.purgeExpired(clock.now() / 1000)).toBe(1)
    const resumed = await pay()
    expect(refusalIn(resumed)).toMatchObject({ status: 402, code: 'other_error' })
    expect(resumed.body.error.details).toEqual({ payment })
    expect(ledgerOf(api, payment).filter(({ result }) => result !== 'never_arrived')).toEqual([])
    expect(await eventTypesOf(api, payment)).toEqual(['payment.failed'])
  })

  test('is given up when it never arrived and the customer has another card by now: that one is not charged', async () => {
    const { body: customer } = await api.request('POST /customers', { json: { payment_details: card() } })
    const pay = (headers: Record<string, string> = {}) =>
      api.request('POST /payments', {
        json: { amount: 100, currency: 'JPY', customer: customer.id },
        headers: { 'idempotency-key': 'order-2', ...headers },
      })
    const { payment } = (await pay({ 'x-service-scenario': 'timeout_before_charge' })).body.error.details
    const json = { payment_details: card('5555555555554444') }
    await api.request(`PATCH /customers/${customer.id}`, { json })
    expect(refusalIn(await pay())).toMatchObject({ status: 402, code: 'other_error' })
    expect(ledgerOf(api, payment)).toMatchObject([{ result: 'never_arrived' }])
    expect((await api.request(`GET /payments/${payment}`)).body.status).toBe('failed')
  })
})

describe('an acquirer that says it has the order, and then does not find it', () => {
  test('is not believed: the outcome is unknown, not a failure', async () => {
    const { table } = working.platform
    const blind: Table = {
      query: (range) => table.query(range),
      count: (range) => table.count(range),
      due: (range) => table.due(range),
      write: (writes, options) => table.write(writes, options),
      get: async (keys) => (keys.some(isLedger) ? keys.map(() => undefined) : table.get(keys)),
    }
    const work = working.work({ platform: { ...working.platform, table: blind }, scenario: 'duplicate_answer' })
    await expect(charge(work)).rejects.toMatchObject({ code: 'gateway_timeout' })
    expect((await work.get(payments, work.begun!.payment)).status).toBe('pending')
  })
})
