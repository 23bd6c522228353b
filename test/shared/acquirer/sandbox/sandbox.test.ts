import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DuplicateOrder, type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { sandbox } from '#shared/acquirer/sandbox/sandbox.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import type { Scenario } from '#shared/domain/scenario.ts'
import { sandboxKey } from '#shared/store/keys.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { impatient } from '#test/fixtures/clocks.ts'
import { orderRecord } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

let payments = 0
let payment: string
beforeEach(() => {
  payment = `pay_${++payments}`
})

const LIMIT_MILLISECONDS = 15_000

const acquirer = (
  scenario?: Scenario,
  platform = service.platform as Parameters<typeof sandbox>[0],
  merchant = service.test.id,
) => {
  const adapter = sandbox(platform, merchant, scenario)
  return {
    send: (sent: Order) => adapter.send(sent, LIMIT_MILLISECONDS),
    inquire: (key: string, options: { readonly final?: boolean } = {}) =>
      adapter.inquire(order({ key }), options, LIMIT_MILLISECONDS),
  }
}

const order = (fields: Partial<Order> = {}): Order =>
  orderRecord({
    key: `${payment}-1`,
    charge: `${payment}-1`,
    payment,
    details: card() as PaymentDetails,
    ...fields,
  })
const voiding = () => order({ key: `${payment}-2`, operation: 'void', details: undefined })
const declined = () => order({ details: card('4123111111111059') as PaymentDetails })

const row = async (key = `${payment}-1`) => (await service.platform.table.get([sandboxKey(service.test.id, key)]))[0]

const captured: Outcome = { result: 'captured' }
const never: Outcome = { result: 'never_arrived' }

describe('sandbox', () => {
  test('executes one operation per key, and answers a second order under that key with the first outcome', async () => {
    expect(await acquirer().send(order())).toEqual(captured)
    expect(await acquirer().send(declined())).toEqual(captured)
    expect(await row()).toMatchObject({ version: 1, operation: 'charge', amount: 1100, outcome: captured })
  })

  test('executes one of two concurrent orders with the same key', async () => {
    const outcomes = await Promise.all([acquirer().send(order()), acquirer().send(declined())])
    expect(outcomes[0]).toEqual(outcomes[1])
  })

  test('answers an inquiry without executing the operation', async () => {
    expect(await acquirer().inquire(`${payment}-1`)).toEqual(never)
    expect(await row()).toBeUndefined()
    await acquirer().send(order())
    expect(await acquirer().inquire(`${payment}-1`)).toEqual(captured)
    expect(await acquirer().inquire(`${payment}-1`, { final: true })).toEqual(captured)
  })

  test('rejects an order that a final inquiry did not find', async () => {
    expect(await acquirer().inquire(`${payment}-1`, { final: true })).toEqual(never)
    expect(await acquirer().send(order())).toEqual(never)
    expect(await acquirer().inquire(`${payment}-1`)).toEqual(never)
  })

  test('declines a charge that arrives after its void', async () => {
    expect(await acquirer().send(voiding())).toEqual({ result: 'done' })
    expect(await acquirer().send(order())).toEqual({ result: 'declined', code: 'other_error' })
  })

  test('accepts a void after its charge, and keeps the stored charge unchanged', async () => {
    await acquirer().send(order())
    expect(await acquirer().send(voiding())).toEqual({ result: 'done' })
    expect(await acquirer().send(voiding())).toEqual({ result: 'done' })
    expect(await row()).toMatchObject({ amount: 1100, outcome: captured })
  })

  test('handles a concurrent charge and void as if one came first', async () => {
    const [charged, voided] = await Promise.all([acquirer().send(order()), acquirer().send(voiding())])
    expect(voided).toEqual({ result: 'done' })
    expect(await row()).toMatchObject({ outcome: charged })
  })

  test('does not find an operation of another merchant', async () => {
    await acquirer().send(order())
    expect(await acquirer(undefined, service.platform, 'mer_other').inquire(`${payment}-1`)).toEqual(never)
  })
})

describe('sandbox scenario', () => {
  test('timeout_before_charge executes nothing and leaves the outcome unknown', async () => {
    await expect(acquirer('timeout_before_charge').send(order())).rejects.toThrow(OutcomeUnknown)
    expect(await row()).toBeUndefined()
  })

  test('timeout_after_charge executes the order and leaves the outcome unknown', async () => {
    await expect(acquirer('timeout_after_charge').send(order())).rejects.toThrow(OutcomeUnknown)
    expect(await row()).toMatchObject({ outcome: captured })
  })

  test('duplicate_answer executes the order and answers that it is a duplicate; an inquiry returns the outcome', async () => {
    await expect(acquirer('duplicate_answer').send(order())).rejects.toThrow(DuplicateOrder)
    expect(await acquirer('duplicate_answer').inquire(`${payment}-1`)).toEqual(captured)
  })

  test('slow executes the order after three seconds', async () => {
    const waits: number[] = []
    expect(
      await acquirer(
        'slow',
        impatient(service.platform, () => true, waits),
      ).send(order()),
    ).toEqual(captured)
    expect(waits).toEqual([3000])
    void acquirer(
      'slow',
      impatient(service.platform, () => false),
    ).send({ ...order(), key: `${payment}-never` })
    expect(await row(`${payment}-never`)).toBeUndefined()
  })
})
