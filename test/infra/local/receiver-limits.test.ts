import { beforeEach, describe, expect, test } from 'vitest'
import { ReceiverLimits } from '#infra/local/receiver-limits.ts'

let elapsed_ms: number
let limits: ReceiverLimits
beforeEach(() => {
  elapsed_ms = 0
  limits = new ReceiverLimits(() => elapsed_ms)
})

const call = (took_ms: number, receiver = 'a', has_delivered = true) => {
  const end = limits.begin(receiver)
  elapsed_ms += took_ms
  end(has_delivered)
}

describe('ReceiverLimits', () => {
  test('begins with four calls at once', () => {
    expect(limits.of('a')).toBe(4)
  })

  test.each([
    [0, 5],
    [499, 5],
    [500, 4],
    [1999, 4],
    [2000, 2],
    [60_000, 2],
  ])('after a call of %d ms allows %d', (took_ms, expected) => {
    call(took_ms)
    expect(limits.of('a')).toBe(expected)
  })

  test('do not grow by calls that fail fast', () => {
    call(1, 'a', false)
    expect(limits.of('a')).toBe(4)
    call(2000, 'a', false)
    expect(limits.of('a')).toBe(2)
  })

  test('allows 128 at most and one at least', () => {
    for (let n = 0; n < 200; n++) call(1)
    expect(limits.of('a')).toBe(128)
    for (let n = 0; n < 20; n++) call(5000)
    expect(limits.of('a')).toBe(1)
    call(1)
    expect(limits.of('a')).toBe(2)
  })

  test('are halved once by the slow calls of one moment', () => {
    for (let n = 0; n < 12; n++) call(1)
    const ends = Array.from({ length: 16 }, () => limits.begin('a'))
    elapsed_ms += 3000
    for (const end of ends) end(true)
    expect(limits.of('a')).toBe(8)
    call(3000)
    expect(limits.of('a')).toBe(4)
  })

  test('of one receiver do not change those of another', () => {
    call(5000)
    call(1, 'b')
    expect([limits.of('a'), limits.of('b'), limits.of('c')]).toEqual([2, 5, 4])
  })

  test('are forgotten for a receiver at rest, unless it is slow', () => {
    call(1)
    call(5000, 'b')
    limits.forget('a')
    limits.forget('b')
    expect([limits.of('a'), limits.of('b')]).toEqual([4, 2])
  })
})
