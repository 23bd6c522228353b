import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePayment } from '#shared/charging/make-payment.ts'
import { makeToken } from '#shared/charging/make-token.ts'
import type { Payment, PaymentWebhook } from '#shared/domain/payment.ts'
import { SealBroken } from '#shared/platform/ports.ts'
import { parse } from '#shared/resources/parse.ts'
import { CreatePayment } from '#shared/resources/payment.ts'
import { tokenKey } from '#shared/store/keys.ts'
import { openText } from '#shared/store/sealed.ts'
import { card } from '#test/support/api.ts'
import { cardDetails, openWorking, type Working } from '#test/support/working.ts'

let working: Working
beforeAll(async () => {
  working = await openWorking()
})
afterAll(() => working.close())

const order = (fields: object = {}) =>
  parse(CreatePayment, { amount: 100, currency: 'JPY', payment_details: card(), ...fields })

const make = async (fields: object = {}, scenario?: string) => {
  const work = working.work({ scenario })
  const { changes, answer } = await makePayment(work, order(fields))
  await work.commit(changes)
  return answer as Payment
}

test('the secret of a webhook is sealed for its payment, and one without stays without', async () => {
  const hook = { url: 'https://shop.example/', events: ['payment.failed'] }
  const { id, webhooks } = await make({ webhooks: [{ ...hook, secret_key: 'a secret' }, hook] })
  const [sealed, open] = webhooks as [PaymentWebhook, PaymentWebhook]
  expect(open).toEqual({ ...hook, secret_sealed: null })
  const unseal = (record: string) => openText(working.work(), 'webhook_secret', record, sealed.secret_sealed!)
  expect(await unseal(id)).toBe('a secret')
  await expect(unseal('pay_1')).rejects.toThrow(SealBroken)
})

test('a card whose month is past is refused before anything is begun', async () => {
  const before = [...working.platform.table.items()].length
  await expect(make({ payment_details: { ...card(), year: 2029 } })).rejects.toMatchObject({
    code: 'invalid_parameter',
    param: 'payment_details[year]',
  })
  expect([...working.platform.table.items()]).toHaveLength(before)
})

test('a token is bound to the payment with the charge, and gone with the outcome', async () => {
  const work = working.work()
  const { changes, answer } = await makeToken(work, { payment_details: cardDetails() })
  await work.commit(changes)
  const key = tokenKey(working.merchant, answer.record.lookup)
  const unknown = await make({ payment_details: answer.id }, 'timeout_before_charge').catch((reason) => reason)
  expect(unknown.code).toBe('gateway_timeout')
  const [spent] = await working.platform.table.get([key])
  expect(spent).toMatchObject({ spent_by: unknown.details.payment })
})
