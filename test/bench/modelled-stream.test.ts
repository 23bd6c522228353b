import { expect, test } from 'vitest'
import { FIRST } from '#test/partitions/key-position.ts'
import { Partition } from '#test/partitions/partition.ts'
import { VirtualTime } from '#test/partitions/virtual-time.ts'
import { ModelledStream } from './modelled-stream.ts'
import { assumed } from './usage.ts'

test('the records of a partition are passed on together at the next poll', () => {
  const time = new VirtualTime()
  const seen: [number, string, number][] = []
  const stream = new ModelledStream<string>(time, (message, batch, done) => {
    seen.push([time.now, message, batch])
    done(true)
  })
  const partition = new Partition(FIRST, 300, 0)
  stream.add(partition, 'a')
  time.runUntil(100)
  stream.add(partition, 'b')
  time.runUntil(1_000)
  expect(seen).toEqual([
    [250 + assumed.own_ms, 'a', 2],
    [250 + assumed.own_ms, 'b', 2],
  ])
})

test('four batches of a shard run at the same time, and the fifth waits for one of them', () => {
  const time = new VirtualTime()
  const ends: (() => void)[] = []
  const stream = new ModelledStream<number>(time, (_message, _batch, done) => ends.push(() => done(true)))
  const partition = new Partition(FIRST, 300, 0)
  for (let message = 0; message < 401; message++) stream.add(partition, message)
  time.runUntil(1_000)
  expect(ends).toHaveLength(400)
  for (const end of ends.splice(0, 100)) end()
  time.runUntil(2_000)
  expect(ends).toHaveLength(301)
})
