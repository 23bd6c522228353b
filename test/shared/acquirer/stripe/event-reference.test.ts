import { describe, expect, test } from 'vitest'
import { eventReference } from '#shared/acquirer/stripe/event-reference.ts'
import { stripeEvent } from '#test/fixtures/stripe-notifications.ts'

describe('eventReference', () => {
  test('returns the ids, type, mode and time of an event', () => {
    expect(eventReference(stripeEvent('evt_1', { account: 'acct_1', livemode: true }))).toEqual({
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      object: 'pi_1',
      account: 'acct_1',
      is_live: true,
      created_at: '2030-01-02T03:00:00Z',
    })
    expect(eventReference(stripeEvent())).toMatchObject({ account: null, is_live: false })
  })

  test.each([
    ['null', null],
    ['a text', 'evt_1'],
    ['a list', [stripeEvent()]],
    ['another object', { ...stripeEvent(), object: 'charge' }],
    ['no id', stripeEvent('')],
    ['an id with a separator of keys', stripeEvent('evt_1#2')],
    ['a longer id than a key may have', stripeEvent(`evt_${'1'.repeat(251)}`)],
    ['no type', stripeEvent('evt_1', { type: undefined })],
    ['no data', stripeEvent('evt_1', { data: null })],
    ['no object', stripeEvent('evt_1', { data: { object: null } })],
    ['an object without an id', stripeEvent('evt_1', { data: { object: {} } })],
    ['an invalid account', stripeEvent('evt_1', { account: {} })],
    ['no mode', stripeEvent('evt_1', { livemode: 'false' })],
    ['no time', stripeEvent('evt_1', { created: '1893553200' })],
    ['a time that has no timestamp', stripeEvent('evt_1', { created: Number.MAX_SAFE_INTEGER })],
    ['a negative time', stripeEvent('evt_1', { created: -1 })],
  ])('returns undefined for %s', (_, event) => {
    expect(eventReference(event)).toBeUndefined()
  })
})
