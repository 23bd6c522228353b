import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { event_types } from '#shared/domain/event.ts'
import { EventResource, event, ListEvents } from '#shared/resources/event.ts'
import { parse } from '#shared/resources/parse.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

describe('ListEvents', () => {
  test('filters by one or several types', () => {
    expect(parse(ListEvents, { type: 'ping' }).type).toEqual(['ping'])
    expect(parse(ListEvents, { type: 'payment.captured,customer.deleted' }).type).toEqual([
      'payment.captured',
      'customer.deleted',
    ])
    expect(parse(ListEvents, {}).type).toBeUndefined()
    expect(refusalOf(ListEvents, { type: 'payment.captured,payment.paid' })).toMatchObject({
      code: 'invalid_parameter',
      param: 'type',
    })
  })
})

describe('EventResource', () => {
  test('names every event type once', () => {
    expect(EventResource.options.flatMap(({ entries }) => entries.type.options).toSorted()).toEqual(
      event_types.toSorted(),
    )
  })

  test('takes only the kind of data that its type determines', () => {
    const data = {
      ...{ id: 'whk_1', resource: 'webhook', url: 'https://shop.example', active: true },
      ...{ event_list: ['ping'], created_at: '2030-01-01T00:00:00Z' },
    }
    const ping = { id: 'evt_1', type: 'ping', resource: 'event', data, created_at: '2030-01-01T00:00:00Z' }
    expect(v.is(EventResource, ping)).toBe(true)
    expect(v.is(EventResource, { ...ping, type: 'customer.created' })).toBe(false)
  })
})

describe('event', () => {
  test('returns the fields of the API reference in its order', () => {
    const record = {
      id: 'evt_1',
      version: 1,
      type: 'payment.captured',
      about: { kind: 'payment', id: 'pay_1', version: 2 },
      data: { id: 'pay_1' },
      created_at: '2030-01-01T00:00:00Z',
    } as const
    expect(Object.entries(event(record))).toEqual([
      ['id', 'evt_1'],
      ['type', 'payment.captured'],
      ['resource', 'event'],
      ['data', { id: 'pay_1' }],
      ['created_at', '2030-01-01T00:00:00Z'],
    ])
  })
})
