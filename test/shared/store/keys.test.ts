import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  apiKeyKey,
  attemptKey,
  cardKey,
  cursorKey,
  due_kinds,
  dueShard,
  idempotencyKey,
  isId,
  listPk,
  merchantAndId,
  merchantKey,
  recordKey,
  SHARDS,
  sandboxKey,
  shardName,
  tokenKey,
} from '#shared/store/keys.ts'

test('every key is spelt as it has always been: what is stored is found by it', () => {
  const hash = createHash('sha256').update('sk_test_x').digest('hex')
  expect(
    [
      recordKey('payment', 'mer_1', 'pay_1'),
      attemptKey('mer_1', 'pay_1', 12),
      cardKey('mer_1', 'cus_1'),
      tokenKey('mer_1', 'abc'),
      idempotencyKey('mer_1', 'f00'),
      sandboxKey('mer_1', 'pay_1-1'),
      merchantKey('mer_1'),
      apiKeyKey('sk_test_x'),
      cursorKey('due#payment#07'),
    ].map(({ pk, sk }) => `${pk} ${sk}`),
  ).toEqual([
    'payment#mer_1#pay_1 payment',
    'payment#mer_1#pay_1 attempt#000012',
    'card#mer_1#cus_1 card',
    'token#mer_1#abc token',
    'idempotency#mer_1#f00 idempotency',
    'sandbox#mer_1#pay_1-1 sandbox',
    'merchant#mer_1 merchant',
    `key#${hash} key`,
    'cursor#due#payment#07 cursor',
  ])
  expect(listPk('payment', 'mer_1')).toBe('list#payment#mer_1')
  expect(listPk('payment', 'mer_1', { by: 'customer', value: 'cus_1' })).toBe('list#payment#mer_1#customer#cus_1')
})

test('attempts stand beneath their payment in the order they were made', () => {
  const keys = [2, 10, 999_999].map((number) => attemptKey('mer_1', 'pay_1', number).sk)
  expect(keys.toSorted()).toEqual(keys)
  expect(attemptKey('mer_1', 'pay_1', 1).pk).toBe(recordKey('payment', 'mer_1', 'pay_1').pk)
})

test('the merchant and the id are read out of a key again', () => {
  expect(merchantAndId(recordKey('payment', 'mer_1', 'pay_1').pk)).toEqual({ merchant: 'mer_1', id: 'pay_1' })
  expect(merchantAndId('')).toEqual({ merchant: '', id: '' })
})

describe('shards', () => {
  test('are the same for the same item, and take about as much each', () => {
    for (const kind of due_kinds) {
      const names = new Set(Array.from({ length: SHARDS }, (_, shard) => shardName(kind, shard)))
      const counts = new Map<string, number>()
      for (let n = 0; n < 6400; n++) {
        const shard = dueShard(kind, `payment#mer_1#pay_${n}`)
        expect(names.has(shard)).toBe(true)
        counts.set(shard, (counts.get(shard) ?? 0) + 1)
      }
      expect(counts.size).toBe(64)
      expect(Math.max(...counts.values())).toBeLessThan(200)
    }
    expect(dueShard('payment', 'x')).toBe(dueShard('payment', 'x'))
  })
})

describe('isId', () => {
  test.each(['pay_1', 'cus_01q3g91pw0v1sc87hcsttm902f', `evt_${'a'.repeat(60)}`])('%s can be one', (text) => {
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
  ])('%j cannot', (text) => {
    expect(isId(text)).toBe(false)
  })
})
