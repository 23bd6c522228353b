import { expect, test } from 'vitest'
import { simulate } from '#test/simulation/delivery-simulation.ts'

/** The first of the seeds that the long suite simulates. */
const SEEDS = 100

test(`in ${SEEDS} histories every event reaches its receivers, or 26 attempts tell why not`, {
  timeout: SEEDS * 300,
}, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) expect(await simulate(seed, new Map())).toBeUndefined()
})

test('a seed is one history, each time the same', async () => {
  const told = async (seed: number) => {
    const lines: string[] = []
    await simulate(seed, new Map(), { trace: (line) => lines.push(line) })
    return lines
  }
  for (let seed = 1; seed <= 10; seed++) {
    const lines = await told(seed)
    expect(lines.length).toBeGreaterThan(1)
    expect(await told(seed)).toEqual(lines)
  }
})
