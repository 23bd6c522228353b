import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { card } from '#test/fixtures/api.ts'
import { off_disk, openStage, paymentRequest } from './delivery-stage.ts'
import { type Load, loaded } from './load.ts'
import { mark, median, note, quantile, table } from './report.ts'

/** The number of deliveries before the measurement. They make the engine compile hot code. */
const WARM_UP = 500

const ROUNDS = 9
const ROUND_MS = 500
const CONNECTIONS = 16

const EVENTS = 60
const RECEIVERS = 50
const TURNS = 3
const TO_BARE_AT_LEAST = 0.5

/** The number of concurrent calls that the local service makes at most. */
const AT_ONCE = 512

/** Compares the throughput of payments with and without a webhook. */
export async function webhookThroughputBench(): Promise<void> {
  const stage = await openStage(['well'])
  try {
    const without = paymentRequest(await stage.merchant([]), 0)
    const with_webhook = paymentRequest(await stage.merchant(stage.urls), 0)
    const loads: { without: Load[]; with: Load[]; done: number[] } = { without: [], with: [], done: [] }
    for (let round = 0; round <= ROUNDS; round++) {
      const plain = await loaded(stage.port, without, CONNECTIONS, ROUND_MS)
      const began = performance.now()
      const load = await loaded(stage.port, with_webhook, CONNECTIONS, ROUND_MS)
      const count = load.latencies_ms.length
      await stage.takeAll(count)
      // The first round warms up.
      if (round === 0) continue
      loads.without.push(plain)
      loads.with.push(load)
      loads.done.push((count * 1000) / (performance.now() - began))
    }
    note(
      `Payments over ${CONNECTIONS} connections, of a merchant without webhooks and of one with a webhook that answers at once, in`,
      `${ROUNDS} rounds of ${ROUND_MS / 1000} s each, alternating; medians. Deliveries are made while more payments arrive. The last row includes`,
      'the time until the last delivery has arrived.',
    )
    const rate = (all: readonly Load[]) => median(all.map(({ per_second }) => per_second))
    const slowest = (all: readonly Load[]) =>
      quantile(
        all.flatMap(({ latencies_ms }) => latencies_ms),
        0.99,
      ).toFixed(2)
    const [plain, webhook_rate, done] = [rate(loads.without), rate(loads.with), median(loads.done)]
    table(
      [`POST /payments, ${CONNECTIONS} at once`, '1/s', 'to none', 'p99 ms'],
      [
        ['no webhook', plain.toFixed(0), '', slowest(loads.without)],
        ['one webhook', webhook_rate.toFixed(0), (webhook_rate / plain).toFixed(2), slowest(loads.with)],
        ['one webhook, until all are delivered', done.toFixed(0), (done / plain).toFixed(2), ''],
      ],
    )
  } finally {
    await stage.close()
  }
}

/** Measures the deliveries per second of a worker without other load. */
export async function deliveryRateBench(): Promise<void> {
  const stage = await openStage(Array(RECEIVERS).fill('well'))
  try {
    const key = await stage.merchant([])
    await stage.run.send('POST /payments', { key, json: { amount: 1000, currency: 'JPY', payment_details: card() } })
    const event = (await stage.run.send('GET /events', { key }))!.text
    const env = {
      URLS: JSON.stringify(stage.urls),
      BODY: JSON.stringify(JSON.parse(event).data[0]),
      COUNT: String(EVENTS * RECEIVERS),
      WARM_UP: String(WARM_UP),
      AT_ONCE: String(AT_ONCE),
      TMPDIR: off_disk,
    }
    const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
    for (let turn = 0; turn < TURNS; turn++) {
      rates.ours.push(rateOf('delivery-worker.ts', env))
      rates.bare.push(rateOf('bare-posts.ts', env))
      await stage.takeAll(0)
    }
    const [rate, bare] = [median(rates.ours), median(rates.bare)]
    const ratio = rate / bare
    note(
      `${EVENTS} events, each delivered to ${RECEIVERS} receivers that answer at once, by a worker without other load: lookups,`,
      'a signature, a guarded connection and two commits for each. The comparison is a loop of fetch (undici) that',
      `posts the same bytes to the same receivers with the same concurrency over keep-alive connections. ${TURNS} turns each; medians.`,
    )
    table(
      ['deliveries', '1/s', 'bare 1/s', 'ratio', 'aim'],
      [
        [
          `to ${RECEIVERS} receivers`,
          rate.toFixed(0),
          bare.toFixed(0),
          ratio.toFixed(2),
          mark({ value: ratio, at_least: TO_BARE_AT_LEAST }),
        ],
      ],
    )
  } finally {
    await stage.close()
  }
}

/** The number that a script prints in a process of its own. */
function rateOf(file: string, env: Readonly<Record<string, string>>): number {
  const node = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, file)]
  return Number(execFileSync(process.execPath, node, { encoding: 'utf8', env: { ...process.env, ...env } }))
}
