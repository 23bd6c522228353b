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

/** Charges as an endpoint does: decides, commits, and starts over after a conflict. */
const charge = (work: UnitOfWork): Promise<Payment> =>
  retryOnConflict(work, async (from) => {
    const { changes, answer, progress } = await createPayment(work, { progress: from }, order())
    await keepingProgress(progress, () => work.commit(changes))
    return answer as Payment
  }).catch((error) => Promise.reject(causeOf(error)))

const isLedger = (key: { pk: string }) => key.pk.startsWith('sandbox#')

/** The table. It calls `report` before every call to the acquirer's ledger. */
function watched(report: (call: 'asked' | 'recorded') => void | Promise<void>): Table {
  const table = service.platform.table
  return {
    query: (range) => table.query(range),
    count: (range) => table.count(range),
    due: (range) => table.due(range),
    async get(keys) {
      if (keys.some(isLedger)) await report('asked')
      return table.get(keys)
    },
    async write(writes, options) {
      if (writes.some((write) => 'put' in write && isLedger(write.put))) await report('recorded')
      return table.write(writes, options)
    },
  }
}

const on = (table: Table) => service.work({ platform: { ...service.platform, table } })
const rows = (prefix: string) => [...service.platform.table.items()].filter(({ pk }) => pk.startsWith(prefix))

describe('runOperation', () => {
  test('commits the payment and the attempt before it calls the acquirer', async () => {
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

  test('applies the outcome to a payment that has changed meanwhile, and sends the order once', async () => {
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

  test('sends the order once, although the commit of its outcome loses several races', async () => {
    let writes = 0
    let asked = 0
    const table = new FaultyTable(
      watched(() => {
        asked++
      }),
      // The first write begins the operation and the second is the acquirer's own. Then three outcomes lose the race.
      ({ operation }) => (operation === 'write' && ++writes > 2 && writes < 6 ? 'conflict' : 'ok'),
    )
    expect((await charge(on(table))).status).toBe('captured')
    expect([writes, asked]).toEqual([6, 1])
  })

  test('sends nothing before its first commit, and repeats that commit after a lost race', async () => {
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

describe('runOperation with an acquirer that does not answer', () => {
  test('leaves the outcome unknown after fifteen seconds, and answers gateway_timeout with the payment', async () => {
    const waits: number[] = []
    const platform = impatient(service.platform, (milliseconds) => milliseconds === 15_000, waits)
    const error = await charge(service.work({ platform, scenario: 'slow' })).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'gateway_timeout', details: { payment: expect.stringMatching(/^pay_/) } })
    expect(waits.toSorted()).toEqual([15_000, 3_000])
    expect(await service.work().get(payments, error.details.payment)).toMatchObject({ status: 'pending' })
  })

  test('leaves the outcome unknown if the connection fails', async () => {
    const cut = watched(() => {
      throw new PlatformUnavailable('cut off')
    })
    await expect(charge(on(cut))).rejects.toMatchObject({ code: 'gateway_timeout' })
  })

  test('cancels the timer of the timeout once the acquirer answers', async () => {
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

describe('runOperation of a resumed charge', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())

  test('fails the payment if the order never arrived and its token is gone', async () => {
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

  test('fails the payment if the order never arrived and the customer has another card, which is not charged', async () => {
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

describe('runOperation with a contradictory acquirer', () => {
  test('leaves the outcome unknown if the acquirer reports a duplicate order and then does not find it', async () => {
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

describe("runOperation of a resumed charge of a customer's card", () => {
  const cardOf = (work: UnitOfWork, customer: string) => work.at(cards, cardKey(service.test.id, customer))

  /** Creates a customer with a card, and a charge of that card that was cut off before it arrived. */
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

  /** Resumes the charge. `ends` runs during the inquiry at the acquirer. */
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

  test('sends the order, and the payment is captured', async () => {
    const { kept } = await resume(await cutOff(), async () => {})
    expect(kept).toMatchObject({ status: 'captured' })
  })

  test('does not send the order if the card is removed during the inquiry', async () => {
    const charge = await cutOff()
    const { kept } = await resume(charge, async () => {
      const other = service.work()
      await other.commit([removed(cards, (await cardOf(other, charge.customer))!)])
    })
    expect(kept).toMatchObject({ status: 'failed', in_flight: [] })
    const sent = rows('sandbox#').filter(({ pk }) => pk.includes(kept.id))
    expect(sent.map(({ outcome }) => (outcome as unknown as Outcome).result)).toEqual(['never_arrived'])
  })

  test('does not send the order if the card is replaced during the inquiry', async () => {
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

  test('does not send the order if the card is removed between its last read and the order', async () => {
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
        // The first read opens the details. The second read opens them again after the inquiry.
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
