import { expect, test } from 'vitest'
import { event_types } from '#shared/domain/event.ts'

test('event_types lists the event types of the API reference in its order', () => {
  expect(event_types).toEqual([
    'ping',
    'payment.authorized',
    'payment.captured',
    'payment.updated',
    'payment.expired',
    'payment.cancelled',
    'payment.refund.created',
    'payment.refunded',
    'payment.failed',
    'payment.marked.as.fraud',
    'customer.created',
    'customer.updated',
    'customer.deleted',
    'subscription.created',
    'subscription.captured',
    'subscription.failed',
    'subscription.suspended',
    'subscription.deleted',
    'settlement.created',
  ])
})
