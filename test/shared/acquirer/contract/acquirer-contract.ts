import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Acquirer, Order } from '#shared/acquirer/acquirer.ts'
import type { Operation, Outcome } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { orderRecord } from '#test/fixtures/records.ts'

/** An acquirer under the contract tests. */
export interface AcquirerUnderTest {
  readonly acquirer: Acquirer
  /** The merchant of the orders. */
  readonly merchant: string
  /** The current time of the acquirer's clock, as a timestamp. */
  now(): string
  /** Card details that the acquirer charges, and card details that it declines. */
  readonly cards: { readonly good: PaymentDetails; readonly declined: PaymentDetails }
  /** Lets every accepted operation take effect. */
  settle(): Promise<void> | void
  close(): Promise<void> | void
}

const LIMIT_MILLISECONDS = 15_000

let payments = 0

/**
 * The contract of an acquirer. `open` returns the acquirer without any orders. The tests treat it as the service does:
 * they pass on the ids that it returns, and inquire about an operation that was only accepted.
 */
export function acquirerContract(name: string, open: () => Promise<AcquirerUnderTest>): void {
  describe(`acquirer contract: ${name}`, () => {
    let subject: AcquirerUnderTest
    let charge: Order
    beforeAll(async () => {
      subject = await open()
    })
    beforeEach(() => {
      const payment = `pay_contract${++payments}`
      const key = `${payment}-1`
      const sent_at = subject.now()
      const { merchant, cards } = subject
      charge = orderRecord({ key, charge: key, payment, merchant, sent_at, details: cards.good })
    })
    afterAll(() => subject.close())

    const send = (order: Order) => subject.acquirer.send(order, LIMIT_MILLISECONDS)
    const inquire = (order: Order, final = false) => subject.acquirer.inquire(order, { final }, LIMIT_MILLISECONDS)

    /** Sends an order and returns its outcome, and the acquirer's id of the operation. */
    async function settled(order: Order): Promise<{ outcome: Outcome; reference: string | null }> {
      const first = await send(order)
      const reference = first.reference ?? null
      if (first.result !== 'accepted') return { outcome: first, reference }
      await subject.settle()
      return { outcome: await inquire({ ...order, details: undefined, reference }), reference }
    }

    /** Returns an operation on the charge whose id is `of`. */
    const onCharge = (operation: Operation, of: string | null, fields: Partial<Order> = {}): Order => ({
      ...charge,
      ...{ operation, of, details: undefined, key: `${charge.payment}-2` },
      ...(operation === 'void' && { because: 'cancelled' as const }),
      ...fields,
    })

    test('accepts a charge of a card without waiting', () => {
      const wanted = { type: 'credit_card', brand: 'visa', currency: 'JPY', amount: 1100, deadline: null } as const
      expect(subject.acquirer.accepts(wanted)).toBeUndefined()
      const unknown = { ...wanted, brand: null, currency: null, amount: null }
      expect(subject.acquirer.accepts(unknown)).toBeUndefined()
    })

    test('repeats a void, and never a charge', () => {
      expect([subject.acquirer.repeats.has('void'), subject.acquirer.repeats.has('charge')]).toEqual([true, false])
    })

    test('captures a charge', async () => {
      expect((await settled(charge)).outcome).toMatchObject({ result: 'captured' })
    })

    test('authorizes a charge without capture, then captures it', async () => {
      const { outcome, reference } = await settled({ ...charge, capture: false })
      expect(outcome).toMatchObject({ result: 'authorized' })
      const captured = await settled(onCharge('capture', reference, { amount: 600, capture: false }))
      expect(captured.outcome).toMatchObject({ result: 'done' })
    })

    test('refunds a charge in parts', async () => {
      const { reference } = await settled(charge)
      for (const number of [2, 3]) {
        const part = onCharge('refund', reference, { key: `${charge.payment}-${number}`, amount: 300 })
        expect((await settled(part)).outcome).toMatchObject({ result: 'done' })
      }
    })

    test('voids an authorization', async () => {
      const { reference } = await settled({ ...charge, capture: false })
      expect((await settled(onCharge('void', reference, { capture: false }))).outcome).toMatchObject({ result: 'done' })
    })

    test('declines a card with a code', async () => {
      const { outcome } = await settled({ ...charge, details: subject.cards.declined })
      expect(outcome).toMatchObject({ result: 'declined', code: expect.any(String) })
    })

    test('answers a repeated order with the outcome of the first', async () => {
      const first = await settled(charge)
      expect(await send({ ...charge, reference: first.reference })).toEqual(first.outcome)
      expect(await send({ ...charge, details: subject.cards.declined })).toEqual(first.outcome)
    })

    test('executes one of two concurrent orders with the same key', async () => {
      const [one, other] = await Promise.all([send(charge), send(charge)])
      expect(other).toEqual(one)
    })

    test('answers an inquiry without executing the order', async () => {
      expect(await inquire(charge)).toMatchObject({ result: 'never_arrived' })
      expect((await settled(charge)).outcome).toMatchObject({ result: 'captured' })
    })

    test('answers an inquiry with the outcome, also without the id of the operation', async () => {
      const { outcome, reference } = await settled(charge)
      for (const known of [reference, null])
        for (const final of [false, true])
          expect(await inquire({ ...charge, details: undefined, reference: known }, final)).toEqual(outcome)
    })

    test('never executes a charge that a final inquiry did not find', async () => {
      expect(await inquire({ ...charge, details: undefined }, true)).toMatchObject({ result: 'never_arrived' })
      const late = await settled(charge).then(
        ({ outcome }) => outcome.result,
        (error: Error) => error.name,
      )
      expect(['never_arrived', 'declined', 'expired', 'OutcomeUnknown']).toContain(late)
      const { result } = await inquire({ ...charge, details: undefined })
      expect(['never_arrived', 'declined', 'expired']).toContain(result)
    })

    test.each(['capture', 'refund', 'void'] as const)('repeats a %s without a second effect', async (operation) => {
      const { reference } = await settled({ ...charge, capture: operation === 'refund' })
      const order = onCharge(operation, reference, { capture: operation === 'refund', amount: 1100 })
      const first = await settled(order)
      expect(await send({ ...order, reference: first.reference })).toMatchObject({ result: first.outcome.result })
    })

    test('needs no verification for the good card, or says where the customer goes', async () => {
      const { merchant, cards } = subject
      const { amount, currency, return_url } = charge
      const verification = { token: 'tok_1', merchant, details: cards.good, amount, currency, return_url }
      const verified = await subject.acquirer.verify(verification, LIMIT_MILLISECONDS)
      expect(verified.needs_verification || verified.redirect_url === null).toBe(true)
    })
  })
}
