import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FRESH } from '#shared/domain/operation-progress.ts'
import { pay } from '#shared/domain/payment-decisions.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { cancelSessionAndPayment } from '#shared/sessions/cancel-session.ts'
import { paySession } from '#shared/sessions/pay-session.ts'
import { changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { completionOf, sessions } from '#shared/store/sessions.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { cardDetails } from '#test/fixtures/records.ts'
import { newSession, sessionAtWallet, storedSession } from './stored-sessions.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

const card = () => ({ payment_details: cardDetails() })

describe('cancelSessionAndPayment', () => {
  test('cancels the session and its payment, voids the charge, and changes nothing the second time', async () => {
    const id = await sessionAtWallet(service)
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

  test('conflicts if the session was paid meanwhile', async () => {
    const id = await newSession(service)
    const [cancels, pays] = [service.work(), service.work()]
    const { changes } = await cancelSessionAndPayment(cancels, id)
    const paid = await paySession(pays, { progress: FRESH }, id, card())
    await pays.commit(paid.changes)
    await expect(cancels.commit(changes)).rejects.toThrow(WriteConflict)
    expect(await storedSession(service, id)).toMatchObject({
      session: { status: 'completed' },
      payment: { status: 'captured' },
    })
  })

  test('conflicts with the approval of its wallet payment, so that only the first of both is committed', async () => {
    for (const ends_first of [false, true]) {
      const id = await sessionAtWallet(service)
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
      const after = await storedSession(service, id)
      expect([after.session.status, after.payment?.status]).toEqual(
        ends_first ? ['cancelled', 'cancelled'] : ['completed', 'captured'],
      )
    }
  })

  test('refuses while the outcome of the payment is unknown', async () => {
    const id = await newSession(service)
    const work = service.work({ scenario: 'timeout_after_charge' })
    await expect(paySession(work, { progress: FRESH }, id, card())).rejects.toMatchObject({
      cause: { code: 'gateway_timeout' },
    })
    await expect(cancelSessionAndPayment(service.work(), id)).rejects.toMatchObject({ code: 'conflict' })
    expect((await storedSession(service, id)).session.status).toBe('pending')
  })
})
