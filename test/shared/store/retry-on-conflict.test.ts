import { describe, expect, test } from 'vitest'
import { Refusal } from '#shared/domain/errors.ts'
import { OperationInterrupted, type OperationProgress } from '#shared/domain/operation-progress.ts'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Runs an act that throws `error` this many times before it succeeds. Counts the tries, and collects their progress.
 */
async function tried(error: Error, times: number, tries_max?: number) {
  const work = new UnitOfWork({ platform: { clock: { now: () => 0 } } as never, merchant: 'mer_1', mode: 'test' })
  let forgotten = 0
  work.forget = () => {
    forgotten++
  }
  const states: OperationProgress['state'][] = []
  const act = async ({ state }: OperationProgress) => {
    states.push(state)
    if (states.length <= times) throw error
    return 'done'
  }
  const outcome = await retryOnConflict(work, act, tries_max).catch((reason) => reason)
  return { outcome, tries: states.length, forgotten, states: [...new Set(states)] }
}

const fresh = ['fresh']
const begun = { state: 'begun', payment: 'pay_1', attempt: 1 } as const

describe('retryOnConflict', () => {
  test.each([0, 1, 4])('runs the act again after %d conflicts, and forgets what was read each time', async (times) => {
    const expected = { outcome: 'done', tries: times + 1, forgotten: times, states: fresh }
    expect(await tried(new WriteConflict([0]), times)).toEqual(expected)
  })

  test('throws the conflict after five tries', async () => {
    const conflict = new WriteConflict([])
    expect(await tried(conflict, 99)).toEqual({ outcome: conflict, tries: 5, forgotten: 4, states: fresh })
  })

  test('tries as often as `tries_max` says', async () => {
    const conflict = new WriteConflict([])
    expect(await tried(conflict, 99, 15)).toMatchObject({ outcome: conflict, tries: 15 })
    expect(await tried(conflict, 14, 15)).toMatchObject({ outcome: 'done', tries: 15 })
  })

  test('tries more often once an operation has begun, from its progress, but with a limit', async () => {
    const conflict = new OperationInterrupted(begun, new WriteConflict([]))
    const states = ['fresh', 'begun']
    expect(await tried(conflict, 40)).toEqual({ outcome: 'done', tries: 41, forgotten: 40, states })
    expect(await tried(conflict, 40, 1)).toMatchObject({ outcome: 'done', tries: 41 })
    const { outcome, tries } = await tried(conflict, 100_000)
    expect([outcome, tries < 1000]).toEqual([conflict, true])
  })

  test.each([
    new Refusal('not_found'),
    new PlatformUnavailable('cut off'),
    new TypeError('a defect'),
    new OperationInterrupted(begun, new Refusal('gateway_timeout')),
    new OperationInterrupted(begun, new PlatformUnavailable('cut off')),
  ])('does not repeat after %s', async (error) => {
    expect(await tried(error, 1)).toEqual({ outcome: error, tries: 1, forgotten: 0, states: fresh })
  })
})
