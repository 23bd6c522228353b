import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passes } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Payment } from '#shared/domain/payment.ts'
import type { Item } from '#shared/platform/ports.ts'
import { inconsistencies } from '#test/faults/consistency.ts'
import { itemsIn, killRounds } from '#test/faults/kill-rounds.ts'
import { randomOf } from '#test/faults/random.ts'
import { card } from '#test/fixtures/api.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'

const ROUNDS = 50
const REQUESTS = 100
const KILLS = 4

/** `SEED=… npm run test:kill` repeats the random choices of a run, but not the timing of the kills. */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const random = randomOf(SEED)

let data_dir: string
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'payments-killed-'))
})
afterEach(() => rmSync(data_dir, { recursive: true }))

describe(`kill -9 (seed ${SEED})`, () => {
  test(`${ROUNDS} times under load: everything that was answered is stored, and nothing was done twice`, async () => {
    const { wrong, ...figures } = await killRounds(data_dir, ROUNDS, SEED)
    console.log(figures)
    expect(wrong).toEqual([])
    expect(figures.answered_later).toBeGreaterThan(ROUNDS)
  })

  test('among a hundred refunds of one payment: no more is refunded than was charged', async () => {
    let run = await startLocally(data_dir)
    const key = run.key!
    const order = { amount: 10_000, currency: 'JPY', payment_details: card() }
    for (let kill = 1; kill <= KILLS; kill++) {
      const { id } = (await run.send('POST /payments', { key, json: order }))!.body
      const refunds = Array.from({ length: REQUESTS }, () => 1 + Math.floor(random() * 1_000))
      const replies = await killedAmong(run, (index) =>
        run.send(`POST /payments/${id}/refund`, { key, json: { amount: refunds[index] } }),
      )
      run = await startLocally(data_dir)
      await run.advance(4 * 3_600)
      const payment = (await run.send(`GET /payments/${id}`, { key }))!.body as Payment
      const answered = replies.filter((reply) => reply?.status === 200).length
      expect(payment.amount_refunded).toBeLessThanOrEqual(10_000)
      expect(payment.refunds.length).toBeGreaterThanOrEqual(answered)
    }
    await run.kill()
    expect(inconsistencies(itemsIn(data_dir), { settled: true })).toEqual([])
  })

  test('among a hundred uses of one token: it pays at most one payment', async () => {
    let run = await startLocally(data_dir)
    const key = run.key!
    for (let kill = 1; kill <= KILLS; kill++) {
      const token = (await run.send('POST /tokens', { key, json: { payment_details: card() } }))!.body.id
      const order = { amount: 1_000, currency: 'JPY', payment_details: token, external_order_num: `token ${kill}` }
      await killedAmong(run, () => run.send('POST /payments', { key, json: order }))
      run = await startLocally(data_dir)
      await run.send('POST /payments', { key, json: order })
      await run.advance(3_600)
      const { total } = (await run.send(`GET /payments?external_order_num=token%20${kill}`, { key }))!.body
      expect(total).toBe(1)
    }
    await run.kill()
    const items = itemsIn(data_dir)
    expect(inconsistencies(items, { settled: true })).toEqual([])
    expect(chargesIn(items).length).toBeLessThanOrEqual(KILLS)
  })

  test('among a hundred requests with one idempotency key: they create one payment', async () => {
    let run = await startLocally(data_dir)
    const key = run.key!
    for (let kill = 1; kill <= KILLS; kill++) {
      const json = { amount: 1_000, currency: 'JPY', payment_details: card(), external_order_num: `key ${kill}` }
      const headers = { 'idempotency-key': `key ${kill}` }
      const replies = await killedAmong(run, () => run.send('POST /payments', { key, json, headers }))
      run = await startLocally(data_dir)
      await run.advance(45)
      const last = (await run.send('POST /payments', { key, json, headers }))!
      expect(last.status).toBe(200)
      for (const reply of replies) if (reply?.status === 200) expect(reply.text).toBe(last.text)
      const { total } = (await run.send(`GET /payments?external_order_num=key%20${kill}`, { key }))!.body
      expect(total).toBe(1)
    }
    await run.kill()
    const items = itemsIn(data_dir)
    expect(chargesIn(items)).toHaveLength(KILLS)
    expect(inconsistencies(items)).toEqual([])
  })
})

/** Sends a hundred requests at once and kills the service at a random moment among them. */
async function killedAmong<T>(run: LocalRun, send: (index: number) => Promise<T>): Promise<T[]> {
  const replies = Array.from({ length: REQUESTS }, (_, index) => send(index))
  await passes(random() * 150)
  await run.kill()
  return Promise.all(replies)
}

/** Returns the successful charges in the acquirer's ledger. */
const chargesIn = (items: readonly Item[]) =>
  items.filter(
    ({ pk, operation, outcome }) =>
      pk.startsWith('sandbox#') && operation === 'charge' && (outcome as { result: string }).result === 'captured',
  )
