import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acceptedStores, acceptedTypes, refuseUnpayable } from '#shared/acquirer/accepted-types.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { payment_types } from '#shared/domain/payment-details.ts'
import { konbini_stores } from '#shared/domain/session-methods.ts'
import { itemsOf, refusalIn } from '#test/faults/witness.ts'
import { card, konbini } from '#test/fixtures/api.ts'
import { type LiveApi, openLiveApi } from '#test/fixtures/live-api.ts'
import { refused } from '#test/fixtures/refusals.ts'
import { atStripe, StandInProvider } from '#test/fixtures/stand-in-provider.ts'
import { withoutAcquirer } from '#test/fixtures/without-acquirer.ts'

let api: LiveApi
let provider: StandInProvider
beforeAll(async () => {
  api = await openLiveApi()
})
beforeEach(() => {
  provider = atStripe(new StandInProvider())
  provider.types = ['credit_card', 'konbini']
})
afterAll(() => api.close())

const invalid_payment_type = { status: 422, code: 'invalid_payment_type', param: 'payment_details' }
const price = { amount: 1000, currency: 'JPY' }

describe('acceptedTypes', () => {
  test('returns the types of the provider in live mode, and all types in test mode', () => {
    expect(acceptedTypes(api.live_work())).toEqual(['credit_card', 'konbini'])
    expect(acceptedTypes(api.work({ platform: api.injected }))).toEqual(payment_types)
  })

  test('returns all types on a stage without an acquirer', () => {
    expect(acceptedTypes(api.work({ platform: withoutAcquirer(api.platform), mode: 'live' }))).toEqual(payment_types)
  })

  test('passes on an error that is no refusal', () => {
    provider.accepts = () => {
      throw new TypeError('a defect')
    }
    expect(() => acceptedTypes(api.live_work())).toThrow(TypeError)
  })

  test('asks for the price with the fee of each type', () => {
    const asked: unknown[] = []
    provider.accepts = ({ type, amount, currency }) => {
      asked.push([type, amount, currency])
    }
    acceptedTypes(api.live_work(), price)
    expect(asked).toContainEqual(['credit_card', 1000, 'JPY'])
    expect(asked).toContainEqual(['konbini', 1190, 'JPY'])
  })
})

describe('acceptedStores', () => {
  test('returns the stores of the provider in live mode, and all stores in test mode', () => {
    provider.stores = ['lawson', 'ministop']
    expect(acceptedStores(api.live_work())).toEqual(['lawson', 'ministop'])
    expect(acceptedStores(api.work({ platform: api.injected }))).toEqual(konbini_stores)
  })

  test('returns none at a provider without payments at convenience stores', () => {
    provider.types = ['credit_card']
    expect(acceptedStores(api.live_work())).toEqual([])
  })

  test('returns all stores on a stage without an acquirer', () => {
    expect(acceptedStores(api.work({ platform: withoutAcquirer(api.platform), mode: 'live' }))).toEqual(konbini_stores)
  })
})

test('refuseUnpayable refuses as the acquirer does if no type can be charged', () => {
  const refusal = new Refusal('invalid_parameter', { param: 'amount', message: 'The amount is too small.' })
  provider.accepts = () => {
    throw refusal
  }
  expect(refused(() => refuseUnpayable(api.live_work(), price))).toMatchObject({
    code: 'invalid_parameter',
    param: 'amount',
  })
})

describe('at a provider that has only some payment types', () => {
  test('GET /payment_methods lists these types', async () => {
    const { body } = await api.live_request('GET /payment_methods')
    expect(body.map(({ type_slug }: { type_slug: string }) => type_slug)).toEqual(['credit_card', 'konbini'])
    expect((await api.request('GET /payment_methods')).body).toHaveLength(payment_types.length)
  })

  test('POST /sessions offers these types, and refuses a session that names only others', async () => {
    const session = async (types?: string[]) =>
      api.live_request('POST /sessions', { json: { ...price, ...(types && { payment_types: types }) } })
    const offered = ({ body }: { body: { payment_methods: { type: string }[] } }) =>
      body.payment_methods.map(({ type }) => type)
    expect(offered(await session())).toEqual(['credit_card', 'konbini'])
    expect(offered(await session(['paypay', 'konbini']))).toEqual(['konbini'])
    expect(refusalIn(await session(['paypay']))).toEqual({ ...invalid_payment_type, param: 'payment_types' })
  })

  test('a session and its page offer the stores that the provider has', async () => {
    const storesOf = ({ body }: { body: { payment_methods: { type: string; brands: object }[] } }) =>
      Object.keys(body.payment_methods.find(({ type }) => type === 'konbini')!.brands)
    const made = await api.live_request('POST /sessions', { json: price })
    expect(storesOf(made)).toEqual(konbini_stores)
    provider.stores = ['lawson', 'ministop']
    const limited = await api.live_request('POST /sessions', { json: price })
    expect(storesOf(limited)).toEqual(['lawson', 'ministop'])
    expect(storesOf(await api.live_request(`GET /sessions/${limited.body.id}`))).toEqual(['lawson', 'ministop'])
    const page = await (await fetch(limited.body.session_url)).text()
    const shown = Array.from(page.matchAll(/name="store" value="([\w-]+)"/g), ([, store]) => store)
    expect(shown).toEqual(['lawson', 'ministop'])
  })

  test('POST /payments refuses other types before anything is stored', async () => {
    const before = itemsOf(api, 'payment').length
    const json = { ...price, payment_details: { type: 'paypay' } }
    expect(refusalIn(await api.live_request('POST /payments', { json }))).toEqual(invalid_payment_type)
    expect([itemsOf(api, 'payment').length, provider.asked]).toEqual([before, []])
  })

  test('POST /sessions/:id/pay refuses a type that the provider has no longer', async () => {
    const { body } = await api.live_request('POST /sessions', { json: price })
    provider.types = ['credit_card']
    const json = { payment_details: konbini }
    expect(refusalIn(await api.live_request(`POST /sessions/${body.id}/pay`, { json }))).toEqual(invalid_payment_type)
  })

  test('POST /secure_tokens refuses a card that the provider cannot charge', async () => {
    provider.types = ['konbini']
    const json = { ...price, return_url: 'https://shop.example.com/', payment_details: card() }
    expect(refusalIn(await api.live_request('POST /secure_tokens', { json }))).toEqual(invalid_payment_type)
  })

  test('a subscription is refused at once, and its later captures are never refused', async () => {
    const json = { payment_details: card() }
    const { body: customer } = await api.live_request('POST /customers', { json })
    const order = { customer: customer.id, ...price, period: 'weekly' }
    const { body } = await api.live_request('POST /subscriptions', { json: order })
    provider.accepts = () => {
      throw new Refusal('invalid_currency', { param: 'currency' })
    }
    const refusal = { status: 422, code: 'invalid_currency', param: 'currency' }
    expect(refusalIn(await api.live_request('POST /subscriptions', { json: order }))).toEqual(refusal)
    await api.advance(8 * 86_400)
    const { body: after } = await api.live_request(`GET /subscriptions/${body.id}`)
    expect(after.payments).toHaveLength(2)
  })
})
