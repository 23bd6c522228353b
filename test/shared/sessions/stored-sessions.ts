import { FRESH } from '#shared/domain/operation-progress.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { Session } from '#shared/domain/session.ts'
import { CreateSession } from '#shared/resources/create-session.ts'
import { parse } from '#shared/resources/parse.ts'
import { createSession } from '#shared/sessions/create-session.ts'
import { paySession } from '#shared/sessions/pay-session.ts'
import { payments } from '#shared/store/payments.ts'
import { sessions } from '#shared/store/sessions.ts'
import type { Api } from '#test/fixtures/api.ts'

/** Creates a session of 1,000 JPY and returns its id. */
export async function newSession(service: Api): Promise<string> {
  const work = service.work()
  const { changes, answer } = await createSession(work, parse(CreateSession, { amount: 1000, currency: 'JPY' }))
  await work.commit(changes)
  return answer.id
}

/** Creates a session whose payment waits for the customer at a wallet, and returns its id. */
export async function sessionAtWallet(service: Api): Promise<string> {
  const id = await newSession(service)
  const work = service.work()
  const wallet = { payment_details: { type: 'paypay' } } as never
  const { changes } = await paySession(work, { progress: FRESH }, id, wallet)
  await work.commit(changes)
  return id
}

/** Returns the stored session and its payment, if it has one. */
export async function storedSession(service: Api, id: string): Promise<{ session: Session; payment?: Payment }> {
  const work = service.work()
  const session = await work.get(sessions, id)
  return session.payment === null ? { session } : { session, payment: await work.get(payments, session.payment) }
}
