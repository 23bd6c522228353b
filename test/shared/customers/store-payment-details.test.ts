import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDetails } from '#shared/crypto/sealed-payment-details.ts'
import { eraseDetails, storeDetails } from '#shared/customers/store-payment-details.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { cards, findCard } from '#shared/store/customers.ts'
import { cardKey } from '#shared/store/keys.ts'
import { createToken } from '#shared/tokens/create-token.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { cardDetails } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

const visa = cardDetails()
const { verification_value: _, ...kept } = card()

const store = async (customer: string, details: PaymentDetails | string) => {
  const work = service.work()
  const stored = await storeDetails(work, customer, details)
  await work.commit(stored.changes)
  return stored
}
const stored = async (customer: string) => {
  const work = service.work()
  const found = await work.at(cards, cardKey(service.test.id, customer))
  return found && openDetails(work, customer, found.sealed)
}

describe('storeDetails', () => {
  test('stores a card without its verification value', async () => {
    await store('cus_1', visa)
    expect(await stored('cus_1')).toEqual(kept)
  })

  test('stores the card of a token without its verification value, and spends the token', async () => {
    const work = service.work()
    const { changes, answer } = await createToken(work, { payment_details: visa })
    await work.commit(changes)
    await store('cus_2', answer.id)
    expect(await stored('cus_2')).toEqual(kept)
    await expect(store('cus_3', answer.id)).rejects.toMatchObject({ code: 'invalid_token', param: 'payment_details' })
    expect(await stored('cus_3')).toBeUndefined()
  })

  test('returns the email address of the details, and replaces the stored details', async () => {
    const { email, source } = await store('cus_1', konbini as PaymentDetails)
    expect([email, source!.type]).toEqual(['taro@example.com', 'konbini'])
    expect(await stored('cus_1')).toEqual(konbini)
  })

  test('refuses an expired card, and a token of an expired card', async () => {
    const expiring = cardDetails(undefined, { month: 1, year: 2030 })
    const work = service.work()
    const { changes, answer } = await createToken(work, { payment_details: expiring })
    await work.commit(changes)
    const later = {
      ...service.platform,
      clock: { now: () => Date.parse('2030-01-31T15:00:00Z'), wait: async () => {} },
    }
    for (const details of [expiring, answer.id])
      await expect(storeDetails(service.work({ platform: later }), 'cus_1', details)).rejects.toMatchObject({
        code: expect.stringMatching(/invalid_parameter|invalid_token/),
      })
  })

  test('commits one of two concurrent writes, and the other gets a conflict', async () => {
    const [one, other] = [service.work(), service.work()]
    const changes = await Promise.all([one, other].map((work) => storeDetails(work, 'cus_1', visa)))
    await one.commit(changes[0]!.changes)
    await expect(other.commit(changes[1]!.changes)).rejects.toThrow(WriteConflict)
  })
})

test('every card of a customer gets a different version, even after an erasure', async () => {
  const versions = new Set<number>()
  for (let n = 0; n < 6; n++) {
    await store('cus_5', visa)
    versions.add((await findCard(service.work(), 'cus_5'))!.version)
    const work = service.work()
    if (n % 2) await work.commit((await eraseDetails(work, 'cus_5')).changes)
  }
  expect(versions.size).toBe(6)
})

test('eraseDetails removes the stored details, and a second erasure changes nothing', async () => {
  await store('cus_4', visa)
  const work = service.work()
  const erased = await eraseDetails(work, 'cus_4')
  expect([erased.source, erased.changes.length]).toEqual([null, 1])
  await work.commit(erased.changes)
  expect(await service.platform.table.get([cardKey(service.test.id, 'cus_4')])).toEqual([undefined])
  expect((await eraseDetails(service.work(), 'cus_4')).changes).toEqual([])
})
