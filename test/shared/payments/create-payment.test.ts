import { afterAll, beforeAll, expect, test } from 'vitest'
import { openText } from '#shared/crypto/sealed-text.ts'
import { FRESH } from '#shared/domain/operation-progress.ts'
import type { Payment, PaymentWebhook } from '#shared/domain/payment.ts'
import type { Scenario } from '#shared/domain/scenario.ts'
import { createPayment } from '#shared/payments/create-payment.ts'
import { SealBroken } from '#shared/platform/ports.ts'
import { parse } from '#shared/resources/parse.ts'
import { CreatePayment } from '#shared/resources/payment.ts'
import { tokenKey } from '#shared/store/keys.ts'
import { createToken } from '#shared/tokens/create-token.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { cardDetails } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

const order = (fields: object = {}) =>
  parse(CreatePayment, { amount: 100, currency: 'JPY', payment_details: card(), ...fields })

const make = async (fields: object = {}, scenario?: Scenario) => {
  const work = service.work({ scenario })
  const { changes, answer } = await createPayment(work, { progress: FRESH }, order(fields))
  await work.commit(changes)
  return answer as Payment
}

test('createPayment seals the secret of a webhook for its payment, and accepts a webhook without a secret', async () => {
  const hook = { url: 'https://shop.example/', events: ['payment.failed'] }
  const { id, webhooks } = await make({ webhooks: [{ ...hook, secret_key: 'a secret' }, hook] })
  const [sealed, open] = webhooks as [PaymentWebhook, PaymentWebhook]
  expect(open).toEqual({ ...hook, secret_sealed: null })
  const unseal = (record: string) => openText(service.work(), 'webhook_secret', record, sealed.secret_sealed!)
  expect(await unseal(id)).toBe('a secret')
  await expect(unseal('pay_1')).rejects.toThrow(SealBroken)
})

test('createPayment refuses an expired card and writes nothing', async () => {
  const before = [...service.platform.table.items()].length
  await expect(make({ payment_details: { ...card(), year: 2029 } })).rejects.toMatchObject({
    code: 'invalid_parameter',
    param: 'payment_details[year]',
  })
  expect([...service.platform.table.items()]).toHaveLength(before)
})

test('createPayment spends a token when the charge begins, even if the outcome stays unknown', async () => {
  const work = service.work()
  const { changes, answer } = await createToken(work, { payment_details: cardDetails() })
  await work.commit(changes)
  const key = tokenKey(service.test.id, answer.record.lookup)
  const unknown = await make({ payment_details: answer.id }, 'timeout_before_charge').catch((reason) => reason)
  expect(unknown.cause.code).toBe('gateway_timeout')
  const [spent] = await service.platform.table.get([key])
  expect(spent).toMatchObject({ spent_by: unknown.progress.payment })
})
