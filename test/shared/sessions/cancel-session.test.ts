import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FRESH } from '#shared/domain/operation-progress.ts'
import { pay } from '#shared/domain/payment-decisions.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { CreateSession } from '#shared/resources/create-session.ts'
import { parse } from '#shared/resources/parse.ts'
import { cancelSessionAndPayment } from '#shared/sessions/cancel-session.ts'
import { createSession } from '#shared/sessions/create-session.ts'
import { paySession } from '#shared/sessions/pay-session.ts'
import { changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { completionOf, sessions } from '#shared/store/sessions.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { cardDetails } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

const order = { amount: 1000, currency: 'JPY' }
const card = () => ({ payment_details: cardDetails() })
const wallet = { payment_details: { type: 'paypay' } } as never

const newSession = async (): Promise<string> => {
  const work = service.work()
  const { changes, answer } = await createSession(work, parse(CreateSession, order))
  await work.commit(changes)
  return answer.id
}

/** A session whose customer was sent to a wallet. */
const waiting = async (): Promise<string> => {
  const id = await newSession()
  const work = service.work()
  const { changes } = await paySession(work, { progress: FRESH }, id, wallet)
  await work.commit(changes)
  return id
}

const kept = async (id: string) => {
  const work = service.work()
  const session = await work.get(sessions, id)
  return { session, payment: session.payment === null ? undefined : await work.get(payments, session.payment) }
}

describe('ending a session', () => {
  test('answers it as it will be, with a payment that is given up and given back', async () => {
    const id = await waiting()
    const work = service.work()
    const { changes, session, payment } = await cancelSessionAndPayment(work, id)
    await work.commit(changes)
    expect(session).toMatchObject({ id, status: 'cancelled' })
    expect(payment).toMatchObject({ status: 'cancelled', in_flight: [{ operation: 'void', amount: 1000 }] })
    expect(await cancelSessionAndPayment(service.work(), id)).toMatchObject({
      changes: [],
      session: { status: 'cancelled' },
    })
  })

  test('is lost when it was paid meanwhile', async () => {
    const id = await newSession()
    const [cancels, pays] = [service.work(), service.work()]
    const { changes } = await cancelSessionAndPayment(cancels, id)
    const paid = await paySession(pays, { progress: FRESH }, id, card())
    await pays.commit(paid.changes)
    await expect(cancels.commit(changes)).rejects.toThrow(WriteConflict)
    expect(await kept(id)).toMatchObject({ session: { status: 'completed' }, payment: { status: 'captured' } })
  })

  test('is lost when its wallet was approved meanwhile, and the approval when it was ended', async () => {
    for (const ends_first of [false, true]) {
      const id = await waiting()
      const [cancels, approves] = [service.work(), service.work()]
      const { changes } = await cancelSessionAndPayment(cancels, id)
      const { payment } = await approves.get(sessions, id)
      const before = await approves.get(payments, payment!)
      const { next, events } = pay(before, service.platform.clock.now())
      const approval = [changed(payments, next, events), ...(await completionOf(approves, before, next))]
      const end = () => cancels.commit(changes)
      const approve = () => approves.commit(approval)
      const [first, second] = ends_first ? [end, approve] : [approve, end]
      await first()
      await expect(second()).rejects.toThrow(WriteConflict)
      const after = await kept(id)
      expect([after.session.status, after.payment?.status]).toEqual(
        ends_first ? ['cancelled', 'cancelled'] : ['completed', 'captured'],
      )
    }
  })

  test('waits for a payment whose outcome is not known', async () => {
    const id = await newSession()
    const work = service.work({ scenario: 'timeout_after_charge' })
    await expect(paySession(work, { progress: FRESH }, id, card())).rejects.toMatchObject({
      cause: { code: 'gateway_timeout' },
    })
    await expect(cancelSessionAndPayment(service.work(), id)).rejects.toMatchObject({ code: 'conflict' })
    expect((await kept(id)).session.status).toBe('pending')
  })
})
