import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deliveryKills } from '#test/kill/delivery-kills.ts'

const KILLS = 6

/** `SEED=… npm run test:kill` repeats the random choices of a run, but not the timing of the kills. */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

let data_dir: string
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'deliveries-killed-'))
})
afterEach(() => rmSync(data_dir, { recursive: true }))

test(`kill -9 during deliveries to fifty receivers (seed ${SEED}): every answered change reaches every receiver that recovers`, async () => {
  const { wrong, ...figures } = await deliveryKills(data_dir, KILLS, SEED)
  console.log(figures)
  expect(wrong).toEqual([])
  expect(figures.events).toBeGreaterThan(KILLS)
  expect(figures.interrupted).toBeGreaterThan(0)
})
