import { expect, test } from 'vitest'
import { type Event, type EventType, event_types } from '#shared/domain/event.ts'
import { event_list_types, wants } from '#shared/domain/webhook.ts'
import { webhookRecord } from '#test/support/delivery-record.ts'

const eventOf = (type: EventType, id = 'pay_1'): Event => ({
  id: 'evt_1',
  version: 1,
  type,
  about: { kind: type.split('.')[0]!, id, version: 1 },
  data: {},
  created_at: '2030-01-02T03:00:00Z',
})

test('a webhook gets the events that it asks for, and no others', () => {
  const webhook = webhookRecord({ event_list: ['payment.captured', 'customer.deleted', 'payout.created'] })
  expect(event_types.filter((type) => wants(webhook, eventOf(type)))).toEqual(['payment.captured', 'customer.deleted'])
})

test('a webhook that is switched off gets none', () => {
  const webhook = webhookRecord({ event_list: event_types, active: false })
  expect(event_types.filter((type) => wants(webhook, eventOf(type)))).toEqual([])
})

test('a ping goes to the webhook that it is about, asked for or not, switched off or not, and to no other', () => {
  for (const active of [true, false]) {
    const webhook = webhookRecord({ event_list: ['payment.captured'], active })
    expect(wants(webhook, eventOf('ping', webhook.id))).toBe(true)
    expect(wants({ ...webhook, event_list: ['ping'] }, eventOf('ping', 'whk_2'))).toBe(false)
  }
})

test('what can be asked for is every event, and one that never happens', () => {
  expect(event_list_types).toEqual([...event_types, 'payout.created'])
})
