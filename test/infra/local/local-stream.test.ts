import { beforeEach, describe, expect, test } from 'vitest'
import { Epochs } from '#infra/local/epochs.ts'
import { LocalStream } from '#infra/local/local-stream.ts'
import type { Write } from '#shared/platform/ports.ts'
import { outboxKey, recordKey } from '#shared/store/keys.ts'

let stream: LocalStream
let arrivals: number
beforeEach(() => {
  arrivals = 0
  stream = new LocalStream()
  stream.onArrival = () => {
    arrivals++
  }
})

const outbox = (event: string): Write => ({ put: { ...outboxKey('mer_1', event), version: 1 } })
const taken = () => stream.take().map(({ dynamodb: { Keys } }) => [Keys.pk.S, Keys.sk.S])

describe('LocalStream', () => {
  test('returns the keys of written outbox rows once, in order', () => {
    stream.committed([outbox('evt_1'), outbox('evt_2')])
    stream.committed([outbox('evt_3')])
    expect([arrivals, stream.isEmpty]).toEqual([2, false])
    expect(taken()).toEqual(['evt_1', 'evt_2', 'evt_3'].map((event) => [`event#mer_1#${event}`, 'outbox']))
    expect([stream.isEmpty, taken()]).toEqual([true, []])
  })

  test('ignores events, other records, deletes and checks', () => {
    const other = { ...recordKey('payment', 'mer_1', 'pay_1'), sk: 'outbox', version: 1 }
    stream.committed([
      { put: { ...recordKey('event', 'mer_1', 'evt_1'), version: 1 }, was: 0 },
      { put: other },
      { delete: outboxKey('mer_1', 'evt_1'), was: 1 },
      { check: outboxKey('mer_1', 'evt_1'), was: 1 },
    ])
    expect([arrivals, stream.isEmpty, taken()]).toEqual([0, true, []])
  })

  test('returns at most a hundred records at a time', () => {
    stream.committed(Array.from({ length: 201 }, (_, n) => outbox(`evt_${n}`)))
    expect([taken().length, taken().length, taken().length, taken().length]).toEqual([100, 100, 1, 0])
  })

  test('returns records of one epoch at a time', () => {
    const epochs = new Epochs()
    stream = new LocalStream(epochs)
    stream.committed([outbox('evt_1'), outbox('evt_2')])
    const call = epochs.open(0)
    expect([stream.size, stream.holds(call.epoch)]).toEqual([2, true])
    epochs.serve(() => stream.committed([outbox('evt_3')]))
    expect(stream.take().map(({ epoch }) => epoch)).toEqual([0, 0])
    expect([stream.size, stream.holds(call.epoch)]).toEqual([1, false])
    expect(stream.take().map(({ epoch }) => epoch)).toEqual([call.epoch])
  })
})
