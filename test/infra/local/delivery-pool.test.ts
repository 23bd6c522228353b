import { beforeEach, describe, expect, test } from 'vitest'
import { DeliveryPool } from '#infra/local/delivery-pool.ts'
import { LocalQueue } from '#infra/local/local-queue.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import type { Message } from '#shared/platform/ports.ts'
import { groupOf } from '#shared/store/keys.ts'

/** Calls to receivers that end when the test says so. */
interface Call {
  /** The receiver's letter, and the number of the delivery. */
  readonly name: string
  end(): void
  fail(): void
}

let clock: VirtualClock
let queue: LocalQueue
let pool: DeliveryPool
let calls: Call[]
let begun: string[]
beforeEach(() => {
  clock = new VirtualClock({ frozen_at: 1000 })
  queue = new LocalQueue(clock)
  calls = []
  begun = []
  pool = new DeliveryPool(queue, clock, ({ sk: name }) => {
    begun.push(name)
    return new Promise<void>((resolve, reject) => {
      calls.push({ name, end: resolve, fail: () => reject(new Error('cut off')) })
    })
  })
})

const message = (receiver: string, n: number): Message => ({
  kind: 'delivery',
  pk: `delivery#mer_1#dlv_${String(n).padStart(26, '0')}${receiver.repeat(16)}`,
  sk: `${receiver}${n}`,
  due_at: '2030',
})
const send = (receiver: string, n: number, delay_seconds = 0) => {
  const sent = message(receiver, n)
  return queue.send([{ message: sent, group: groupOf('delivery', sent.pk), delay_seconds }])
}
const sendMany = async (receiver: string, count: number) => {
  for (let n = 0; n < count; n++) await send(receiver, n)
}
const settled = () => new Promise((resolve) => setImmediate(resolve))
const callOf = (name: string) => calls.find((call) => call.name === name)!

describe('a pool of deliveries', () => {
  test('makes four calls to one receiver at a time, and goes on by itself as each ends', async () => {
    await sendMany('a', 6)
    pool.start()
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3'])
    callOf('a2').end()
    await settled()
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3', 'a4'])
    callOf('a0').fail()
    await settled()
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5'])
  })

  test('a receiver that hangs with a long backlog delays no other', async () => {
    await sendMany('a', 50)
    pool.start()
    await sendMany('b', 3)
    pool.start()
    expect(begun.slice(4)).toEqual(['b0', 'b1', 'b2'])
    callOf('b1').end()
    await settled()
    await send('b', 9)
    pool.start()
    expect(begun.slice(7)).toEqual(['b9'])
  })

  test('as many as a machine may hold hang at once, and no more; what waits comes when there is room', async () => {
    const receivers = 'abcdefghjkmnpqrstvwxyz0123456789'
    for (let n = 0; n < 5; n++)
      for (const one of receivers)
        for (const other of receivers.slice(0, 8)) {
          const pk = `delivery#mer_1#dlv_${String(n).padStart(26, '0')}${(one + other).repeat(8)}`
          await queue.send([{ message: { ...message('a', n), pk }, group: groupOf('delivery', pk) }])
        }
    pool.start()
    expect(begun).toHaveLength(512)
    calls[0]!.end()
    await settled()
    expect(begun).toHaveLength(513)
  })

  test('does not begin what is not due yet', async () => {
    await send('a', 1, 5)
    pool.start()
    expect(begun).toEqual([])
    clock.turnTo(6000)
    pool.start()
    expect(begun).toEqual(['a1'])
  })

  test('is idle once nothing is under way, what came up meanwhile included', async () => {
    await pool.idle()
    await sendMany('a', 5)
    pool.start()
    let is_idle = false
    const idle = pool.idle().then(() => {
      is_idle = true
    })
    for (const name of ['a0', 'a1', 'a2', 'a3']) callOf(name).end()
    await settled()
    expect([begun.at(-1), is_idle]).toEqual(['a4', false])
    callOf('a4').fail()
    await idle
    expect(is_idle).toBe(true)
  })

  test('takes a receiver up again after all of its calls have ended', async () => {
    for (let round = 0; round < 3; round++) {
      await sendMany('a', 4)
      pool.start()
      expect(begun).toHaveLength(4 * (round + 1))
      for (const call of calls.splice(0)) call.end()
      await pool.idle()
    }
  })
})
