import { expect, test } from 'vitest'
import { listBench } from '#test/bench/lists.ts'
import { simulate, type Tally } from '#test/simulation/list-simulation.ts'

const FIRST_SEED = Number(process.env.LIST_FIRST_SEED ?? 1_000_000)
const SEEDS = Number(process.env.LIST_SEEDS ?? 10_000)

test(`each page that is read in ${SEEDS} histories is the list at one moment during the read`, {
  timeout: SEEDS * 100,
}, async () => {
  const tally: Tally = { reads: 0, created: 0, deleted: 0, late: 0, refused: 0, crossed: 0 }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) expect(await simulate(seed, tally)).toBeUndefined()
  expect(tally.crossed).toBeGreaterThan(SEEDS / 10)
})

test('page 10,000 of a million costs at most twice as much as page 1, in five round trips', async () => {
  const figures = new Map((await listBench()).map(({ page, again }) => [page, again]))
  for (const per_page of [10, 100]) {
    const [first, last] = ['1', '10,000'].map((page) => figures.get(`page ${page} of ${per_page}`)!)
    expect(first!.total).toBe(1_000_000)
    expect(last!.read_units).toBeLessThanOrEqual(2 * first!.read_units)
    for (const { waits } of [first!, last!]) expect(waits).toBeLessThanOrEqual(5)
  }
})
