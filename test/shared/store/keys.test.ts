import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deliveryId } from '#shared/store/deliveries.ts'
import {
  accountNameKey,
  apiKeyKey,
  applicationKey,
  attemptKey,
  cardKey,
  cursorKey,
  type DueKind,
  deliveryAttemptKey,
  due_kinds,
  dueShard,
  groupOf,
  hashOfKey,
  idempotencyKey,
  isId,
  kindOf,
  listPk,
  merchantAndId,
  merchantKey,
  movementsPk,
  OUTBOX,
  outboxKey,
  recordKey,
  sandboxKey,
  settlingKey,
  shardsOf,
  tokenKey,
} from '#shared/store/keys.ts'

test('keys are spelled as before, so that stored items are found', () => {
  const hash = createHash('sha256').update('sk_test_x').digest('hex')
  expect(
    [
      recordKey('payment', 'mer_1', 'pay_1'),
      attemptKey('mer_1', 'pay_1', 12),
      deliveryAttemptKey('mer_1', 'dlv_1', 3),
      outboxKey('mer_1', 'evt_1'),
      cardKey('mer_1', 'cus_1'),
      tokenKey('mer_1', 'abc'),
      idempotencyKey('mer_1', 'f00'),
      sandboxKey('mer_1', 'pay_1-1'),
      merchantKey('mer_1'),
      apiKeyKey(hashOfKey('sk_test_x')),
      accountNameKey('山田'),
      applicationKey('mer_1', 'site_information'),
      settlingKey('mer_1'),
      cursorKey('payment'),
    ].map(({ pk, sk }) => `${pk} ${sk}`),
  ).toEqual([
    'payment#mer_1#pay_1 payment',
    'payment#mer_1#pay_1 attempt#000012',
    'delivery#mer_1#dlv_1 attempt#000003',
    'event#mer_1#evt_1 outbox',
    'card#mer_1#cus_1 card',
    'token#mer_1#abc token',
    'idempotency#mer_1#f00 idempotency',
    'sandbox#mer_1#pay_1-1 sandbox',
    'merchant#mer_1 merchant',
    `key#${hash} key`,
    'account_name#山田 account_name',
    'application#mer_1#site_information application',
    'settling#mer_1#mer_1 settling',
    'cursor#payment cursor',
  ])
  expect(movementsPk('mer_1')).toBe('movement#mer_1')
  expect(listPk('payment', 'mer_1')).toBe('list#payment#mer_1')
  expect(listPk('payment', 'mer_1', { by: 'customer', value: 'cus_1' })).toBe('list#payment#mer_1#customer#cus_1')
})

test('attemptKey places attempts under their payment, in their order', () => {
  const keys = [2, 10, 999_999].map((number) => attemptKey('mer_1', 'pay_1', number).sk)
  expect(keys.toSorted()).toEqual(keys)
  expect(attemptKey('mer_1', 'pay_1', 1).pk).toBe(recordKey('payment', 'mer_1', 'pay_1').pk)
})

test('outboxKey places an outbox row under its event, with a sort key of its own', () => {
  const { pk, sk } = outboxKey('mer_1', 'evt_1')
  expect(pk).toBe(recordKey('event', 'mer_1', 'evt_1').pk)
  expect([pk.startsWith(OUTBOX.pk_prefix), sk]).toEqual([true, OUTBOX.sk])
  expect(recordKey('event', 'mer_1', 'evt_1').sk).not.toBe(OUTBOX.sk)
})

describe('groupOf', () => {
  const delivery = (id: string, merchant = 'mer_1') => groupOf('delivery', recordKey('delivery', merchant, id).pk)
  const [webhook, url] = ['webhook#whk_1', 'url#0#https://shop.example/']
  const event = (n: number) => `evt_${'0'.repeat(25)}${n}`

  test('is the same for all deliveries of a receiver, and differs for any other receiver', () => {
    const group = delivery(deliveryId(event(1), webhook))
    expect(delivery(deliveryId(event(2), webhook))).toBe(group)
    expect(delivery(deliveryId(event(1), url))).not.toBe(group)
    expect(delivery(deliveryId(event(1), webhook), 'mer_2')).not.toBe(group)
  })

  test('consists of letters, digits and underscores, at most 128', () => {
    expect(delivery(deliveryId(event(1), webhook), `mer_${'a'.repeat(26)}`)).toMatch(/^\w{1,128}$/)
  })

  test('is undefined for every other kind', () => {
    const kinds = due_kinds.filter((kind) => kind !== 'delivery')
    expect(kinds.map((kind) => groupOf(kind, recordKey('payment', 'mer_1', 'pay_1').pk))).toEqual(
      kinds.map(() => undefined),
    )
  })
})

test('merchantAndId reads the merchant and the id from a key', () => {
  expect(merchantAndId(recordKey('payment', 'mer_1', 'pay_1').pk)).toEqual({ merchant: 'mer_1', id: 'pay_1' })
  expect(merchantAndId('')).toEqual({ merchant: '', id: '' })
})

describe('shardsOf, dueShard and kindOf', () => {
  const shard_counts: Record<DueKind, number> = {
    payment: 64,
    attempt: 64,
    outbox: 64,
    delivery: 64,
    webhook: 4,
    subscription: 64,
    occurrence: 64,
    settling: 4,
    file: 4,
    secure_token: 64,
    notification: 64,
    provider_events: 4,
    test_clock: 4,
  }

  test('shards are spelled as before, so that stored items fall due', () => {
    expect(shardsOf('webhook')).toEqual(['due#webhook#00', 'due#webhook#01', 'due#webhook#02', 'due#webhook#03'])
    expect(dueShard('payment', 'payment#mer_1#pay_1')).toBe('due#payment#45')
  })

  test('an item always has the same shard, and the items spread evenly over the shards of a kind', () => {
    for (const kind of due_kinds) {
      const names = new Set(shardsOf(kind))
      const counts = new Map<string, number>()
      for (let n = 0; n < 6400; n++) {
        const shard = dueShard(kind, `payment#mer_1#pay_${n}`)
        expect(names.has(shard)).toBe(true)
        counts.set(shard, (counts.get(shard) ?? 0) + 1)
      }
      expect([kind, counts.size, names.size]).toEqual([kind, shard_counts[kind], shard_counts[kind]])
      expect(Math.max(...counts.values())).toBeLessThan((2 * 6400) / shard_counts[kind])
    }
    expect(dueShard('payment', 'x')).toBe(dueShard('payment', 'x'))
  })

  test('kindOf returns the kind of a shard', () => {
    expect(due_kinds.map((kind) => kindOf(dueShard(kind, 'x')))).toEqual([...due_kinds])
  })
})

describe('isId', () => {
  test.each(['pay_1', 'cus_01q3g91pw0v1sc87hcsttm902f', `evt_${'a'.repeat(60)}`])('accepts %s', (text) => {
    expect(isId(text)).toBe(true)
  })
  test.each([
    '',
    'pay',
    'pay_',
    'PAY_1',
    'pay_A',
    'pay_1#2',
    'pay_1/2',
    'pay_ 1',
    'pay_é',
    'payment_1',
    `pay_${'a'.repeat(61)}`,
    'pay_1\n',
  ])('rejects %j', (text) => {
    expect(isId(text)).toBe(false)
  })
})
