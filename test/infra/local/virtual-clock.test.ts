import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { VirtualClock } from '#infra/local/virtual-clock.ts'

const START = Date.parse('2025-01-01T00:00:00Z')
const DAY_MS = 86_400_000

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Records the names of the waits that have ended, in order. */
function waits(clock: VirtualClock) {
  const over: string[] = []
  return {
    over,
    wait: (name: string, milliseconds: number) => void clock.wait(milliseconds).then(() => over.push(name)),
  }
}
const settled = () => vi.advanceTimersByTimeAsync(0)

describe('VirtualClock', () => {
  test('follows real time, and continues from the time to which it is turned', () => {
    const clock = new VirtualClock()
    expect(clock.now()).toBe(START)
    clock.turnTo(START + 365 * DAY_MS)
    expect(clock.now()).toBe(START + 365 * DAY_MS)
    vi.setSystemTime(START + 5)
    expect(clock.now()).toBe(START + 365 * DAY_MS + 5)
  })

  test('never goes back, by turnTo or with the clock of the machine', () => {
    const clock = new VirtualClock()
    clock.turnTo(START + 1000)
    clock.turnTo(START)
    clock.turnTo(Number.NaN)
    expect(clock.now()).toBe(START + 1000)
    vi.setSystemTime(START - DAY_MS)
    expect(clock.now()).toBe(START + 1000)
  })

  test('rounds a time up to whole milliseconds', () => {
    const clock = new VirtualClock()
    clock.turnTo(START + 0.25)
    expect(clock.now()).toBe(START + 1)
  })

  test('ends each wait when its real time has passed and not a millisecond before', async () => {
    const clock = new VirtualClock()
    const { over, wait } = waits(clock)
    wait('long', 1000)
    wait('short', 10)
    wait('none', 0)
    await settled()
    expect(over).toEqual(['none'])
    await vi.advanceTimersByTimeAsync(9)
    expect(over).toEqual(['none'])
    await vi.advanceTimersByTimeAsync(1)
    expect(over).toEqual(['none', 'short'])
    await vi.advanceTimersByTimeAsync(990)
    expect(over).toEqual(['none', 'short', 'long'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends the waits that it is turned past, in the order of their times', async () => {
    const clock = new VirtualClock()
    const { over, wait } = waits(clock)
    wait('a year', 365 * DAY_MS)
    wait('two days', 2 * DAY_MS)
    wait('a day', DAY_MS)
    clock.turnTo(START + 2 * DAY_MS)
    await settled()
    expect(over).toEqual(['a day', 'two days'])
    await vi.advanceTimersByTimeAsync(363 * DAY_MS - 1)
    expect(over).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(over).toEqual(['a day', 'two days', 'a year'])
  })

  test('leaves no timer after all waits have ended', async () => {
    const clock = new VirtualClock()
    const { over, wait } = waits(clock)
    wait('long', 2000)
    wait('short', 1000)
    expect(vi.getTimerCount()).toBe(1)
    clock.turnTo(START + 2000)
    await settled()
    expect(over).toEqual(['short', 'long'])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('VirtualClock with frozen_at', () => {
  test('moves only when it is turned', async () => {
    const clock = new VirtualClock({ frozen_at: 1000 })
    const { over, wait } = waits(clock)
    wait('a', 500)
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(DAY_MS)
    expect(clock.now()).toBe(1000)
    clock.turnTo(1499)
    await settled()
    expect(over).toEqual([])
    clock.turnTo(1500)
    await settled()
    expect(over).toEqual(['a'])
    expect(clock.now()).toBe(1500)
  })
})

describe('VirtualClock with a file', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clock-'))
    file = join(folder, 'clock')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('keeps its offset after a restart', () => {
    const clock = new VirtualClock({ file })
    expect(readdirSync(folder)).toEqual([])
    clock.turnTo(START + DAY_MS)
    clock.turnTo(START + 2 * DAY_MS)
    vi.setSystemTime(START + 7)
    expect(new VirtualClock({ file }).now()).toBe(START + 2 * DAY_MS + 7)
    expect(readdirSync(folder)).toEqual(['clock'])
  })

  test.each(['', 'soon', '-1', '1.5'])('does not start with a file that holds "%s"', (text) => {
    writeFileSync(file, text)
    expect(() => new VirtualClock({ file })).toThrow(`${file} is damaged`)
  })
})

describe('VirtualClock.wait', () => {
  test('never ends and leaves no timer after an abort', async () => {
    const clock = new VirtualClock()
    const abort = new AbortController()
    let over = false
    void clock.wait(1000, abort.signal).then(() => {
      over = true
    })
    abort.abort()
    clock.turnTo(START + 5000)
    await settled()
    expect(over).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })
})
