import { describe, expect, test } from 'vitest'
import {
  authorize_card,
  cancel_payment,
  capture_payment,
  captured_payment,
  create_secure_token,
  create_token,
  pay_with_3d_secure,
  pay_with_secure_token,
  pay_with_token,
  pending_payment,
} from '#shared/docs/samples/cards.ts'
import { expectExcerpt, type Shop, useShops } from './shop.ts'

const openShop = useShops()
const CARD_WITH_3D_SECURE = '4100000000000100'

describe('create_token', () => {
  test.each(['shell', 'typescript'] as const)('prints a token that pays, in %s', async (language) => {
    const shop = await openShop()
    const TOKEN = (await shop.run(create_token, language)).trim()
    expectExcerpt(await shop.json(pay_with_token, { TOKEN }), captured_payment)
  })
})

describe('pay_with_token', () => {
  test('responds with the payment, and with the same payment when it is repeated', async () => {
    const shop = await openShop()
    const TOKEN = await shop.token()
    const first = await shop.run(pay_with_token, 'shell', { TOKEN })
    expectExcerpt(JSON.parse(first), captured_payment)
    expect(await shop.run(pay_with_token, 'shell', { TOKEN })).toBe(first)
    expect(await shop.run(pay_with_token, 'typescript', { TOKEN })).toBe(`${JSON.parse(first).id} captured\n`)
  })

  test('stops with the code of a decline in TypeScript', async () => {
    const shop = await openShop()
    const TOKEN = await shop.token('4123111111111000')
    await expect(shop.run(pay_with_token, 'typescript', { TOKEN })).rejects.toThrow('insufficient_funds')
  })
})

describe('pay_with_3d_secure', () => {
  test('leads the customer to 3-D Secure', async () => {
    const shop = await openShop()
    const TOKEN = await shop.token(CARD_WITH_3D_SECURE)
    const payment = await shop.json(pay_with_3d_secure, { TOKEN })
    expectExcerpt(payment, pending_payment)
    const { redirect_url } = payment.payment_details
    expect(await shop.run(pay_with_3d_secure, 'typescript', { TOKEN })).toBe(
      `Redirect the customer to ${redirect_url}\n`,
    )
    await shop.decide(redirect_url, 'authenticate')
    expect((await shop.request(`GET /payments/${payment.id}`)).body).toMatchObject({ status: 'captured' })
    const page = await (await fetch(redirect_url)).text()
    expect(page).toContain('content="0;url=https://shop.example/orders/1002"')
  })

  test.each([
    ['4111111111111111', 'Done: captured\n'],
    ['4123111111111059', 'Ask the customer for another card: card_declined\n'],
  ])('prints the outcome of %s', async (number, printed) => {
    const shop = await openShop()
    expect(await shop.run(pay_with_3d_secure, 'typescript', { TOKEN: await shop.token(number) })).toBe(printed)
  })
})

describe('create_secure_token and pay_with_secure_token', () => {
  const idAndUrl: Readonly<Record<'shell' | 'typescript', (shop: Shop, TOKEN: string) => Promise<string>>> = {
    shell: async (shop, TOKEN) => (await shop.json(create_secure_token, { TOKEN })).authentication_url,
    typescript: async (shop, TOKEN) =>
      (await shop.run(create_secure_token, 'typescript', { TOKEN })).replace('Redirect the customer to ', '').trim(),
  }

  test.each(['shell', 'typescript'] as const)('pay after 3-D Secure, in %s', async (language) => {
    const shop = await openShop()
    const url = await idAndUrl[language](shop, await shop.token(CARD_WITH_3D_SECURE))
    const SECURE_TOKEN = url.split('/').at(-1)!
    await shop.decide(url, 'authenticate')
    expect(await (await fetch(url)).text()).toContain(
      `content="0;url=https://shop.example/orders/1003?secure_token=${SECURE_TOKEN}"`,
    )
    expect(await shop.run(pay_with_secure_token, language, { SECURE_TOKEN })).toContain('captured')
  })

  test('stop when 3-D Secure failed', async () => {
    const shop = await openShop()
    const url = await idAndUrl.shell(shop, await shop.token(CARD_WITH_3D_SECURE))
    await shop.decide(url, 'fail')
    const run = shop.run(pay_with_secure_token, 'typescript', { SECURE_TOKEN: url.split('/').at(-1)! })
    await expect(run).rejects.toThrow('3-D Secure: ERRORED')
  })
})

describe('authorize_card, capture_payment and cancel_payment', () => {
  test('hold an amount and take a part of it', async () => {
    const shop = await openShop()
    const { id: PAYMENT, ...held } = await shop.json(authorize_card, { TOKEN: await shop.token() })
    expect(held).toMatchObject({ status: 'authorized', amount: 2500, currency: 'USD', captured_at: null })
    expect(await shop.json(capture_payment, { PAYMENT })).toMatchObject({ status: 'captured', amount: 2000 })
    expect(await shop.run(capture_payment, 'typescript', { PAYMENT })).toBe('captured 2000\n')
  })

  test('hold and release an amount', async () => {
    const shop = await openShop()
    const [PAYMENT = '', status] = (await shop.run(authorize_card, 'typescript', { TOKEN: await shop.token() })).split(
      ' ',
    )
    expect(status).toBe('authorized')
    expect(await shop.json(cancel_payment, { PAYMENT })).toMatchObject({ status: 'cancelled' })
    await expect(shop.run(cancel_payment, 'typescript', { PAYMENT })).rejects.toThrow('not_cancellable')
  })

  test('release an amount in TypeScript', async () => {
    const shop = await openShop()
    const { id: PAYMENT } = await shop.json(authorize_card, { TOKEN: await shop.token() })
    expect(await shop.run(cancel_payment, 'typescript', { PAYMENT })).toBe('cancelled\n')
  })
})
