import { expect, test } from 'vitest'
import { listBench } from '#test/bench/lists.ts'
import { lists } from '#test/simulation/simulations.ts'
import { testMutants, testSeeds } from '#test/simulation/suites.ts'

const FIRST_SEED = Number(process.env.LIST_FIRST_SEED ?? 1_000_000)
const SEEDS = Number(process.env.LIST_SEEDS ?? 3_000)

testSeeds(lists, { first: FIRST_SEED, seeds: SEEDS, at_least: { crossed: SEEDS / 10 } })
testMutants(lists)

test('a filter with 1,000 matches in a million costs at most ten times as much as page 1', async () => {
  const figures = new Map((await listBench()).map(({ page, again }) => [page, again]))
  const [whole, failed] = ['page 1 of 10', 'page 1 of 10 of the failed, one of 1,000'].map((page) => figures.get(page)!)
  expect(failed!.total).toBe(1_000)
  expect(failed!.read_units).toBeLessThanOrEqual(10 * whole!.read_units)
})

test('page 10,000 of a million costs at most twice as much as page 1, in six round trips', async () => {
  const figures = new Map((await listBench()).map(({ page, again }) => [page, again]))
  for (const per_page of [10, 100]) {
    const [first, last] = ['1', '10,000'].map((page) => figures.get(`page ${page} of ${per_page}`)!)
    expect(first!.total).toBe(1_000_000)
    expect(last!.read_units).toBeLessThanOrEqual(2 * first!.read_units)
    for (const { waits } of [first!, last!]) expect(waits).toBeLessThanOrEqual(6)
  }
})
