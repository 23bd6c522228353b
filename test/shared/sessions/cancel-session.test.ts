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
import { cardDetails, openWorking, type Working } from '#test/fixtures/working.ts'

let working: Working
beforeAll(async () => {
  working = await openWorking()
})
afterAll(() => working.close())

const order = { amount: 1000, currency: 'JPY' }
const card = () => ({ payment_details: cardDetails() })
const wallet = { payment_details: { type: 'paypay' } } as never

const newSession = async (): Promise<string> => {
  const work = working.work()
  const { changes, answer } = await createSession(work, parse(CreateSession, order))
  await work.commit(changes)
  return answer.id
}

/** Creates a session whose customer was redirected to a wallet. */
const waiting = async (): Promise<string> => {
  const id = await newSession()
  const work = working.work()
  const { changes } = await paySession(work, { progress: FRESH }, id, wallet)
  await work.commit(changes)
  return id
}

const kept = async (id: string) => {
  const work = working.work()
  const session = await work.get(sessions, id)
  return { session, payment: session.payment === null ? undefined : await work.get(payments, session.payment) }
}

describe('cancelSessionAndPayment', () => {
  test('cancels the session and its payment, voids the charge, and changes nothing the second time', async () => {
    const id = await waiting()
    const work = working.work()
    const { changes, session, payment } = await cancelSessionAndPayment(work, id)
    await work.commit(changes)
    expect(session).toMatchObject({ id, status: 'cancelled' })
    expect(payment).toMatchObject({ status: 'cancelled', in_flight: [{ operation: 'void', amount: 1000 }] })
    expect(await cancelSessionAndPayment(working.work(), id)).toMatchObject({
      changes: [],
      session: { status: 'cancelled' },
    })
  })

  test('conflicts if the session was paid meanwhile', async () => {
    const id = await newSession()
    const [cancels, pays] = [working.work(), working.work()]
    const { changes } = await cancelSessionAndPayment(cancels, id)
    const paid = await paySession(pays, { progress: FRESH }, id, card())
    await pays.commit(paid.changes)
    await expect(cancels.commit(changes)).rejects.toThrow(WriteConflict)
    expect(await kept(id)).toMatchObject({ session: { status: 'completed' }, payment: { status: 'captured' } })
  })

  test('conflicts with the approval of its wallet payment, so that only the first of both is committed', async () => {
    for (const ends_first of [false, true]) {
      const id = await waiting()
      const [cancels, approves] = [working.work(), working.work()]
      const { changes } = await cancelSessionAndPayment(cancels, id)
      const { payment } = await approves.get(sessions, id)
      const before = await approves.get(payments, payment!)
      const { next, events } = pay(before, working.platform.clock.now())
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

  test('refuses while the outcome of the payment is unknown', async () => {
    const id = await newSession()
    const work = working.work({ scenario: 'timeout_after_charge' })
    await expect(paySession(work, { progress: FRESH }, id, card())).rejects.toMatchObject({
      cause: { code: 'gateway_timeout' },
    })
    await expect(cancelSessionAndPayment(working.work(), id)).rejects.toMatchObject({ code: 'conflict' })
    expect((await kept(id)).session.status).toBe('pending')
  })
})
