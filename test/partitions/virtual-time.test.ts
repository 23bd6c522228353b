import { expect, test } from 'vitest'
import { randomOf } from '#test/faults/random.ts'
import { VirtualTime } from './virtual-time.ts'

test('steps run in the order of their times, also those that other steps add', () => {
  const time = new VirtualTime()
  const random = randomOf(1)
  const seen: number[] = []
  const step = (more: number) => () => {
    seen.push(time.now)
    if (more > 0) time.after(random() * 10, step(more - 1))
  }
  for (let count = 0; count < 100; count++) time.after(random() * 1_000, step(3))
  time.runUntil(5_000)
  expect(seen).toHaveLength(400)
  expect(seen).toEqual(seen.toSorted((one, other) => one - other))
  expect(time.now).toBe(5_000)
})

test('a step behind the given time waits', () => {
  const time = new VirtualTime()
  let is_run = false
  time.after(11, () => {
    is_run = true
  })
  time.runUntil(10)
  expect(is_run).toBe(false)
  time.runUntil(11)
  expect(is_run).toBe(true)
})
