import { describe, expect, test } from 'vitest'
import { mutants } from '#test/support/delivery-mutants.ts'
import { simulate } from '#test/support/delivery-simulation.ts'

const SEEDS = 2_000

const timeout = SEEDS * 300

test(`in ${SEEDS} histories every event reaches its receivers, or 26 attempts tell why not`, { timeout }, async () => {
  const tally = new Map<string, number>()
  for (let seed = 1; seed <= SEEDS; seed++) expect(await simulate(seed, tally)).toBeUndefined()
  const idle = Object.entries(at_least).filter(([name, times]) => (tally.get(name) ?? 0) < times)
  expect(idle.map(([name]) => `${name}: ${tally.get(name)}`)).toEqual([])
})

/** How often each thing happens at the least, so that no history is spared what the pipeline has to stand. */
const at_least: Readonly<Record<string, number>> = {
  events: SEEDS,
  deliveries: SEEDS,
  'asked for anew': SEEDS / 10,
  recoveries: SEEDS / 20,
  'posts made twice': SEEDS / 10,
  'given up': SEEDS / 100,
  lost: SEEDS / 2,
  doubled: SEEDS / 2,
  'sweep missed': SEEDS / 2,
  crash_before: SEEDS / 2,
  crash_after: SEEDS / 2,
  freeze: SEEDS / 2,
  fail_before: SEEDS / 2,
  fail_after: SEEDS / 2,
  conflict: SEEDS / 10,
  travel: SEEDS / 10,
}

test('a seed is one history, each time the same', async () => {
  const told = async (seed: number) => {
    const lines: string[] = []
    await simulate(seed, new Map(), { trace: (line) => lines.push(line) })
    return lines
  }
  for (let seed = 1; seed <= 30; seed++) {
    const lines = await told(seed)
    expect(lines.length).toBeGreaterThan(1)
    expect(await told(seed)).toEqual(lines)
  }
})

describe('the same histories catch a protocol', () => {
  test.each(Object.entries(mutants))('%s', { timeout }, async (_, mutant) => {
    let wrong: string | undefined
    for (let seed = 1; !wrong && seed <= SEEDS; seed++) wrong = await simulate(seed, new Map(), { mutant })
    expect(wrong).toBeDefined()
  })
})
