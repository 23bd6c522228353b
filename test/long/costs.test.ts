import { describe, expect, test } from 'vitest'
import { servedRoutes } from '#shared/routes.ts'
import { billFor } from '#test/bench/bill.ts'
import { backgroundOperations, requestOperations } from '#test/bench/operations.ts'

describe('the measured costs', () => {
  test('of every route include the gateway, an invocation and reads', async () => {
    const operations = await requestOperations()
    expect(new Set(operations.map(({ what }) => what))).toEqual(new Set(servedRoutes().map(({ route }) => route)))
    for (const { what, usage } of operations) {
      expect(usage, what).toMatchObject({ gateway_request: 1, invocation: 1 })
      // At least the API key is read and one line is logged.
      expect(usage.read_unit, what).toBeGreaterThanOrEqual(1)
      expect(usage.log_gigabyte! * 1024 ** 3, what).toBeGreaterThan(800)
      expect(billFor(usage, 1_000_000).total, what).toBeGreaterThan(4)
    }
  })

  test('of background work include messages, writes and the vault', async () => {
    const { operations, idle_sweep, payment } = await backgroundOperations()
    const cost = (what: string) => operations.find((operation) => operation.what === what)!.cost
    expect(cost('a delivery')).toMatchObject({ vault_calls: 1, queue_calls: 0 })
    expect(cost('an attempt that fails')).toMatchObject({ queue_calls: 1, fair_calls: 1 })
    expect(cost('a capture of a subscription')).toMatchObject({ vault_calls: 1 })
    const writeUnitsOf = (what: string) => cost(`fan-out to ${what}`).write_units
    expect(writeUnitsOf('ten webhooks')).toBeGreaterThan(5 * writeUnitsOf('one webhook'))
    expect(cost('a settlement of 100 payments').read_units).toBeGreaterThan(5)
    expect(idle_sweep.read_units).toBeGreaterThan(0)
    // The payment, its movement, two events, a delivery and its attempt, each with its list entry, and the stored
    // response.
    expect(payment.items).toBeGreaterThanOrEqual(8)
    expect(payment.passing_items).toBeGreaterThanOrEqual(1)
  })
})
