import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DuplicateOrder, type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { sandbox } from '#shared/acquirer/sandbox/sandbox.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { sandboxKey } from '#shared/store/keys.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { impatient } from '#test/fixtures/clocks.ts'

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

const acquirer = (scenario?: string, platform = service.platform as Parameters<typeof sandbox>[0]) =>
  sandbox(platform, service.test.id, scenario)

const order = (fields: Partial<Order> = {}): Order => ({
  key: `${payment}-1`,
  operation: 'charge',
  charge: `${payment}-1`,
  interval: null,
  payment,
  amount: 1100,
  currency: 'JPY',
  capture: true,
  details: card() as PaymentDetails,
  verified: false,
  redirect_url: 'https://api.example/pages/off_site/mer_1/pay_1',
  instructions_url: 'https://api.example/pages/instructions/mer_1/pay_1',
  ...fields,
})
const voiding = () => order({ key: `${payment}-2`, operation: 'void', details: undefined })
const declined = () => order({ details: card('4123111111111059') as PaymentDetails })

const row = async (key = `${payment}-1`) => (await service.platform.table.get([sandboxKey(service.test.id, key)]))[0]

const captured: Outcome = { result: 'captured' }
const never: Outcome = { result: 'never_arrived' }

describe('the sandbox acquirer', () => {
  test('does an operation once per key: the second answer is the first, whatever it asks for', async () => {
    expect(await acquirer().send(order())).toEqual(captured)
    expect(await acquirer().send(declined())).toEqual(captured)
    expect(await row()).toMatchObject({ version: 1, operation: 'charge', amount: 1100, outcome: captured })
  })

  test('does it once when it is asked twice at once', async () => {
    const outcomes = await Promise.all([acquirer().send(order()), acquirer().send(declined())])
    expect(outcomes[0]).toEqual(outcomes[1])
  })

  test('tells what became of an operation without doing it', async () => {
    expect(await acquirer().inquire(`${payment}-1`)).toEqual(never)
    expect(await row()).toBeUndefined()
    await acquirer().send(order())
    expect(await acquirer().inquire(`${payment}-1`)).toEqual(captured)
    expect(await acquirer().inquire(`${payment}-1`, { final: true })).toEqual(captured)
  })

  test('turns away from then on what a final inquiry did not find', async () => {
    expect(await acquirer().inquire(`${payment}-1`, { final: true })).toEqual(never)
    expect(await acquirer().send(order())).toEqual(never)
    expect(await acquirer().inquire(`${payment}-1`)).toEqual(never)
  })

  test('a void that overtakes its charge wins', async () => {
    expect(await acquirer().send(voiding())).toEqual({ result: 'done' })
    expect(await acquirer().send(order())).toEqual({ result: 'declined', code: 'other_error' })
  })

  test('a void behind its charge leaves the charge as it was', async () => {
    await acquirer().send(order())
    expect(await acquirer().send(voiding())).toEqual({ result: 'done' })
    expect(await acquirer().send(voiding())).toEqual({ result: 'done' })
    expect(await row()).toMatchObject({ amount: 1100, outcome: captured })
  })

  test('a void and its charge at once end as one of the two orders', async () => {
    const [charged, voided] = await Promise.all([acquirer().send(order()), acquirer().send(voiding())])
    expect(voided).toEqual({ result: 'done' })
    expect(await row()).toMatchObject({ outcome: charged })
  })

  test('another merchant knows nothing of it', async () => {
    await acquirer().send(order())
    expect(await sandbox(service.platform, 'mer_other').inquire(`${payment}-1`)).toEqual(never)
  })
})

describe('the scenario', () => {
  test('timeout_before_charge: nothing arrives', async () => {
    await expect(acquirer('timeout_before_charge').send(order())).rejects.toThrow(OutcomeUnknown)
    expect(await row()).toBeUndefined()
  })

  test('timeout_after_charge: it is done, and no answer comes', async () => {
    await expect(acquirer('timeout_after_charge').send(order())).rejects.toThrow(OutcomeUnknown)
    expect(await row()).toMatchObject({ outcome: captured })
  })

  test('duplicate_answer: it is done, and only an inquiry tells how', async () => {
    await expect(acquirer('duplicate_answer').send(order())).rejects.toThrow(DuplicateOrder)
    expect(await acquirer('duplicate_answer').inquire(`${payment}-1`)).toEqual(captured)
  })

  test('slow: it is done three seconds later', async () => {
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

  test.each(['none', '', 'timeout'])('%s is none', async (scenario) => {
    expect(await acquirer(scenario).send(order())).toEqual(captured)
  })
})
