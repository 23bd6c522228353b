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

describe('a queue in memory', () => {
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

  test('serves the groups in turn, each in its order', async () => {
    for (const sk of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) await send(sk, sk[0])
    expect(due()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    expect(due()).toEqual([])
  })

  test('lets a newcomer in before the backlog of another group is through', async () => {
    for (let n = 0; n < 100; n += 1) await send(`a${n}`, 'a')
    expect(due(2)).toEqual(['a0', 'a1'])
    await send('b0', 'b')
    expect(due(2)).toEqual(['a2', 'b0'])
    expect(due(2)).toEqual(['a3', 'a4'])
    expect(due()).toHaveLength(95)
  })

  test('goes on with the group whose turn it is', async () => {
    for (const sk of ['a1', 'a2', 'b1', 'b2']) await send(sk, sk[0])
    expect([due(1), due(1), due(1), due(1)]).toEqual([['a1'], ['b1'], ['a2'], ['b2']])
  })

  test('passes over groups that are not free, which keep their turn', async () => {
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

  test('hands over delayed messages at their time and not before, whatever order they came in', async () => {
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

  test('knows when the next message is visible', async () => {
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

  test('rings when something was sent, be it for later, and not when it was refused', async () => {
    let rung = 0
    queue.onArrival = () => {
      rung++
    }
    await send('now')
    await send('later', 'a', 60)
    await send('never', 'a', 901).catch(() => undefined)
    expect(rung).toBe(2)
  })

  test('keeps the order of a group when what was delayed becomes visible beside what is new', async () => {
    await send('a1', 'a', 1)
    await send('a2', 'a', 2)
    clock.turnTo(3000)
    await send('a3', 'a')
    expect(due()).toEqual(['a1', 'a2', 'a3'])
  })

  test.each([901, -1, 0.5])('refuses a delay of %d seconds, and all that was sent with it', async (delay_seconds) => {
    await expect(queue.send([{ message: message('a') }, { message: message('b'), delay_seconds }])).rejects.toThrow(
      'delayed',
    )
    expect(due()).toEqual([])
  })

  describe('while a clock call is served', () => {
    const taken = (wanted?: Parameters<LocalQueue['take']>[2]) =>
      queue.take(clock.now(), 10, wanted).map(({ message }) => message.sk)

    test('hands over messages of one epoch at a time, the earliest first, or those of the epochs that are wanted', async () => {
      await send('before')
      const { epoch } = queue.epochs.open(5000)
      await queue.epochs.serve(() => send('of a client'))
      await queue.epochs.within(epoch - 1, () => send('of the call'))
      expect([queue.earliest(epoch), taken({ from: epoch })]).toEqual([1000, ['of a client']])
      expect([taken({ before: epoch }), taken({ before: epoch })]).toEqual([['before', 'of the call'], []])
      await queue.epochs.serve(() => send('of a client'))
      expect([queue.earliest(epoch), queue.earliest(), taken()]).toEqual([undefined, 1000, ['of a client']])
    })

    test('counts a delayed message to what the call waits for up to its moment only', async () => {
      await send('in time', undefined, 4)
      await send('too late', undefined, 5)
      const { epoch } = queue.epochs.open(5000)
      expect([queue.earliest(epoch), queue.nextAfter(5000), queue.nextAfter(6000)]).toEqual([5000, 6000, undefined])
      clock.turnTo(6000)
      expect([taken({ before: epoch }), taken({ from: epoch })]).toEqual([['in time'], ['too late']])
    })
  })
})
