import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FRESH } from '#shared/domain/operation-progress.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { CreateSession } from '#shared/resources/create-session.ts'
import { parse } from '#shared/resources/parse.ts'
import { createSession } from '#shared/sessions/create-session.ts'
import { loadSession, paySession } from '#shared/sessions/pay-session.ts'
import { payments } from '#shared/store/payments.ts'
import { sessions } from '#shared/store/sessions.ts'
import { measured } from '#test/fixtures/measured-table.ts'
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

describe('paySession and loadSession', () => {
  test('paySession records the payment in the session before it calls the acquirer', async () => {
    const id = await newSession()
    const seen: (string | null)[] = []
    const { table } = working.platform
    const write: typeof table.write = async (writes, options) => {
      const asks = writes.some((entry) => 'put' in entry && entry.put.pk.startsWith('sandbox#'))
      if (asks) seen.push((await kept(id)).session.payment)
      return table.write(writes, options)
    }
    const watched = new Proxy(table, {
      get(target, name) {
        if (name === 'write') return write
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const work = working.work({ platform: { ...working.platform, table: watched } })
    const { changes, answer } = await paySession(work, { progress: FRESH }, id, card())
    await work.commit(changes)
    expect(seen).toEqual([answer.payment!.id])
    expect(await kept(id)).toMatchObject({ session: { status: 'completed' }, payment: { status: 'captured' } })
  })

  test('paySession conflicts if the session has changed since it was read', async () => {
    const id = await waiting()
    const [one, other] = [working.work(), working.work()]
    await Promise.all([loadSession(one, id, card()), loadSession(other, id, card())])
    const first = await paySession(one, { progress: FRESH }, id, card())
    await one.commit(first.changes)
    await expect(paySession(other, { progress: FRESH }, id, card())).rejects.toThrow(WriteConflict)
    expect((await kept(id)).payment).toMatchObject({ id: first.answer.payment!.id, status: 'captured' })
  })

  test('loadSession reads the session, its payment and the source in two round trips', async () => {
    const id = await waiting()
    const table = measured(working.platform.table)
    const work = working.work({ platform: { ...working.platform, table } })
    await loadSession(work, id, card())
    await work.get(sessions, id)
    expect(table.measure.waits).toBe(2)
  })
})
