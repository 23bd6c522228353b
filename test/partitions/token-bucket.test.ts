import { expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

test('a new bucket holds the capacity of 300 seconds', () => {
  expect(new TokenBucket(1_000, 300, 0).available(0)).toBe(300_000)
})

test('a bucket without retained capacity holds the limit of one second', () => {
  const bucket = new TokenBucket(1_000, 300, 0)
  bucket.spendBurst(0)
  expect(bucket.available(0)).toBe(1_000)
})

test('each millisecond adds a thousandth of the limit', () => {
  const bucket = new TokenBucket(3_000, 300, 0)
  bucket.take(900_000, 0)
  expect(bucket.available(0)).toBe(0)
  expect(bucket.available(10)).toBe(30)
  expect(bucket.available(1_000)).toBe(3_000)
})

test('no more than the capacity of 300 seconds is retained', () => {
  const bucket = new TokenBucket(1_000, 300, 0)
  bucket.take(1_000, 0)
  expect(bucket.available(500)).toBe(299_500)
  expect(bucket.available(3_600_000)).toBe(300_000)
})
