import { describe, expect, test } from 'vitest'
import {
  cancel_session,
  create_session,
  create_session_of_items,
  new_session,
  show_session,
  store_card,
} from '#shared/docs/samples/sessions.ts'
import { card, konbini } from '#test/fixtures/api.ts'
import { expectExcerpt, useShops } from './shop.ts'

const openShop = useShops()

describe('create_session', () => {
  test('creates a session with the three payment types', async () => {
    const shop = await openShop()
    const session = await shop.json(create_session)
    expectExcerpt(session, new_session)
    const types = session.payment_methods.map(({ type }: { type: string }) => type)
    expect(types).toEqual(['credit_card', 'konbini', 'paypay'])
    expect(await shop.run(create_session, 'typescript')).toBe(`${session.id} ${session.session_url}\n`)
  })
})

describe('create_session_of_items', () => {
  test('adds the line items up', async () => {
    const shop = await openShop()
    expect(await shop.json(create_session_of_items)).toMatchObject({
      amount: 3400,
      line_items: [
        { description: 'Coffee beans', amount: 1450, quantity: 2 },
        { description: 'Shipping', amount: 500, quantity: null },
      ],
    })
    expect(await shop.run(create_session_of_items, 'typescript')).toBe('3400 USD\n')
  })
})

describe('store_card', () => {
  test('creates a session without a payment', async () => {
    const shop = await openShop()
    expect(await shop.json(store_card)).toMatchObject({ mode: 'customer', amount: null })
    expect(await shop.run(store_card, 'typescript')).toMatch(/^ses_\w+ http/)
  })
})

describe('show_session', () => {
  test('shows a paid session', async () => {
    const shop = await openShop()
    const { id: SESSION } = await shop.json(create_session)
    expect(await shop.run(show_session, 'typescript', { SESSION })).toBe('pending undefined\n')
    const paid = await shop.request(`POST /sessions/${SESSION}/pay`, { json: { payment_details: card() } })
    expect(paid.body.redirect_url).toBe(`https://shop.example/orders/3001?session_id=${SESSION}`)
    const payment = { status: 'captured', external_order_num: '3001' }
    expect(await shop.json(show_session, { SESSION })).toMatchObject({ status: 'completed', payment })
  })

  test('shows that a completed session is not paid yet when its payment is in cash', async () => {
    const shop = await openShop()
    const { id: SESSION } = await shop.json(create_session)
    await shop.request(`POST /sessions/${SESSION}/pay`, { json: { payment_details: konbini } })
    expect(await shop.run(show_session, 'typescript', { SESSION })).toBe('completed authorized\n')
  })
})

describe('cancel_session', () => {
  test.each(['shell', 'typescript'] as const)('cancels a session, in %s', async (language) => {
    const shop = await openShop()
    const { id: SESSION } = await shop.json(create_session)
    expect(await shop.run(cancel_session, language, { SESSION })).toContain('cancelled')
    expect((await shop.request(`GET /sessions/${SESSION}`)).body.status).toBe('cancelled')
  })
})
