import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeDetails } from '#shared/customers/store-payment-details.ts'
import { causeOf, FRESH, keepingProgress, type StartedProgress } from '#shared/domain/operation-progress.ts'
import type { Outcome, Payment } from '#shared/domain/payment.ts'
import { createPayment } from '#shared/payments/create-payment.ts'
import { PlatformUnavailable, type Table } from '#shared/platform/ports.ts'
import { parse } from '#shared/resources/parse.ts'
import { CreatePayment } from '#shared/resources/payment.ts'
import { changed, removed } from '#shared/store/change.ts'
import { cards, customers } from '#shared/store/customers.ts'
import { cardKey } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { FaultyTable } from '#test/faults/faulty-table.ts'
import { eventTypesOf, ledgerOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { impatient } from '#test/fixtures/clocks.ts'
import { cardDetails } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

const order = () => parse(CreatePayment, { amount: 100, currency: 'JPY', payment_details: card() })

/** As an endpoint does it: decides, commits, and starts over when it has lost a race. */
const charge = (work: UnitOfWork): Promise<Payment> =>
  retryOnConflict(work, async (from) => {
    const { changes, answer, progress } = await createPayment(work, { progress: from }, order())
    await keepingProgress(progress, () => work.commit(changes))
    return answer as Payment
  }).catch((error) => Promise.reject(causeOf(error)))

const isLedger = (key: { pk: string }) => key.pk.startsWith('sandbox#')

/** The table, with what is told of every call to the acquirer's ledger before it happens. */
function watched(told: (call: 'asked' | 'recorded') => void | Promise<void>): Table {
  const table = service.platform.table
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

const on = (table: Table) => service.work({ platform: { ...service.platform, table } })
const rows = (prefix: string) => [...service.platform.table.items()].filter(({ pk }) => pk.startsWith(prefix))

describe('an operation', () => {
  test('is committed with its payment before the acquirer hears of it', async () => {
    const seen: object[] = []
    const { id } = await charge(
      on(
        watched((call) => {
          const found = rows(`payment#${service.test.id}`).filter(({ in_flight }) => (in_flight as unknown[])?.length)
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
          const other = service.work()
          const [found] = rows(`payment#${service.test.id}`).filter(({ in_flight }) => (in_flight as unknown[])?.length)
          const payment = await other.get(payments, found!.id as string)
          await other.commit([changed(payments, { ...payment, description: 'changed meanwhile' }, ['payment.updated'])])
        }),
      ),
    )
    expect(calls).toEqual(['recorded'])
    const payment = await service.work().get(payments, id)
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
    const platform = impatient(service.platform, (milliseconds) => milliseconds === 15_000, waits)
    const error = await charge(service.work({ platform, scenario: 'slow' })).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'gateway_timeout', details: { payment: expect.stringMatching(/^pay_/) } })
    expect(waits.toSorted()).toEqual([15_000, 3_000])
    expect(await service.work().get(payments, error.details.payment)).toMatchObject({ status: 'pending' })
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
      now: () => service.platform.clock.now(),
      wait: (_: number, signal?: AbortSignal) => {
        if (signal) signals.push(signal)
        return new Promise<void>(() => {})
      },
    }
    await charge(service.work({ platform: { ...service.platform, clock } }))
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
    const { table } = service.platform
    const blind: Table = {
      query: (range) => table.query(range),
      count: (range) => table.count(range),
      due: (range) => table.due(range),
      write: (writes, options) => table.write(writes, options),
      get: async (keys) => (keys.some(isLedger) ? keys.map(() => undefined) : table.get(keys)),
    }
    const work = service.work({ platform: { ...service.platform, table: blind }, scenario: 'duplicate_answer' })
    const refusal = await charge(work).catch((error) => error)
    expect(refusal).toMatchObject({ code: 'gateway_timeout' })
    expect((await work.get(payments, refusal.details.payment)).status).toBe('pending')
  })
})

