import { describe, expect, test } from 'vitest'
import { create_token, pay_with_token } from '#shared/docs/samples/cards.ts'
import { refund_payment } from '#shared/docs/samples/refunds.ts'
import { decline, declined_payment, show_payment } from '#shared/docs/samples/start.ts'
import { expectExcerpt, useShops } from './shop.ts'

const openShop = useShops()

describe('declined_payment', () => {
  test('responds with the code and the failed payment', async () => {
    const shop = await openShop()
    const body = await shop.json(declined_payment)
    expectExcerpt(body, decline)
    const failed = await shop.request(`GET /payments/${body.error.details.payment}`)
    expect(failed.body).toMatchObject({ status: 'failed', failure_code: 'card_declined' })
  })

  test('prints the code in TypeScript', async () => {
    const shop = await openShop()
    expect(await shop.run(declined_payment, 'typescript')).toMatch(/^Declined: card_declined pay_/)
  })
})

describe('the samples of the guide to start', () => {
  test('run one after the other', async () => {
    const shop = await openShop()
    const TOKEN = (await shop.run(create_token, 'shell')).trim()
    const { id: PAYMENT } = await shop.json(pay_with_token, { TOKEN })
    expectExcerpt(await shop.json(declined_payment), decline)
    await shop.json(refund_payment, { PAYMENT })
    expect(await shop.json(show_payment, { PAYMENT })).toMatchObject({ status: 'captured', amount_refunded: 300 })
    expect(await shop.run(show_payment, 'typescript', { PAYMENT })).toBe('captured 300\n')
  })
})
