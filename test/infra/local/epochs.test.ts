import { beforeEach, describe, expect, test } from 'vitest'
import { Epochs } from '#infra/local/epochs.ts'
import type { Message } from '#shared/platform/ports.ts'
import { type DueKind, dueShard } from '#shared/store/keys.ts'

const AT = Date.parse('2030-01-01T00:00:00Z')
const IN_TIME = '2030-01-01T00:00:00Z'
const TOO_LATE = '2030-01-01T00:00:01Z'

let epochs: Epochs
beforeEach(() => {
  epochs = new Epochs()
})

const key = { pk: 'delivery#mer_1#dlv_1', sk: 'delivery' }
const message = (due_at: string): Message => ({ kind: 'delivery', ...key, due_at })
const put = (kind: DueKind) => ({ put: { ...key, version: 1, due_shard: dueShard(kind, key.pk), due_at: IN_TIME } })

describe('Epochs without a clock call', () => {
  test('assigns writes in every context to the latest epoch', () => {
    epochs.close(epochs.open(AT))
    epochs.close(epochs.open(AT))
    const seen = [
      epochs.current,
      epochs.serve(() => epochs.current),
      epochs.within(1, () => epochs.current),
      epochs.apart(() => epochs.current),
    ]
    expect([epochs.served, ...seen]).toEqual([0, 2, 2, 2, 2])
  })
})

describe('Epochs with open clock calls', () => {
  test('assigns writes of clients to the latest epoch, and work of the service to the one before the served epoch', async () => {
    const [first, second] = [epochs.open(AT), epochs.open(AT)]
    const seen = () => [
      epochs.served,
      epochs.serve(() => epochs.current),
      epochs.current,
      epochs.within(7, () => epochs.current),
    ]
    expect(seen()).toEqual([first.epoch, second.epoch, first.epoch - 1, 7])
    epochs.close(first)
    expect(seen()).toEqual([second.epoch, second.epoch, second.epoch - 1, 7])
  })

  test('assigns a write of a request to the epoch at the time of the write', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const written = epochs.serve(async () => {
      await promise
      return epochs.current
    })
    const { epoch } = epochs.open(AT)
    resolve()
    expect(await written).toBe(epoch)
  })

  test.each(['attempt', 'outbox', 'delivery'] as const)(
    'treats a due record of kind %s that a client writes as foreign',
    (kind) => {
      const { epoch } = epochs.open(AT)
      epochs.serve(() => epochs.committed([put(kind)]))
      expect([epochs.isForeign(key), epochs.apart(() => epochs.ofMessage(message(IN_TIME)))]).toEqual([true, epoch])
      epochs.within(epoch, () => epochs.committed([{ delete: key, was: 1 }]))
      expect(epochs.isForeign(key)).toBe(false)
    },
  )

  test.each([
    ['that is not a safeguard', () => epochs.serve(() => epochs.committed([put('subscription')]))],
    ['of work that the clock call waits for', () => epochs.apart(() => epochs.committed([put('delivery')]))],
    ['that a client only checks', () => epochs.serve(() => epochs.committed([{ check: key, was: 1 }]))],
  ])('does not treat a due record %s as foreign', (_, commit) => {
    epochs.open(AT)
    commit()
    expect(epochs.isForeign(key)).toBe(false)
  })

  test('does not treat a record as foreign to a later call, or after all calls are closed', () => {
    const first = epochs.open(AT)
    epochs.serve(() => epochs.committed([put('delivery')]))
    const second = epochs.open(AT)
    epochs.close(first)
    expect(epochs.isForeign(key)).toBe(false)
    epochs.close(second)
    epochs.open(AT)
    expect(epochs.isForeign(key)).toBe(false)
  })

  test('makes a call wait for messages of a sweep and for retries only if they are due by its moment', () => {
    const { epoch } = epochs.open(AT)
    const sent = (due_at: string) => [
      epochs.apart(() => epochs.ofMessage(message(due_at))),
      epochs.within(0, () => epochs.ofMessage(message(due_at)), key.pk),
    ]
    expect([sent(IN_TIME), sent(TOO_LATE)]).toEqual([
      [epoch - 1, 0],
      [epoch, epoch],
    ])
  })

  test('makes a call wait for the messages that awaited work sends, even if they are due after its moment', () => {
    const { epoch } = epochs.open(AT)
    expect(epochs.within(epoch - 1, () => epochs.ofMessage(message(TOO_LATE)))).toBe(epoch - 1)
  })
})
