import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDetails } from '#shared/crypto/sealed-payment-details.ts'
import { decryptWithSecret, halvesOf } from '#shared/crypto/token-secret.ts'
import { SealBroken } from '#shared/platform/ports.ts'
import { createToken } from '#shared/tokens/create-token.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { cardDetails } from '#test/fixtures/records.ts'
import { refused } from '#test/fixtures/refusals.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

const details = cardDetails()

test('createToken stores a token for sixty minutes under one half of its id, and the other half nowhere', async () => {
  const work = service.work()
  const { changes, answer } = await createToken(work, { payment_details: details, currency: 'JPY' })
  await work.commit(changes)
  const { lookup, secret } = halvesOf(answer.id)!
  const [item] = await service.platform.table.get([{ pk: `token#${service.test.id}#${lookup}`, sk: 'token' }])
  expect(item).toMatchObject({
    currency: 'JPY',
    spent_by: null,
    expires_at: '2030-01-02T04:00:00Z',
    ttl: Date.parse('2030-01-02T04:00:00Z') / 1000,
  })
  expect(JSON.stringify(item)).not.toContain(secret)
})

test('createToken encrypts the details so that the table and the vault cannot open them without the id', async () => {
  const work = service.work()
  const { record, id } = (await createToken(work, { payment_details: details })).answer
  await expect(openDetails(work, record.lookup, record.sealed)).rejects.toThrow(SealBroken)
  const unlocked = decryptWithSecret(halvesOf(id)!.secret, record.sealed)
  expect(await openDetails(work, record.lookup, unlocked)).toEqual(details)
})

test('createToken refuses an expired card', async () => {
  const past = cardDetails(undefined, { year: 2029 })
  const error = await createToken(service.work(), { payment_details: past }).catch((reason) => reason)
  const throws = () => {
    throw error
  }
  expect(refused(throws)).toEqual({ code: 'invalid_parameter', param: 'payment_details[year]' })
})
