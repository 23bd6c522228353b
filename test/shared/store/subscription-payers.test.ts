import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Customer } from '#shared/domain/customer.ts'
import type { Card } from '#shared/store/customers.ts'
import { keptCustomer, payerOf, shownSource, withPayer } from '#shared/store/subscription-payers.ts'
import { subscriptionRecord } from '#test/fixtures/records.ts'
import { numbers, Subscribing } from '#test/fixtures/subscription-fixture.ts'

let service: Subscribing
beforeAll(async () => {
  service = await Subscribing.open()
})
afterAll(() => service.close())

const payer = async (customer: string) => payerOf(service.work(), customer)

describe('payerOf', () => {
  test('returns the customer and the card', async () => {
    const customer = await service.customer(numbers.other)
    const found = await payer(customer)
    expect(found.customer).toMatchObject({ id: customer, email: 'taro@example.com' })
    expect(found.card).toMatchObject({ customer, shown: { type: 'credit_card', last_four_digits: '4444' } })
  })

  test('returns no card if there is none, and nothing if the customer is deleted', async () => {
    const customer = await service.customer()
    await service.pays(customer, null)
    expect(await payer(customer)).toMatchObject({ customer: { id: customer }, card: undefined })
    await service.gone(customer)
    expect(await payer(customer)).toEqual({ customer: undefined, card: undefined })
  })

  test('returns nothing for an invalid id, without a call to the table', async () => {
    service.points.arm()
    for (const id of ['', 'unknown', 'cus_#x', 'あ'.repeat(3_000)])
      expect(await payer(id)).toEqual({ customer: undefined, card: undefined })
    expect(service.points.calls).toBe(0)
    service.points.disarm()
  })

  test('returns nothing for a customer of another merchant', async () => {
    const customer = await service.customer()
    const other = service.work({ merchant: 'mer_other' })
    expect(await payerOf(other, customer)).toEqual({ customer: undefined, card: undefined })
  })
})

describe('withPayer', () => {
  test('shows the current customer, with the stored numbers', async () => {
    const customer = await service.customer()
    const kept = subscriptionRecord({ customer: keptCustomer(service.work(), (await payer(customer)).customer!) })
    await service.update(customer, { email: 'new@example.com', currency: 'USD', metadata: { b: 2 } })
    const seen = withPayer(kept, await payer(customer))
    expect(seen).toEqual({
      ...kept,
      customer: { ...kept.customer, email: 'new@example.com', currency: 'USD', metadata: { b: 2 } },
      payment_details: { type: 'credit_card', month: 12, year: 2035, email: 'new@example.com' },
    })
    expect(seen.customer).not.toHaveProperty('source')
    expect(seen.customer).not.toHaveProperty('id')
  })

  test('removes the e-mail address and the payment details of a deleted customer', () => {
    const kept = subscriptionRecord()
    expect(withPayer(kept, { customer: undefined, card: undefined })).toEqual({
      ...kept,
      customer: { ...kept.customer, email: null },
      payment_details: null,
    })
  })

  test('shows no payment details once they are erased', async () => {
    const customer = await service.customer()
    await service.pays(customer, null)
    const seen = withPayer(subscriptionRecord(), await payer(customer))
    expect([seen.customer.email, seen.payment_details]).toEqual(['taro@example.com', null])
  })

  test('keeps the previous metadata if the current metadata is too large', async () => {
    const large = (letter: string) => ({ a: letter.repeat(200_000) })
    const customer = await service.customer()
    await service.update(customer, { email: 'new@example.com', metadata: large('x') })
    const kept = subscriptionRecord({ metadata: large('y') })
    const seen = withPayer(kept, await payer(customer))
    expect(seen.customer.metadata).toEqual({})
    expect(seen.customer.email).toBe('new@example.com')
    expect(withPayer(subscriptionRecord(), await payer(customer)).customer.metadata).toEqual(large('x'))
  })
})

test('keptCustomer derives the numbers of customer and merchant from their ids', async () => {
  const { customer } = await payer(await service.customer())
  const [one, again] = [1, 2].map(() => keptCustomer(service.work(), customer!))
  expect(again).toEqual(one)
  for (const number of [one!.number, one!.merchant_number]) expect(Number.isSafeInteger(number)).toBe(true)
  const other = keptCustomer(service.work({ merchant: 'mer_other' }), customer!)
  expect([other.number === one!.number, other.merchant_number === one!.merchant_number]).toEqual([true, false])
})

describe('shownSource', () => {
  const source = { type: 'credit_card', brand: 'visa', last_four_digits: '1111', month: 1, year: 2031 } as const
  const customer = { email: 'taro@example.com', source } as Customer
  const card = (email: string | null) => ({ shown: { type: 'credit_card', email } }) as unknown as Card

  test('returns type, month, year and e-mail address, and nothing of the card number', () => {
    expect(shownSource(customer, card('card@example.com'))).toEqual({
      type: 'credit_card',
      month: 1,
      year: 2031,
      email: 'card@example.com',
    })
    expect(shownSource(customer, card(null))?.email).toBe('taro@example.com')
    expect(shownSource({ ...customer, email: null }, undefined)?.email).toBeNull()
  })

  test('is null without a source', () => {
    expect(shownSource({ ...customer, source: null }, undefined)).toBeNull()
  })
})
