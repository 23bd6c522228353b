import { expect, test } from 'vitest'
import { simulate } from '#test/support/delivery-simulation.ts'

const FIRST_SEED = Number(process.env.DELIVERY_FIRST_SEED ?? 1_000_000)
const SEEDS = Number(process.env.DELIVERY_SEEDS ?? 20_000)

test(`in ${SEEDS} histories every event reaches its receivers, or 26 attempts tell why not`, {
  timeout: SEEDS * 100,
}, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) expect(await simulate(seed, new Map())).toBeUndefined()
})
