import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideAt } from '#test/browser/customer-decision.ts'
import {
  arranged as arrangedAt,
  charges as chargesAt,
  endings,
  invalid_token,
  order,
  patches,
  return_url,
  uses,
  verified,
} from '#test/faults/card-endings.ts'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

/**
 * Once a customer's card is removed or replaced, the secure tokens of that card are refused. The tests cover each use
 * of a secure token and each way in which a card ends.
 */

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const arranged = (count?: number) => arrangedAt(api, count)
const charges = (merchant: Parameters<typeof chargesAt>[1]) => chargesAt(api, merchant)

describe.each(Object.keys(endings))('once %s', (ending) => {
  test.each(Object.keys(uses))('its secure token is refused for %s', async (use) => {
    const where = await arranged()
    expect((await endings[ending]!(where)).status).toBe(200)
    expect(refusalIn(await uses[use]!(where, where.token))).toEqual(
      ending === 'the customer is deleted' && use === 'the customer themselves'
        ? { status: 404, code: 'not_found', param: null }
        : invalid_token,
    )
    expect(charges(where.merchant)).toBe(0)
  })

  test('a secure token made from a secure token of the card, and one verified afterwards, are refused', async () => {
    const where = await arranged()
    const { send, customer, token } = where
    const second = await verified(send, { payment_details: token })
    const json = { ...order, return_url, customer }
    const { id, authentication_url } = (await send('POST /secure_tokens', { json })).body
    await endings[ending]!(where)
    await decideAt(authentication_url, 'authenticate')
    expect((await send(`GET /secure_tokens/${id}`)).status).toBe(200)
    for (const each of [second, id]) expect(refusalIn(await uses['a payment']!(where, each))).toEqual(invalid_token)
    expect(charges(where.merchant)).toBe(0)
  })
})

describe('a change of a customer that keeps the card', () => {
  test.each(Object.keys(uses))('keeps the secure token valid for %s', async (use) => {
    const where = await arranged()
    await patches(where, { email: 'b@example.com' })
    await patches(where, { metadata: { a: 1 }, currency: 'JPY' })
    await where.send('POST /payments', { json: { ...order, customer: where.customer } })
    const { status } = await uses[use]!(where, where.token)
    expect(status).toBe(200)
    expect(refusalIn(await uses['a payment']!(where, where.token))).toEqual(invalid_token)
  })

  test('from their own secure token invalidates their other secure tokens, and they can still be charged', async () => {
    const where = await arranged(2)
    const { body } = await uses['the customer themselves']!(where, where.token)
    expect(body.source).toMatchObject({ last_four_digits: '0100' })
    expect(refusalIn(await uses['a payment']!(where, where.tokens[1]!))).toEqual(invalid_token)
    const { status } = await where.send('POST /payments', { json: { ...order, customer: where.customer } })
    expect(status).toBe(200)
  })
})
