import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { killRounds } from '#test/faults/kill-rounds.ts'

const ROUNDS = 3
const SEED = 20_300_102

let data_dir: string
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'payments-killed-'))
})
afterEach(() => rmSync(data_dir, { recursive: true }))

describe('a service that is killed and started again', () => {
  test(`keeps everything that it answered, and does nothing twice (${ROUNDS} times, seed ${SEED})`, async () => {
    const { wrong, answered, answered_later } = await killRounds(data_dir, ROUNDS, SEED)
    expect(wrong).toEqual([])
    expect(answered).toBeGreaterThan(ROUNDS)
    expect(answered_later).toBeGreaterThan(0)
  }, 60_000)
})
