import { beforeEach, describe, expect, test } from 'vitest'
import type { Message, Queue } from '#shared/platform/ports.ts'

/** An empty queue, and a function that receives its visible messages. */
export interface OpenQueue {
  readonly queue: Queue
  receive(): Promise<Message[]>
}

/** The contract of `Queue`, which every adapter fulfils. `open` is called for each test. */
export function queueContract(name: string, open: () => Promise<OpenQueue>): void {
  describe(name, () => {
    let opened: OpenQueue
    beforeEach(async () => {
      opened = await open()
    })
    const message = (sk: string): Message => ({
      kind: 'delivery',
      pk: 'delivery#mer_1#決済',
      sk,
      due_at: '2025-01-01T00:00:00Z',
    })
    const received = async () => (await opened.receive()).map(({ sk }) => sk).sort()

    test('delivers each message as it was sent', async () => {
      await opened.queue.send([{ message: message('a') }])
      expect(await opened.receive()).toEqual([message('a')])
    })

    test('sends more messages at once than a batch holds, of any groups', async () => {
      const sks = Array.from({ length: 25 }, (_, n) => `n${String(n).padStart(2, '0')}`)
      await opened.queue.send(
        sks.map((sk, n) => ({ message: message(sk), ...(n % 3 && { group: `receiver-${n % 3}` }) })),
      )
      expect(await received()).toEqual(sks)
    })

    test('accepts an empty list of messages', async () => {
      await opened.queue.send([])
      expect(await received()).toEqual([])
    })

    test('delays a message', async () => {
      await opened.queue.send([
        { message: message('later'), delay_seconds: 900 },
        { message: message('now'), delay_seconds: 0 },
      ])
      expect(await received()).toEqual(['now'])
    })

    test('delivers the other messages of a group while one of them is delayed', async () => {
      const group = 'receiver'
      await opened.queue.send([
        { message: message('later'), delay_seconds: 900, group },
        { message: message('one'), group },
        { message: message('other'), group },
      ])
      expect(await received()).toEqual(['one', 'other'])
    })
  })
}
