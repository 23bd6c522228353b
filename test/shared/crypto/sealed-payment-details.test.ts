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

test('openDetails opens sealed details only for their own record and merchant', async () => {
  const work = service.work()
  const sealed = await sealDetails(work, 'cus_1', details)
  expect(await openDetails(work, 'cus_1', sealed)).toEqual(details)
  await expect(openDetails(work, 'cus_2', sealed)).rejects.toThrow(SealBroken)
  await expect(openDetails(service.work({ merchant: 'mer_other' }), 'cus_1', sealed)).rejects.toThrow(SealBroken)
})

test('sealDetails returns base64 that hides the card number and differs each time', async () => {
  const work = service.work()
  const [one, other] = [await sealDetails(work, 'cus_1', details), await sealDetails(work, 'cus_1', details)]
  expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('4111')
  expect(one).not.toBe(other)
  expect(one).toMatch(/^[\w+/]+=*$/)
})
