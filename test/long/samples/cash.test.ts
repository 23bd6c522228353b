import { describe, expect, test } from 'vitest'
import { cancel_payment } from '#shared/docs/samples/cards.ts'
import { pay_as_customer, pay_at_konbini, pay_by_bank_transfer, reserved_payment } from '#shared/docs/samples/cash.ts'
import { expectExcerpt, useShops } from './shop.ts'

const openShop = useShops()

describe('pay_at_konbini', () => {
  test('reserves a payment with a page of instructions', async () => {
    const shop = await openShop()
    const payment = await shop.json(pay_at_konbini)
    expectExcerpt(payment, reserved_payment)
    const { instructions_url } = payment.payment_details
    expect(await (await fetch(instructions_url)).text()).toContain('Simulate payment')
    expect(await shop.run(pay_at_konbini, 'typescript')).toBe(`authorized ${instructions_url}\n`)
  })
})

describe('pay_by_bank_transfer', () => {
  test('shows the account to which the customer pays', async () => {
    const shop = await openShop()
    const { status, payment_details } = await shop.json(pay_by_bank_transfer)
    expect(status).toBe('authorized')
    expect(await shop.run(pay_by_bank_transfer, 'typescript')).toContain(payment_details.account_number)
  })
})

describe('pay_as_customer', () => {
  test.each(['shell', 'typescript'] as const)('pays a reserved payment, in %s', async (language) => {
    const shop = await openShop()
    const { id: PAYMENT } = await shop.json(pay_at_konbini)
    expect(await shop.run(pay_as_customer, language, { PAYMENT })).toContain('captured')
    expect((await shop.request(`GET /payments/${PAYMENT}`)).body.status).toBe('captured')
  })
})

describe('cancel_payment', () => {
  test('withdraws a reserved payment', async () => {
    const shop = await openShop()
    const { id: PAYMENT } = await shop.json(pay_at_konbini)
    expect(await shop.json(cancel_payment, { PAYMENT })).toMatchObject({ status: 'cancelled' })
  })
})
