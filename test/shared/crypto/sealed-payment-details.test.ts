import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDetails, sealDetails } from '#shared/crypto/sealed-payment-details.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { SealBroken } from '#shared/platform/ports.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

const details = card() as PaymentDetails

test('sealed details are opened for their record of their merchant, and for no other', async () => {
  const work = service.work()
  const sealed = await sealDetails(work, 'cus_1', details)
  expect(await openDetails(work, 'cus_1', sealed)).toEqual(details)
  await expect(openDetails(work, 'cus_2', sealed)).rejects.toThrow(SealBroken)
  await expect(openDetails(service.work({ merchant: 'mer_other' }), 'cus_1', sealed)).rejects.toThrow(SealBroken)
})

test('what is sealed shows nothing, and is never the same twice', async () => {
  const work = service.work()
  const [one, other] = [await sealDetails(work, 'cus_1', details), await sealDetails(work, 'cus_1', details)]
  expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('4111')
  expect(one).not.toBe(other)
  expect(one).toMatch(/^[\w+/]+=*$/)
})
