import { expect, test } from 'vitest'
import { VirtualTime } from '#test/partitions/virtual-time.ts'
import { type Act, ModelledQueue, type QueueLimits } from './modelled-queue.ts'
import { assumed } from './usage.ts'

const MINUTE = 60_000

function queueOf(limits: Partial<QueueLimits>, act: Act<number>): { time: VirtualTime; queue: ModelledQueue<number> } {
  const time = new VirtualTime()
  const all = { functions_max: 50, batch_max: 10, visibility_ms: 6 * MINUTE, receives_max: 5, ...limits }
  return { time, queue: new ModelledQueue(time, all, act) }
}

test('a message that always fails is received five times, and is then a dead letter', () => {
  const received: number[] = []
  const { time, queue } = queueOf({}, (_message, _batch, done) => {
    received.push(time.now)
    done(false)
  })
  queue.send(1)
  time.runUntil(60 * MINUTE)
  const { own_ms } = assumed
  expect(received).toEqual([0, 1, 2, 3, 4].map((times) => times * (6 * MINUTE + own_ms) + own_ms))
  expect(queue).toMatchObject({ returned: 4, dead: 1 })
})

test('five functions begin, five more each second, up to the maximum', () => {
  let running = 0
  const { time, queue } = queueOf({ functions_max: 12, batch_max: 1 }, () => {
    running += 1
  })
  for (let message = 0; message < 100; message++) queue.send(message)
  const seen = [100, 1_100, 5_000].map((at) => {
    time.runUntil(at)
    return running
  })
  expect(seen).toEqual([5, 10, 12])
})

test('a function gets a batch, and takes the next one when all of the batch is done', () => {
  const batches: number[] = []
  const ends: (() => void)[] = []
  const { time, queue } = queueOf({ functions_max: 1, batch_max: 3 }, (_message, batch, done) => {
    batches.push(batch)
    ends.push(() => done(true))
  })
  for (let message = 0; message < 5; message++) queue.send(message)
  time.runUntil(100)
  expect(batches).toEqual([1])
  ends.shift()!()
  time.runUntil(200)
  expect(batches).toEqual([1, 3, 3, 3])
  ends.shift()!()
  ends.shift()!()
  time.runUntil(300)
  expect(batches).toHaveLength(4)
  ends.shift()!()
  time.runUntil(400)
  expect(batches).toEqual([1, 3, 3, 3, 1])
})