describe("a charge of a customer's card that never arrived", () => {
  const cardOf = (work: UnitOfWork, customer: string) => work.at(cards, cardKey(service.test.id, customer))

  /** A customer with a card, and a charge of it that was cut off before it arrived. */
  async function cutOff(): Promise<{ customer: string; begun: StartedProgress }> {
    const work = service.work()
    const customer = work.newId('customer')
    const { source, changes } = await storeDetails(work, customer, cardDetails())
    const at = '2030-01-02T03:00:00Z'
    const record = { id: customer, version: 0, email: null, currency: null, source, metadata: {} }
    await work.commit([changed(customers, { ...record, created_at: at, updated_at: at }), ...changes])
    const first = service.work({ scenario: 'timeout_before_charge' })
    const interrupted = await createPayment(first, { progress: FRESH }, orderOf(customer)).catch((error) => error)
    return { customer, begun: interrupted.progress }
  }

  const orderOf = (customer: string) => parse(CreatePayment, { amount: 100, currency: 'JPY', customer })

  /** Resumes the charge; `ends` runs while the acquirer is asked for its outcome. */
  async function resume({ customer, begun }: Awaited<ReturnType<typeof cutOff>>, ends: () => Promise<unknown>) {
    let asked = 0
    const table = watched(async (call) => {
      if (call === 'asked' && ++asked === 1) await ends()
    })
    const work = on(table)
    const payment = await retryOnConflict(work, async (from) => {
      const operation = { progress: from.state === 'fresh' ? begun : from }
      const { changes, answer, progress } = await createPayment(work, operation, orderOf(customer))
      await keepingProgress(progress, () => work.commit(changes))
      return answer
    })
    return { payment, kept: await service.work().get(payments, begun.payment) }
  }

  test('is sent when it is resumed, and captured', async () => {
    const { kept } = await resume(await cutOff(), async () => {})
    expect(kept).toMatchObject({ status: 'captured' })
  })

  test('is not sent when the card is removed while the acquirer is asked', async () => {
    const charge = await cutOff()
    const { kept } = await resume(charge, async () => {
      const other = service.work()
      await other.commit([removed(cards, (await cardOf(other, charge.customer))!)])
    })
    expect(kept).toMatchObject({ status: 'failed', in_flight: [] })
    const sent = rows('sandbox#').filter(({ pk }) => pk.includes(kept.id))
    expect(sent.map(({ outcome }) => (outcome as unknown as Outcome).result)).toEqual(['never_arrived'])
  })

  test('is not sent when the card is replaced while the acquirer is asked', async () => {
    const charge = await cutOff()
    const before = await cardOf(service.work(), charge.customer)
    const { kept } = await resume(charge, async () => {
      const other = service.work()
      const { changes } = await storeDetails(other, charge.customer, cardDetails('5555555555554444'))
      await other.commit(changes)
    })
    expect(before).toBeDefined()
    expect(kept.status).toBe('failed')
  })

  test('is not sent when the card is removed between its last reading and the order', async () => {
    const charge = await cutOff()
    let reads = 0
    const table = service.platform.table
    const racing: Table = {
      query: (range) => table.query(range),
      count: (range) => table.count(range),
      due: (range) => table.due(range),
      write: (writes, options) => table.write(writes, options),
      async get(keys) {
        const items = await table.get(keys)
        // The first reading opens the details, the second one opens them again after the inquiry.
        if (keys.some(({ pk }) => pk.startsWith('card#')) && ++reads === 2) {
          const other = service.work()
          await other.commit([removed(cards, (await cardOf(other, charge.customer))!)])
        }
        return items
      },
    }
    const work = on(racing)
    await retryOnConflict(work, async (from) => {
      const operation = { progress: from.state === 'fresh' ? charge.begun : from }
      const { changes, progress } = await createPayment(work, operation, orderOf(charge.customer))
      await keepingProgress(progress, () => work.commit(changes))
    })
    expect((await service.work().get(payments, charge.begun.payment)).status).toBe('failed')
  })
})
