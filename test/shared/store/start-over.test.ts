import { describe, expect, test } from 'vitest'
import { Refusal } from '#shared/domain/errors.ts'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { startingOver } from '#shared/store/start-over.ts'
import { Work } from '#shared/store/work.ts'

/** What came of an act that throws `error` so often before it succeeds, and how often it was tried. */
async function tried(error: Error, times: number, begun?: Work['begun'], tries_max?: number) {
  const work = new Work({ platform: { clock: { now: () => 0 } } as never, merchant: 'mer_1', mode: 'test' })
  work.begun = begun
  let forgotten = 0
  work.forget = () => {
    forgotten++
  }
  let tries = 0
  const act = async () => {
    if (++tries <= times) throw error
    return 'done'
  }
  const outcome = await startingOver(work, act, tries_max).catch((reason) => reason)
  return { outcome, tries, forgotten }
}

describe('startingOver', () => {
  test.each([0, 1, 4])('does it again after %d lost races, with what was read forgotten each time', async (times) => {
    expect(await tried(new WriteConflict([0]), times)).toEqual({ outcome: 'done', tries: times + 1, forgotten: times })
  })

  test('gives up with the conflict after five', async () => {
    const conflict = new WriteConflict([])
    expect(await tried(conflict, 99)).toEqual({ outcome: conflict, tries: 5, forgotten: 4 })
  })

  test('gives up after as many tries as it is given', async () => {
    const conflict = new WriteConflict([])
    expect(await tried(conflict, 99, undefined, 15)).toEqual({ outcome: conflict, tries: 15, forgotten: 14 })
  })

  test('does not give up so soon once an operation is out at the acquirer, but does in the end', async () => {
    const begun = { payment: 'pay_1', attempt: 1 }
    expect(await tried(new WriteConflict([]), 40, begun)).toEqual({ outcome: 'done', tries: 41, forgotten: 40 })
    const conflict = new WriteConflict([])
    const { outcome, tries } = await tried(conflict, 100_000, begun)
    expect([outcome, tries < 1000]).toEqual([conflict, true])
  })

  test.each([new Refusal('not_found'), new PlatformUnavailable('cut off'), new TypeError('a defect')])(
    'leaves %s alone',
    async (error) => {
      expect(await tried(error, 1)).toEqual({ outcome: error, tries: 1, forgotten: 0 })
    },
  )
})
