import { beforeEach, describe, expect, test } from 'vitest'
import { LocalQueue } from '#infra/local/local-queue.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import type { Message } from '#shared/platform/ports.ts'
import { queueContract } from '#test/shared/platform/contract/queue-contract.ts'

queueContract('the queue contract in memory', async () => {
  const clock = new VirtualClock()
  const queue = new LocalQueue(clock)
  return { queue, receive: async () => queue.due(clock.now()) }
})

describe('LocalQueue', () => {
  let clock: VirtualClock
  let queue: LocalQueue
  beforeEach(() => {
    clock = new VirtualClock({ frozen_at: 1000 })
    queue = new LocalQueue(clock)
  })
  const message = (sk: string): Message => ({ kind: 'delivery', pk: 'p', sk, due_at: '2025' })
  const send = (sk: string, group?: string, delay_seconds?: number) =>
    queue.send([{ message: message(sk), group, delay_seconds }])
  const due = (limit?: number) => queue.due(clock.now(), limit).map(({ sk }) => sk)

  test('serves the groups in turn, and each group in order', async () => {
    for (const sk of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) await send(sk, sk[0])
    expect(due()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    expect(due()).toEqual([])
  })

  test('serves a new group before the backlog of another group is finished', async () => {
    for (let n = 0; n < 100; n += 1) await send(`a${n}`, 'a')
    expect(due(2)).toEqual(['a0', 'a1'])
    await send('b0', 'b')
    expect(due(2)).toEqual(['a2', 'b0'])
    expect(due(2)).toEqual(['a3', 'a4'])
    expect(due()).toHaveLength(95)
  })

  test('continues with the group whose turn it is', async () => {
    for (const sk of ['a1', 'a2', 'b1', 'b2']) await send(sk, sk[0])
    expect([due(1), due(1), due(1), due(1)]).toEqual([['a1'], ['b1'], ['a2'], ['b2']])
  })

  test('skips groups that are not free, which keep their turn', async () => {
    for (const sk of ['a1', 'a2', 'b1', 'b2', 'c1']) await send(sk, sk[0])
    const dueBut = (busy: string, limit?: number) =>
      queue.due(clock.now(), limit, (group) => group !== busy).map(({ sk }) => sk)
    expect(dueBut('a', 1)).toEqual(['b1'])
    expect(dueBut('a')).toEqual(['c1', 'b2'])
    expect(dueBut('a')).toEqual([])
    expect(queue.earliest()).toBe(1000)
    await send('b3', 'b')
    expect(due()).toEqual(['a1', 'b3', 'a2'])
  })

  test('releases delayed messages at their time and not before, in any order of arrival', async () => {
    await send('in 900 s', undefined, 900)
    await send('in 2 s', undefined, 2)
    await send('in 1 s', undefined, 1)
    expect(due()).toEqual([])
    clock.turnTo(2999)
    expect(due()).toEqual(['in 1 s'])
    clock.turnTo(3000)
    expect(due()).toEqual(['in 2 s'])
    clock.turnTo(901_000)
    expect(due()).toEqual(['in 900 s'])
  })

  test('returns the time at which the next message is visible', async () => {
    expect(queue.earliest()).toBeUndefined()
    await send('later', 'b', 60)
    expect(queue.earliest()).toBe(61_000)
    await send('now', 'a')
    await send('now as well', 'a')
    expect(queue.earliest()).toBe(1000)
    expect(due(1)).toEqual(['now'])
    expect(queue.earliest()).toBe(1000)
    expect(due(1)).toEqual(['now as well'])
    expect(queue.earliest()).toBe(61_000)
  })

  test('calls onArrival for each accepted message, delayed or not, and not for a refused one', async () => {
    let arrivals = 0
    queue.onArrival = () => {
      arrivals++
    }
    await send('now')
    await send('later', 'a', 60)
    await send('never', 'a', 901).catch(() => undefined)
    expect(arrivals).toBe(2)
  })

  test('keeps the order of a group when delayed messages become visible beside new ones', async () => {
    await send('a1', 'a', 1)
    await send('a2', 'a', 2)
    clock.turnTo(3000)
    await send('a3', 'a')
    expect(due()).toEqual(['a1', 'a2', 'a3'])
  })

  test.each([901, -1, 0.5])(
    'refuses a delay of %d seconds and all messages of the same call',
    async (delay_seconds) => {
      await expect(queue.send([{ message: message('a') }, { message: message('b'), delay_seconds }])).rejects.toThrow(
        'delayed',
      )
      expect(due()).toEqual([])
    },
  )

  describe('while a clock call is served', () => {
    const taken = (wanted?: Parameters<LocalQueue['take']>[2]) =>
      queue.take(clock.now(), 10, wanted).map(({ message }) => message.sk)

    test('returns messages of one epoch at a time, the earliest first or within the wanted epochs', async () => {
      await send('before')
      const { epoch } = queue.epochs.open(5000)
      await queue.epochs.serve(() => send('of a client'))
      await queue.epochs.within(epoch - 1, () => send('of the call'))
      expect([queue.earliest(epoch), taken({ from: epoch })]).toEqual([1000, ['of a client']])
      expect([taken({ before: epoch }), taken({ before: epoch })]).toEqual([['before', 'of the call'], []])
      await queue.epochs.serve(() => send('of a client'))
      expect([queue.earliest(epoch), queue.earliest(), taken()]).toEqual([undefined, 1000, ['of a client']])
    })

    test('makes the call wait only for delayed messages that are visible by its moment', async () => {
      await send('in time', undefined, 4)
      await send('too late', undefined, 5)
      const { epoch } = queue.epochs.open(5000)
      expect([queue.earliest(epoch), queue.nextAfter(5000), queue.nextAfter(6000)]).toEqual([5000, 6000, undefined])
      clock.turnTo(6000)
      expect([taken({ before: epoch }), taken({ from: epoch })]).toEqual([['in time'], ['too late']])
    })
  })
})
