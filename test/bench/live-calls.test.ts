import { expect, test } from 'vitest'
import { liveCosts, PLATFORM_WAITS_AT_MOST, ROUND_TRIPS_AT_MOST } from './live-calls.ts'

test('a live charge by card waits four times for the platform, and makes two round trips to the provider', async () => {
  const charges = (await liveCosts()).filter(({ is_charge }) => is_charge)
  expect(charges).toHaveLength(2)
  for (const { name, costs } of charges) {
    expect(costs.service.waits, name).toBeLessThanOrEqual(PLATFORM_WAITS_AT_MOST)
    expect(costs.acquirer.waits, name).toBeLessThanOrEqual(ROUND_TRIPS_AT_MOST)
    // The creation of the PaymentIntent and that of the payment method run at the same time.
    expect(costs.acquirer.calls, name).toBe(3)
  }
})
