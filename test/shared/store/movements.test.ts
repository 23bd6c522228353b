import { describe, expect, test } from 'vitest'
import type { Movement } from '#shared/domain/movement.ts'
import { changed } from '#shared/store/change.ts'
import { itemsOf } from '#shared/store/items-of.ts'
import { movementItem, movementsBetween } from '#shared/store/movements.ts'
import { payments } from '#shared/store/payments.ts'
import { openApi } from '#test/fixtures/api.ts'
import { paymentRecord } from '#test/fixtures/records.ts'
import { MemoryTable } from '#test/simulation/memory-table.ts'

const FROM = Date.parse('2029-12-30T15:00:00Z')
const TO = Date.parse('2030-01-06T15:00:00Z')
const movement = (of: string): Movement => ({ of, type: 'capture', currency: 'JPY', amount: 100, fee: 3 })

describe('movementsBetween', () => {
  test('returns the movements from the first millisecond to the last, in their order', async () => {
    const table = new MemoryTable()
    const times = { before: FROM - 1, first: FROM, second: FROM, middle: (FROM + TO) / 2, last: TO - 1, after: TO }
    for (const [of, at] of Object.entries(times).toReversed())
      await table.write([{ put: movementItem('mer_1', movement(of), at), was: 0 }])
    await table.write([{ put: movementItem('mer_2', movement('other'), FROM), was: 0 }])
    const found = await itemsOf(table, movementsBetween('mer_1', FROM, TO))
    expect(found.map(({ of }) => of)).toEqual(['first', 'second', 'middle', 'last'])
    expect(found[0]).toMatchObject(movement('first'))
    expect((await itemsOf(table, movementsBetween('mer_1', TO, TO + 1))).map(({ of }) => of)).toEqual(['after'])
  })
})

describe('movements', () => {
  test('are written with a change that moves money, and with no other change', async () => {
    const service = await openApi()
    const {
      platform,
      test: { id: merchant },
    } = service
    const kept = () => itemsOf(platform.table, movementsBetween(merchant, 0, platform.clock.now() + 1_000))
    const work = service.work()
    const pending = paymentRecord({ id: 'pay_1', version: 0, status: 'pending' })
    const commit = async (fields: object) => {
      await work.commit([changed(payments, { ...(await work.get(payments, 'pay_1')), ...fields })])
      return (await kept()).map(({ of, type, amount, fee }) => [of, type, amount, fee])
    }
    await work.commit([changed(payments, pending)])
    expect(await kept()).toEqual([])
    expect(await commit({ description: 'new' })).toEqual([])
    const capture = ['pay_1', 'capture', 1_100, 39]
    expect(await commit({ status: 'captured', captured_at: '2030-01-02T03:00:00Z' })).toEqual([capture])
    expect(await commit({ description: 'newer' })).toEqual([capture])
    const refund = { id: 'ref_1', amount: 300 }
    expect(await commit({ refunds: [refund], amount_refunded: 300 })).toEqual([capture, ['ref_1', 'refund', 300, 0]])
    service.close()
  })

  test('are not written if their change loses a race, so that each is written once', async () => {
    const service = await openApi()
    const {
      platform,
      test: { id: merchant },
    } = service
    const first = service.work()
    await first.commit([changed(payments, paymentRecord({ id: 'pay_1', version: 0, status: 'pending' }))])
    const [one, other] = [service.work(), service.work()]
    const captured = async (work: typeof one) => ({
      ...(await work.get(payments, 'pay_1')),
      status: 'captured' as const,
      captured_at: '2030-01-02T03:00:00Z',
    })
    const [a, b] = [await captured(one), await captured(other)]
    await one.commit([changed(payments, a)])
    platform.clock.turnTo(platform.clock.now() + 1)
    await expect(other.commit([changed(payments, b)])).rejects.toThrow('a version has changed')
    expect(await itemsOf(platform.table, movementsBetween(merchant, 0, platform.clock.now() + 1))).toHaveLength(1)
    service.close()
  })

  test('are never written much later than their own time, so that no week is settled before them', async () => {
    const service = await openApi()
    const { platform } = service
    const work = service.work()
    const { write } = platform.table
    const seen: (number | undefined)[] = []
    const table = new Proxy(platform.table, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (name === 'write')
          return (...[writes, options]: Parameters<typeof write>) => {
            seen.push(options?.latest)
            return target.write(writes, options)
          }
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await work.commit([changed(payments, paymentRecord({ id: 'pay_1', version: 0, status: 'pending' }))])
    platform.clock.turnTo(platform.clock.now() + 86_400_000)
    const later = service.work({ platform: { ...platform, table } })
    const payment = await later.get(payments, 'pay_1')
    const captured = { ...payment, status: 'captured' as const, captured_at: '2030-01-03T03:00:00Z' }
    await later.commit([changed(payments, captured)])
    expect(seen).toEqual([platform.clock.now() + 60_000])
    service.close()
  })
})
