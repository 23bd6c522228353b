import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Item } from '#shared/platform/ports.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { inconsistencies } from './consistency.ts'

/**
 * The items of a merchant with two webhooks and a payment that has a webhook of its own. One of the merchant's webhooks
 * is deleted. No receiver responds.
 */
let items: Item[]
let api: Api
beforeAll(async () => {
  api = await openApi()
  const hook = (json: object) =>
    api.request('POST /webhooks', { json: { url: 'https://shop.example/', event_list: ['payment.captured'], ...json } })
  await hook({})
  const { id } = (await hook({})).body
  const webhooks = [{ url: 'https://shop.example/own', events: ['payment.captured'] }]
  const order = { amount: 1_000, currency: 'JPY', payment_details: card(), webhooks }
  await api.request('POST /payments', { json: order })
  await api.advance(10)
  await api.request(`DELETE /webhooks/${id}`)
  await api.advance(60)
  items = [...api.platform.table.items()]
})
afterAll(() => api.close())

const kept = (fits: (item: Item) => boolean): Item => items.find(fits)!
const isDelivery = (type: string, to: 'webhook' | 'entry') => (item: Item) =>
  item.sk === 'delivery' && item.event_type === type && item[to] !== null && item.status === 'pending'

/** Returns what is wrong once an item is changed, or removed. */
const wrongWith = (fits: (item: Item) => boolean, changes: object | undefined, settled = true) => {
  const one = kept(fits)
  const others = items.filter((item) => item !== one)
  return inconsistencies(changes ? [...others, { ...one, ...changes }] : others, { settled })
}

describe('the consistency check of deliveries', () => {
  test('finds nothing wrong with consistent deliveries', () => {
    expect(inconsistencies(items, { settled: true })).toEqual([])
    expect(items.filter(({ sk }) => sk === 'delivery')).toHaveLength(5)
  })

  test.each<[string, (item: Item) => boolean, object | undefined, RegExp]>([
    [
      'a webhook has no delivery',
      isDelivery('payment.captured', 'webhook'),
      undefined,
      /whk_\w+ has no delivery of evt_/,
    ],
    [
      "a payment's webhook has no delivery",
      isDelivery('payment.captured', 'entry'),
      undefined,
      /webhook 0 of pay_\w+ has no delivery/,
    ],
    ['a ping has no delivery', isDelivery('ping', 'webhook'), undefined, /whk_\w+ has no delivery of evt_/],
    [
      'a delivery has another type than its event',
      isDelivery('ping', 'webhook'),
      { event_type: 'payment.captured' },
      /and its event is not/,
    ],
    ['a delivery has no event', isDelivery('ping', 'webhook'), { event: 'evt_1' }, /which does not exist/],
    [
      'the id of a delivery is not derived from its event',
      isDelivery('ping', 'webhook'),
      { id: 'dlv_1' },
      /is not named after/,
    ],
    ['a delivery has no receiver', isDelivery('ping', 'webhook'), { webhook: null }, /goes to no receiver/],
    [
      'a list entry has another status',
      ({ pk, sk }) => /^list#delivery#mer_\w+$/.test(pk) && sk.startsWith('dlv_'),
      { facet: 'delivered//' },
      /its entry in/,
    ],
    [
      'an attempt is missing',
      ({ pk, sk }) => pk.startsWith('delivery#') && sk === 'attempt#000000',
      undefined,
      /attempts and has 1/,
    ],
    [
      'an attempt is counted twice',
      isDelivery('ping', 'webhook'),
      { attempts_made: 2, tries: 2 },
      /attempts and has 0/,
    ],
    [
      'a delivery is delivered without success',
      isDelivery('ping', 'webhook'),
      { status: 'delivered' },
      /is delivered, its last/,
    ],
    ['a delivery failed too soon', isDelivery('ping', 'webhook'), { status: 'failed' }, /failed after \d tries/],
    ['a delivery has too many tries', isDelivery('ping', 'webhook'), { tries: 27 }, /says 27 tries/],
    [
      'a delivery is due at another time',
      isDelivery('ping', 'webhook'),
      { due_at: '2030-01-01T00:00:00Z' },
      /due 2030/,
    ],
    ['a delivery is never due', isDelivery('ping', 'webhook'), { due_at: undefined }, /due undefined/],
    [
      'a delivery is still leased',
      isDelivery('ping', 'webhook'),
      { lease: { token: 't', until: '2030-01-02T04:00:00Z' }, due_at: '2030-01-02T04:00:00Z' },
      /held until/,
    ],
  ])('finds that %s', (_, fits, changes, expected) => {
    expect(wrongWith(fits, changes)).toContainEqual(expect.stringMatching(expected))
  })

  test('finds a recovery that has not ended', () => {
    const recovery = { since: '2030-01-01T00:00:00Z', next: null, due_at: '2030-01-02T03:00:00Z' }
    const isWebhook = ({ sk }: Item) => sk === 'webhook'
    expect(wrongWith(isWebhook, { recovery })).toContainEqual(
      expect.stringMatching(/^whk_\w+ is still being recovered$/),
    )
    expect(wrongWith(isWebhook, { recovery }, false)).toEqual([])
  })

  test('finds a second delivery to a receiver, and an event that was not fanned out', () => {
    const one = kept(isDelivery('ping', 'webhook'))
    const twin = { ...one, pk: `${one.pk}0`, id: `${one.id}0` }
    expect(inconsistencies([...items, twin])).toContainEqual(expect.stringMatching(/has 2 deliveries to whk_/))
    const event = kept(({ sk, type }) => sk === 'event' && type === 'ping')
    const waiting = [...items, { pk: event.pk, sk: 'outbox', version: 1 }]
    expect(inconsistencies(waiting)).toEqual([])
    expect(inconsistencies(waiting, { settled: true })).toEqual([`${event.id} was not fanned out`])
  })
})
