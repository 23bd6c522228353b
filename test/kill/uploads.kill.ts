import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { uploadKills } from '#test/kill/upload-kills.ts'

const UPLOADS = 1_000

/** `SEED=… npm run test:kill` repeats the random choices of a run, but not the timing of the kills. */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

let data_dir: string
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'uploads-killed-'))
})
afterEach(() => rmSync(data_dir, { recursive: true }))

test(`kill -9 among ${UPLOADS} uploads (seed ${SEED}): every answered file is complete, and no other file is left`, async () => {
  const { wrong, ...figures } = await uploadKills(data_dir, UPLOADS, SEED)
  console.log(figures)
  expect(wrong).toEqual([])
  expect(figures.kills).toBeGreaterThan(5)
  expect(figures.interrupted).toBeGreaterThan(0)
  expect(figures.orphans_before_sweep).toBeGreaterThan(0)
})
