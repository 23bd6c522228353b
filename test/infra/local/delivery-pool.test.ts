import { beforeEach, describe, expect, test } from 'vitest'
import { DeliveryPool } from '#infra/local/delivery-pool.ts'
import { LocalQueue } from '#infra/local/local-queue.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import type { Message } from '#shared/platform/ports.ts'
import { groupOf } from '#shared/store/keys.ts'

/** A call to a receiver, which the test ends. */
interface Call {
  /** The receiver's letter, and the number of the delivery. */
  readonly name: string
  end(took_ms?: number): void
  fail(): void
}

let clock: VirtualClock
let queue: LocalQueue
let pool: DeliveryPool
let calls: Call[]
let begun: string[]
let elapsed_ms: number
/** How long a call takes unless the test states it: neither fast nor slow. */
const USUAL_MS = 1000
beforeEach(() => {
  clock = new VirtualClock({ frozen_at: 1000 })
  queue = new LocalQueue(clock)
  calls = []
  begun = []
  elapsed_ms = 0
  const deliver = ({ sk: name }: Message) => {
    begun.push(name)
    const began_at = elapsed_ms
    return new Promise<boolean>((resolve, reject) => {
      const end = (took_ms = USUAL_MS) => {
        elapsed_ms = Math.max(elapsed_ms, began_at + took_ms)
        resolve(true)
      }
      calls.push({ name, end, fail: () => reject(new Error('cut off')) })
    })
  }
  pool = new DeliveryPool(queue, clock, deliver, () => elapsed_ms)
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

describe('DeliveryPool', () => {
  test('makes four calls to one receiver at a time, and starts the next one when one ends', async () => {
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

  test('calls other receivers without delay while one with a long backlog hangs', async () => {
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

  /** Queues deliveries to so many receivers. */
  const sendToMany = async (receivers: number, each: number) => {
    for (let n = 0; n < each; n++)
      for (let receiver = 0; receiver < receivers; receiver++) {
        const pk = `delivery#mer_1#dlv_${String(n).padStart(26, '0')}${String(receiver).padStart(16, '0')}`
        await queue.send([{ message: { ...message('m', n), pk }, group: groupOf('delivery', pk) }])
      }
  }

  test('makes at most 512 calls at a time, and starts the next one when one ends', async () => {
    await sendToMany(600, 1)
    pool.start()
    expect(begun).toHaveLength(512)
    calls[0]!.end()
    await settled()
    expect(begun).toHaveLength(513)
  })

  test('leaves room for further receivers while many hang', async () => {
    await sendToMany(400, 5)
    pool.start()
    expect(begun).toHaveLength(400)
    await sendMany('a', 9)
    pool.start()
    expect(begun.slice(400)).toEqual(['a0'])
  })

  test('makes more calls at once to a receiver that answers fast, and fewer to one that answers slowly', async () => {
    await sendMany('a', 100)
    await sendMany('b', 100)
    pool.start()
    const running = (receiver: string) => calls.filter(({ name }) => name.startsWith(receiver))
    const endAll = async (receiver: string, took_ms: number) => {
      const ended = running(receiver)
      calls = calls.filter((call) => !ended.includes(call))
      for (const call of ended) call.end(took_ms)
      await settled()
      return running(receiver).length
    }
    expect([running('a').length, running('b').length]).toEqual([4, 4])
    expect([await endAll('a', 10), await endAll('a', 10), await endAll('a', 10)]).toEqual([8, 16, 32])
    expect([await endAll('b', 5000), await endAll('b', 5000), await endAll('b', 5000)]).toEqual([2, 1, 1])
    expect([await endAll('b', 10), await endAll('b', 10)]).toEqual([2, 4])
    expect(running('a')).toHaveLength(32)
  })

  test('does not start a delivery before it is due', async () => {
    await send('a', 1, 5)
    pool.start()
    expect(begun).toEqual([])
    clock.turnTo(6000)
    pool.start()
    expect(begun).toEqual(['a1'])
  })

  test('is idle once all calls have ended, including those that started meanwhile', async () => {
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

  test('calls a receiver again after all of its calls have ended', async () => {
    for (let round = 0; round < 3; round++) {
      await sendMany('a', 4)
      pool.start()
      expect(begun).toHaveLength(4 * (round + 1))
      for (const call of calls.splice(0)) call.end()
      await pool.idle()
    }
  })

  describe('while a clock call is served', () => {
    const hold = async (receiver: string, count: number) => {
      await queue.epochs.serve(() => sendMany(receiver, count))
      pool.start()
    }

    test('starts awaited deliveries before others, even if other calls to the same receiver hang', async () => {
      const call = queue.epochs.open(1000)
      await hold('a', 9)
      expect(begun).toEqual(['a0', 'a1', 'a2', 'a3'])
      await queue.epochs.within(0, async () => {
        for (let n = 10; n < 16; n++) await send('a', n)
      })
      pool.start()
      expect(begun.slice(4)).toEqual(['a10', 'a11', 'a12', 'a13'])
      for (const name of ['a10', 'a11', 'a12', 'a13']) callOf(name).end()
      await settled()
      expect(begun.slice(8)).toEqual(['a14', 'a15'])
      expect([pool.isIdle(call.epoch), pool.isIdle()]).toEqual([false, false])
      for (const name of ['a14', 'a15']) callOf(name).end()
      await pool.idle(call.epoch)
      expect([pool.isIdle(call.epoch), pool.isIdle()]).toEqual([true, false])
    })

    test('lets the clock call wait for deliveries that were queued before it, four to one receiver at a time', async () => {
      await sendMany('a', 6)
      pool.start()
      const call = queue.epochs.open(1000)
      pool.start()
      expect(begun).toHaveLength(4)
      const idle = pool.idle(call.epoch)
      await hold('b', 1)
      while (begun.length < 7) {
        for (const one of calls.splice(0)) if (one.name !== 'b0') one.end()
        await settled()
      }
      for (const one of calls.splice(0)) one.end()
      await idle
      expect(begun.toSorted()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'b0'])
    })
  })

  test('makes a second call for a delivery only after the first one has ended', async () => {
    await send('a', 1)
    await send('a', 1)
    pool.start()
    expect(begun).toEqual(['a1'])
    await settled()
    expect(begun).toEqual(['a1'])
    callOf('a1').fail()
    await settled()
    expect(begun).toEqual(['a1', 'a1'])
  })
})
