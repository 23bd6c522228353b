import { describe, expect, test } from 'vitest'
import { servedRoutes } from '#shared/routes.ts'
import { billFor } from '#test/bench/bill.ts'
import { backgroundOperations, requestOperations } from '#test/bench/operations.ts'

describe('the measured costs', () => {
  test('of every row are the gateway, a function and its reads', async () => {
    const operations = await requestOperations()
    expect(new Set(operations.map(({ what }) => what))).toEqual(new Set(servedRoutes().map(({ route }) => route)))
    for (const { what, usage } of operations) {
      expect(usage, what).toMatchObject({ gateway_request: 1, invocation: 1 })
      // Its key has been looked up, at least, and a line has been logged.
      expect(usage.read_unit, what).toBeGreaterThanOrEqual(1)
      expect(usage.log_gigabyte! * 1024 ** 3, what).toBeGreaterThan(800)
      expect(billFor(usage, 1_000_000).total, what).toBeGreaterThan(4)
    }
  })

  test('of what happens by itself are messages, writes and the vault', async () => {
    const { operations, idle_sweep, payment } = await backgroundOperations()
    const cost = (what: string) => operations.find((operation) => operation.what === what)!.cost
    expect(cost('a delivery')).toMatchObject({ vault_calls: 1, queue_calls: 0 })
    expect(cost('an attempt that fails')).toMatchObject({ queue_calls: 1, fair_calls: 1 })
    expect(cost('a capture of a subscription')).toMatchObject({ vault_calls: 1 })
    const told = (what: string) => cost(`an event told to ${what}`).write_units
    expect(told('ten webhooks')).toBeGreaterThan(5 * told('one webhook'))
    expect(cost('a settlement of 100 payments').read_units).toBeGreaterThan(5)
    expect(idle_sweep.read_units).toBeGreaterThan(0)
    // The payment, its movement, two events, a delivery and its attempt, each with its entry, and the kept answer.
    expect(payment.items).toBeGreaterThanOrEqual(8)
    expect(payment.passing_items).toBeGreaterThanOrEqual(1)
  })
})
