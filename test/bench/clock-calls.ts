import { setTimeout as passes } from 'node:timers/promises'
import { card } from '#test/fixtures/api.ts'
import { openStage, type Stage } from './delivery-stage.ts'
import { heading, mark, note, quantile, table } from './report.ts'

const CLIENTS = 4
const CALLS = 20
const ADVANCE_SECONDS = 60
const PAUSE_MS = 100
const WARM_UP_MS = 2_000
const ANSWER_MS_AT_MOST = 1_000

/** Measures clock calls while clients make payments and receivers get webhooks. */
export async function clockCallsBench(): Promise<void> {
  heading('Clock calls while webhooks are delivered')
  const stage = await openStage(Array(CLIENTS).fill('well'))
  try {
    const over = new AbortController()
    const counts = new Map<number, number>()
    const clients = stage.urls.map((url) => makePayments(stage, url, counts, over.signal))
    await passes(WARM_UP_MS)
    const times: number[] = []
    for (let call = 0; call < CALLS; call++) {
      const began = performance.now()
      await stage.run.advance(ADVANCE_SECONDS)
      times.push(performance.now() - began)
      await passes(PAUSE_MS)
    }
    over.abort()
    await Promise.all(clients)
    note(
      `${CALLS} calls of POST /_local/clock {"advance":${ADVANCE_SECONDS}}, ${PAUSE_MS} ms apart, while ${CLIENTS} clients make payments one after`,
      'the other. Each client is a merchant with a webhook that answers at once.',
    )
    const slowest = Math.max(...times)
    table(
      ['clock calls', 'p50 ms', 'max ms', 'aim', 'payments meanwhile'],
      [
        [
          CALLS,
          quantile(times, 0.5).toFixed(0),
          slowest.toFixed(0),
          mark({ value: slowest, at_most: ANSWER_MS_AT_MOST }),
          [...counts].map(([status, count]) => `${count} answered ${status}`).join(', '),
        ],
      ],
    )
  } finally {
    await stage.close()
  }
}

/** Makes payments one after the other and counts the statuses of the responses. */
async function makePayments(stage: Stage, url: string, counts: Map<number, number>, over: AbortSignal): Promise<void> {
  const key = await stage.merchant([url])
  while (!over.aborted) {
    const json = { amount: 1000, currency: 'JPY', payment_details: card() }
    const status = (await stage.run.send('POST /payments', { key, json }))?.status ?? 0
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
}
