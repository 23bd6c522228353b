import { expect, test } from 'vitest'
import { newSubscription } from '#shared/domain/subscription.ts'
import { captureDue } from '#shared/domain/subscription-states.ts'
import { subscriptionRecord } from '#test/fixtures/records.ts'

test('a new subscription waits for the capture of its first interval, which is due now', () => {
  const { id, amount, currency, period, customer, metadata, created_at } = subscriptionRecord()
  const made = newSubscription({ id, amount, currency, period, customer, metadata }, Date.parse(created_at) + 500)
  expect(made).toEqual(subscriptionRecord({ payment_details: null }))
  expect(captureDue(made)).toBe(created_at)
})
