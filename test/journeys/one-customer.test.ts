import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Table } from '#shared/platform/ports.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { ConflictingTable } from '#test/fixtures/conflicting-table.ts'

const PAYMENTS = 100

/** A card that the sandbox declines. */
const DECLINING = '4123111111111059'

type Writes = Parameters<Table['write']>[0]

let table: ConflictingTable
let api: Api
let port: Table
let customer: string
beforeEach(async () => {
  api = await openApi({
    around: (platform) => {
      table = new ConflictingTable(platform.table)
      port = table.port
      const write: Table['write'] = (writes, options) => port.write(writes, options)
      return {
        ...platform,
        table: new Proxy(platform.table, { get: (own, name) => (name === 'write' ? write : bound(own, name)) }),
      }
    },
  })
  const created = await table.runUntil(
    api.request('POST /customers', { json: { email: 'a@shop.example', payment_details: card() } }),
  )
  customer = created.body.id
})
afterEach(() => api.close())

function bound(own: object, name: string | symbol): unknown {
  const value = Reflect.get(own, name)
  return typeof value === 'function' ? value.bind(own) : value
}

const pay = () => api.request('POST /payments', { json: { amount: 1000, currency: 'JPY', customer } })

describe('payments of one customer on a table whose transactions conflict', () => {
  test('100 at once all succeed', async () => {
    const before = table.writes
    const all = Promise.all(Array.from({ length: PAYMENTS }, pay))
    while (table.writes - before < PAYMENTS) await new Promise((resolve) => setImmediate(resolve))
    expect(table.conflicts).toBeGreaterThan(PAYMENTS / 2)
    const replies = await table.runUntil(all)
    expect(replies.map(({ status, body }) => [status, body.status])).toEqual(Array(PAYMENTS).fill([200, 'captured']))
  })

  /**
   * Holds the first write of a payment until `meanwhile` has a response. Sends what `alter` makes of the write, and
   * returns the response to the payment.
   */
  async function payAround(meanwhile: () => ReturnType<typeof pay>, alter = (writes: Writes): Writes => writes) {
    const own = table.port
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      port = {
        ...own,
        write: async (writes, options) => {
          port = own
          resolve()
          await new Promise<void>((release) => {
            go = release
          })
          return own.write(alter(writes), options)
        },
      }
    })
    const payment = pay()
    await held
    expect((await table.runUntil(meanwhile())).status).toBe(200)
    go()
    return table.runUntil(payment)
  }

  test.each([
    ['a deletion of the customer', () => api.request(`DELETE /customers/${customer}`), 422],
    [
      'a replacement of the card',
      () => api.request(`PATCH /customers/${customer}`, { json: { payment_details: card(DECLINING) } }),
      402,
    ],
  ])('no charge of the old card begins after %s was answered', async (_, meanwhile, status) => {
    expect((await payAround(meanwhile)).status).toBe(status)
  })

  test('only the version check of the card prevents such a charge', async () => {
    const withoutChecks = (writes: Writes) => writes.filter((write) => !('check' in write))
    const { status } = await payAround(() => api.request(`DELETE /customers/${customer}`), withoutChecks)
    expect(status).toBe(200)
  })
})
