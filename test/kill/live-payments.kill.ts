import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { liveKillRounds, ROUNDS_OF_ALL_STEPS } from '#test/faults/live-kill-rounds.ts'

const ROUNDS = Number(process.env.LIVE_KILL_ROUNDS ?? ROUNDS_OF_ALL_STEPS)

/** `SEED=… npm run test:kill` repeats the random choices of a run, but not the timing of the kills. */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

/** The time limit of a round, in milliseconds. It only ends a test that hangs. */
const ROUND_MS = 90_000

test(`kill -9 at each step of a live charge, hold, capture, refund and cancel, ${ROUNDS} rounds (seed ${SEED}): the books equal those of the provider`, {
  timeout: 120_000 + ROUNDS * ROUND_MS,
}, async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'live-killed-'))
  try {
    const { wrong, refused, ...figures } = await liveKillRounds(data_dir, ROUNDS, SEED)
    console.log(figures)
    expect(wrong).toEqual([])
    expect(refused).toEqual([])
    expect(figures.steps).toBeGreaterThanOrEqual(30)
    expect(figures.killed_at).toBe(Math.min(figures.kills, figures.steps))
    expect(figures.payments).toBeGreaterThanOrEqual(figures.kills)
  } finally {
    rmSync(data_dir, { recursive: true })
  }
})
