import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FRESH } from '#shared/domain/operation-progress.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { loadSession, paySession } from '#shared/sessions/pay-session.ts'
import { sessions } from '#shared/store/sessions.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { measured } from '#test/fixtures/measured-table.ts'
import { cardDetails } from '#test/fixtures/records.ts'
import { newSession, sessionAtWallet, storedSession } from './stored-sessions.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

const card = () => ({ payment_details: cardDetails() })

describe('paySession and loadSession', () => {
  test('paySession records the payment in the session before it calls the acquirer', async () => {
    const id = await newSession(service)
    const seen: (string | null)[] = []
    const { table } = service.platform
    const write: typeof table.write = async (writes, options) => {
      const asks = writes.some((entry) => 'put' in entry && entry.put.pk.startsWith('sandbox#'))
      if (asks) seen.push((await storedSession(service, id)).session.payment)
      return table.write(writes, options)
    }
    const watched = new Proxy(table, {
      get(target, name) {
        if (name === 'write') return write
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const work = service.work({ platform: { ...service.platform, table: watched } })
    const { changes, answer } = await paySession(work, { progress: FRESH }, id, card())
    await work.commit(changes)
    expect(seen).toEqual([answer.payment!.id])
    expect(await storedSession(service, id)).toMatchObject({
      session: { status: 'completed' },
      payment: { status: 'captured' },
    })
  })

  test('paySession conflicts if the session has changed since it was read', async () => {
    const id = await sessionAtWallet(service)
    const [one, other] = [service.work(), service.work()]
    await Promise.all([loadSession(one, id, card()), loadSession(other, id, card())])
    const first = await paySession(one, { progress: FRESH }, id, card())
    await one.commit(first.changes)
    await expect(paySession(other, { progress: FRESH }, id, card())).rejects.toThrow(WriteConflict)
    expect((await storedSession(service, id)).payment).toMatchObject({
      id: first.answer.payment!.id,
      status: 'captured',
    })
  })

  test('paySession accepts a request that arrived before the session expired', async () => {
    const id = await newSession(service)
    const arrived = service.platform.clock.now()
    await service.advance(24 * 3600)
    const work = service.work()
    const late = paySession(service.work(), { progress: FRESH }, id, card())
    await expect(late).rejects.toMatchObject({ code: 'unprocessable_entity' })
    const { changes } = await paySession(work, { progress: FRESH }, id, { ...card(), now: arrived })
    await work.commit(changes)
    expect(await storedSession(service, id)).toMatchObject({ session: { status: 'completed' } })
  })

  test('loadSession reads the session, its payment and the source in two round trips', async () => {
    const id = await sessionAtWallet(service)
    const table = measured(service.platform.table)
    const work = service.work({ platform: { ...service.platform, table } })
    await loadSession(work, id, card())
    await work.get(sessions, id)
    expect(table.measure.waits).toBe(2)
  })
})
