import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseDetails, storeDetails } from '#shared/customers/store-payment-details.ts'
import type { Customer } from '#shared/domain/customer.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { verified } from '#shared/domain/secure-token.ts'
import { findSource, loadSource, openSource, sourceFrom } from '#shared/payments/payment-source.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'
import { createSecureToken } from '#shared/tokens/create-secure-token.ts'
import { createToken } from '#shared/tokens/create-token.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { measured } from '#test/fixtures/measured-table.ts'
import { cardDetails } from '#test/fixtures/records.ts'

let service: Api
let customer: string
beforeAll(async () => {
  service = await openApi()
  const work = service.work()
  customer = work.newId('customer')
  const { source, changes } = await storeDetails(work, customer, {
    ...card(),
    verification_value: undefined,
  } as PaymentDetails)
  const record: Customer = {
    id: customer,
    version: 0,
    email: 'hanako@example.com',
    currency: null,
    source,
    metadata: {},
    created_at: '2030-01-02T03:00:00Z',
    updated_at: '2030-01-02T03:00:00Z',
  }
  await work.commit([changed(customers, record, ['customer.created']), ...changes])
})
afterAll(() => service.close())

const newToken = async (details = cardDetails()): Promise<string> => {
  const work = service.work()
  const { changes, answer } = await createToken(work, { payment_details: details })
  await work.commit(changes)
  return answer.id
}

/** A secure token of the customer's card whose owner has passed 3-D Secure. */
const newSecureToken = async (): Promise<string> => {
  const work = service.work()
  const request = { customer, amount: 1000, currency: 'JPY', return_url: 'https://shop.example.com/' }
  const { changes, answer } = await createSecureToken(work, request)
  await work.commit(changes)
  await work.commit([changed(secureTokens, verified({ ...answer, version: 1 }, 'authenticate'))])
  return answer.id
}

const visa = { type: 'credit_card', email: null, brand: 'visa', last_four_digits: '1111', month: 12, year: 2035 }

describe('findSource and sourceFrom', () => {
  test('sourceFrom returns what may be shown of the details, and their expiry_days', () => {
    expect(sourceFrom(card() as PaymentDetails)).toEqual({ shown: visa, expiry_days: null })
    expect(sourceFrom({ ...konbini, expiry_days: 0 } as PaymentDetails)).toMatchObject({ expiry_days: 0 })
  })

  test('a token records the payment that spends it, and cannot be spent twice', async () => {
    const request = { payment_details: await newToken(), currency: 'JPY' }
    const [one, other] = [service.work(), service.work()]
    const [first, second] = [await findSource(one, request), await findSource(other, request)]
    expect(first).toMatchObject({ shown: visa, token: expect.stringMatching(/^[0-9a-z]{26}$/) })
    await one.commit(first.use('pay_1'))
    await expect(other.commit(second.use('pay_2'))).rejects.toThrow(WriteConflict)
    await expect(findSource(service.work(), request)).rejects.toMatchObject({ code: 'invalid_token' })
  })

  test('a customer adds their e-mail address, and the payment conflicts if their card has changed', async () => {
    const [work, later] = [service.work(), service.work()]
    const source = await findSource(work, { customer })
    expect(source.shown).toEqual({ ...visa, email: 'hanako@example.com' })
    await service.work().commit(source.use('pay_1'))
    await later.commit((await storeDetails(later, customer, card('5555555555554444') as PaymentDetails)).changes)
    await expect(work.commit(source.use('pay_2'))).rejects.toThrow(WriteConflict)
  })

  test("a secure token of a customer's card is valid only while that card is stored", async () => {
    const id = await newSecureToken()
    const request = { payment_details: id, amount: 1000, currency: 'JPY' }
    const work = service.work()
    const source = await findSource(work, request)
    expect(source).toMatchObject({ token: id, verified_by: id, card: { customer } })
    await restore()
    await expect(work.commit(source.use('pay_1'))).rejects.toThrow(WriteConflict)
    await expect(work.commit(source.useUp('cus_2'))).rejects.toThrow(WriteConflict)
    await expect(findSource(service.work(), request)).rejects.toMatchObject({ code: 'invalid_token' })
    expect(await openSource(service.work(), request)).toBeUndefined()
  })
})

/** Removes the customer's card and stores the same card again. */
async function restore(): Promise<void> {
  const [removing, storing] = [service.work(), service.work()]
  await removing.commit((await eraseDetails(removing, customer)).changes)
  await storing.commit((await storeDetails(storing, customer, card() as PaymentDetails)).changes)
}

describe('openSource', () => {
  test('returns the details of the request, the token or the customer', async () => {
    expect(await openSource(service.work(), { payment_details: konbini as PaymentDetails })).toEqual(konbini)
    expect(await openSource(service.work(), { payment_details: await newToken() })).toEqual(card())
    expect(await openSource(service.work(), { customer })).toMatchObject({ type: 'credit_card' })
    expect(await openSource(service.work(), { customer })).not.toHaveProperty('verification_value')
  })

  test('returns undefined if the token or the card does not exist', async () => {
    const unknown = `tok_${'0'.repeat(52)}`
    expect(await openSource(service.work(), { payment_details: unknown })).toBeUndefined()
    expect(await openSource(service.work(), { customer: 'cus_1' })).toBeUndefined()
  })
})

test('loadSource reads everything that findSource and openSource need in one call', async () => {
  const token = await newToken()
  for (const request of [{ customer }, { payment_details: token }]) {
    const table = measured(service.platform.table)
    const work = service.work({ platform: { ...service.platform, table } })
    await loadSource(work, request)
    await findSource(work, request)
    await openSource(work, request)
    expect(table.measure.calls).toBe(1)
  }
})

test("loadSource reads a secure token first and then the customer's card, and nothing is read again", async () => {
  const request = { payment_details: await newSecureToken() }
  const table = measured(service.platform.table)
  const work = service.work({ platform: { ...service.platform, table } })
  await loadSource(work, request)
  await findSource(work, request)
  expect(await openSource(work, request)).toMatchObject({ number: card().number })
  expect(table.measure.calls).toBe(2)
})
