import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { attemptOf } from '#shared/acquirer/attempt.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { Operation, Outcome, Payment } from '#shared/domain/payment.ts'
import { recordOutcome, waitsForVoid, withVoid } from '#shared/payments/record-outcome.ts'
import { attempts } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { attemptKey, tokenKey } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import { createToken } from '#shared/tokens/create-token.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { cardDetails, inFlight, paymentRecord } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

/** Commits a payment with an operation in flight, and returns a unit of work that has read both. */
async function begun(operation: Operation, fields: Partial<Payment> = {}, token: string | null = null) {
  const first = service.work()
  const entry = inFlight(operation, { attempt: 1 })
  const id = first.newId('payment')
  const record = paymentRecord({ id, version: 0, in_flight: [entry], ...fields })
  await first.commit([changed(payments, record), changed(attempts, attemptOf(first, record, entry, token))])
  const work = service.work()
  const attempt = (await work.at(attempts, attemptKey(service.test.id, id, 1)))!
  return { work, id, attempt, payment: await work.get(payments, id) }
}

const settled = async (operation: Operation, outcome: Outcome, fields: Partial<Payment>) => {
  const { work, id, attempt, payment } = await begun(operation, fields)
  const { changes, answer } = await recordOutcome(work, payment, attempt, outcome)
  await work.commit(changes)
  const after = service.work()
  const kept = (await after.at(attempts, attemptKey(service.test.id, id, 1)))!
  return { answer, id, kept, payment: await after.get(payments, id) }
}

const done: Outcome = { result: 'done' }

describe('recordOutcome', () => {
  test.each<[Operation, Outcome, Partial<Payment>, answer: string]>([
    ['charge', { result: 'captured' }, { status: 'pending' }, 'captured'],
    ['charge', { result: 'declined', code: 'card_expired' }, { status: 'pending' }, 'card_expired'],
    ['charge', { result: 'declined', code: 'fraudulent' }, { status: 'pending' }, 'fraudulent'],
    ['charge', { result: 'never_arrived' }, { status: 'pending' }, 'other_error'],
    ['capture', done, { status: 'authorized' }, 'captured'],
    ['capture', { result: 'declined', code: 'exceeds_limit' }, { status: 'authorized' }, 'exceeds_limit'],
    ['refund', done, { status: 'captured' }, 'captured'],
    ['refund', { result: 'never_arrived' }, { status: 'captured' }, 'other_error'],
    ['void', done, { status: 'authorized' }, 'cancelled'],
  ])('of a %s with %j on a payment %j answers %s', async (operation, outcome, fields, expected) => {
    const { answer, id, kept, payment } = await settled(operation, outcome, fields)
    expect(kept).toMatchObject({ outcome, inquire_at: null })
    expect(payment.in_flight).toEqual([])
    if (answer instanceof Refusal) expect([answer.code, answer.details]).toEqual([expected, { payment: id }])
    else expect([answer.status, payment.status]).toEqual([expected, expected])
  })

  test('changes nothing if another worker has recorded the outcome, and answers the same', async () => {
    for (const outcome of [done, { result: 'declined', code: 'card_declined' } as const]) {
      const { work, attempt, payment } = await begun('refund')
      const { changes, answer } = await recordOutcome(work, payment, attempt, outcome)
      await work.commit(changes)
      const later = service.work()
      const known = (await later.at(attempts, attemptKey(service.test.id, payment.id, 1)))!
      const again = await recordOutcome(later, await later.get(payments, payment.id), known, {
        result: 'never_arrived',
      })
      expect(again.changes).toEqual([])
      if (answer instanceof Refusal) expect(again.answer).toMatchObject({ code: answer.code, details: answer.details })
      else expect(again.answer).toMatchObject({ id: payment.id, refunds: [{ amount: 1000 }] })
    }
  })

  test('deletes the token that was charged', async () => {
    const first = service.work()
    const { changes, answer } = await createToken(first, { payment_details: cardDetails() })
    await first.commit(changes)
    const { work, attempt, payment } = await begun('charge', { status: 'pending' }, answer.record.lookup)
    await work.commit((await recordOutcome(work, payment, attempt, { result: 'captured' })).changes)
    const key = tokenKey(service.test.id, answer.record.lookup)
    expect(await service.platform.table.get([key])).toEqual([undefined])
  })

  test('begins a void for a charge of a cancelled payment, and answers the payment unchanged', async () => {
    const { answer, id, payment } = await settled('charge', { result: 'captured' }, { status: 'cancelled' })
    expect(answer).toMatchObject({ status: 'cancelled', in_flight: [] })
    expect(payment).toMatchObject({ status: 'cancelled', in_flight: [{ operation: 'void', attempt: 2, amount: 1000 }] })
    const work = service.work()
    expect(await work.at(attempts, attemptKey(service.test.id, id, 2))).toMatchObject({
      operation: 'void',
      outcome: null,
      inquire_at: '2030-01-02T03:01:00Z',
    })
  })
})

test('recordOutcome and waitsForVoid postpone only a charge while a void is in flight', async () => {
  const { work, attempt, payment } = await begun('charge', { status: 'pending' })
  const voiding = withVoid(work, payment).next
  expect(waitsForVoid(voiding, attempt)).toBe(true)
  expect(waitsForVoid(payment, attempt)).toBe(false)
  await expect(recordOutcome(work, voiding, attempt, { result: 'captured' })).rejects.toThrow(OutcomeUnknown)
  for (const operation of ['capture', 'refund', 'void'] as const)
    expect(waitsForVoid(voiding, { ...attempt, operation })).toBe(false)
})

test('withVoid adds a void of the whole payment to the operations in flight', () => {
  const other = inFlight('charge')
  const { next, attempt } = withVoid(service.work(), paymentRecord({ status: 'expired', in_flight: [other] }))
  const entry = { operation: 'void', attempt: 8, amount: 1000, tax: 100, refund_id: null, description: null }
  expect(next.in_flight).toEqual([other, entry])
  expect(attempt).toMatchObject({ payment: 'pay_1', number: 8, operation: 'void', key: 'pay_1-8' })
})
