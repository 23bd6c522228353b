import { describe, expect, test } from 'vitest'
import {
  complete_refund_request,
  refund_payment,
  refund_rest,
  refunded_in_part,
  request_refund,
  requested_refund,
} from '#shared/docs/samples/refunds.ts'
import { card, konbini } from '#test/fixtures/api.ts'
import { expectExcerpt, type Shop, useShops } from './shop.ts'

const openShop = useShops()

async function paidByCard(shop: Shop): Promise<{ PAYMENT: string }> {
  const order = { amount: 1000, currency: 'JPY', payment_details: card() }
  return { PAYMENT: (await shop.request('POST /payments', { json: order })).body.id }
}

async function paidInCash(shop: Shop): Promise<{ PAYMENT: string }> {
  const order = { amount: 3000, currency: 'JPY', payment_details: konbini }
  const { id } = (await shop.request('POST /payments', { json: order })).body
  await shop.request(`POST /_local/payments/${id}/pay`)
  return { PAYMENT: id }
}

describe('refund_payment and refund_rest', () => {
  test('refund a part and then the rest in the shell', async () => {
    const shop = await openShop()
    const env = await paidByCard(shop)
    expectExcerpt(await shop.json(refund_payment, env), refunded_in_part)
    expect(await shop.json(refund_rest, env)).toMatchObject({ status: 'refunded', amount_refunded: 1000 })
  })

  test('refund a part and then the rest in TypeScript', async () => {
    const shop = await openShop()
    const env = await paidByCard(shop)
    expect(await shop.run(refund_payment, 'typescript', env)).toBe('captured 300\n')
    expect(await shop.run(refund_rest, 'typescript', env)).toBe('refunded 1000\n')
  })

  test('name refund_request for a payment in cash', async () => {
    const shop = await openShop()
    const env = await paidInCash(shop)
    await expect(shop.run(refund_payment, 'typescript', env)).rejects.toThrow('POST /payments/:id/refund_request')
  })
})

describe('request_refund and complete_refund_request', () => {
  test('request a transfer and complete it in the shell', async () => {
    const shop = await openShop()
    const payment = await shop.json(request_refund, await paidInCash(shop))
    expectExcerpt(payment, requested_refund)
    const REFUND_REQUEST = payment.refund_requests[0].id
    expect(await shop.json(complete_refund_request, { REFUND_REQUEST })).toMatchObject({
      status: 'captured',
      amount_refunded: 1000,
      refund_requests: [{ status: 'completed' }],
    })
  })

  test('request a transfer and complete it in TypeScript', async () => {
    const shop = await openShop()
    const printed = await shop.run(request_refund, 'typescript', await paidInCash(shop))
    const [REFUND_REQUEST = '', status] = printed.trim().split(' ')
    expect(status).toBe('pending')
    expect(await shop.run(complete_refund_request, 'typescript', { REFUND_REQUEST })).toBe('1000 completed\n')
  })
})
