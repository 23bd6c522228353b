import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as passes } from 'node:timers/promises'
import type { Health } from '#test/support/receivers.ts'
import { machineTime } from '#test/support/receivers.ts'
import { openStage, paymentRequest, type Stage } from './delivery-stage.ts'
import { type Load, loaded } from './load.ts'
import { asked, opened, paced } from './paced-load.ts'
import { heading, mark, median, note, quantile, table } from './report.ts'

const EVENTS = 10_000
const PER_SECOND = 125
const WELL = 30
const SICK: readonly Health[] = [...Array(10).fill('hanging'), ...Array(10).fill('dead')]
const SICK_TO_WELL_AT_MOST = 1.2

/** Sent before anything is measured, so that what is run often is compiled. */
const WARM_UP = 500

const ONE_BY_ONE = 200
const ROUNDS = 9
const ROUND_MS = 500
const CONNECTIONS = 16

const FANNED_OUT = 60
const TO_BARE_AT_LEAST = 0.5

/** As many calls as the local service makes at the same time to one receiver. */
const AT_ONCE_PER_RECEIVER = 4

/** How soon receivers are told of events, and what it costs the service, on this machine. */
export async function deliveriesBench(): Promise<void> {
  heading('From the event to its receiver')
  await sickBench()
  await aloneBench()
  await throughputBench()
  await rateBench()
}

/** Fifty receivers, each of a merchant of its own, who are told of events at a fixed pace, without the sick and with them. */
async function sickBench(): Promise<void> {
  note(
    `${EVENTS.toLocaleString('en')} payments, ${PER_SECOND} a second, spread evenly over ${WELL + SICK.length} merchants with a webhook each: ${WELL} receivers that are well, 10 that`,
    'take the request and never answer, 10 where nobody listens. In the run without these 20 the same payments are made,',
    'and their merchants have no webhook. Milliseconds from the answer to the POST /payments, seen by its client, to the',
    'first delivery, seen by the receiver: below zero when the delivery is faster than the answer.',
  )
  const without = await pacedRun([])
  const beside = await pacedRun(SICK)
  const ratio = quantile(beside, 0.99) / quantile(without, 0.99)
  const row = (name: string, times: readonly number[]) => [
    name,
    times.length,
    ...[0.5, 0.9, 0.99].map((part) => quantile(times, part).toFixed(2)),
  ]
  table(
    ['receivers', 'delivered', 'p50 ms', 'p90 ms', 'p99 ms'],
    [row(`${WELL} well`, without), row(`${WELL} well, beside ${SICK.length} sick`, beside)],
  )
  table(['p99 to p99', 'aim'], [[ratio.toFixed(2), mark({ value: ratio, at_most: SICK_TO_WELL_AT_MOST })]])
}

/** How long each event took to the receivers that are well. */
async function pacedRun(sick: readonly Health[]): Promise<number[]> {
  const stage = await openStage([...Array(WELL).fill('well'), ...sick])
  try {
    const keys: string[] = []
    for (let merchant = 0; merchant < WELL + SICK.length; merchant++)
      keys.push(await stage.merchant(stage.urls.slice(merchant, merchant + 1)))
    const request = (number: number) => paymentRequest(keys[number % keys.length]!, number)
    await paced(stage.port, { count: WARM_UP, per_second: PER_SECOND, request })
    await stage.takeAll((WARM_UP * WELL) / keys.length)
    const answered = await paced(stage.port, { count: EVENTS, per_second: PER_SECOND, request })
    const noted = await stage.takeAll((EVENTS * WELL) / keys.length)
    return noted.map(([number, at]) => at - answered[number]!)
  } finally {
    await stage.close()
  }
}

/** One payment after the other, with nothing else to do. */
async function aloneBench(): Promise<void> {
  const stage = await openStage(['well'])
  try {
    const key = await stage.merchant(stage.urls)
    const socket = await opened(stage.port)
    const answered: number[] = []
    for (let number = 0; number < WARM_UP + ONE_BY_ONE; number++) {
      await asked(socket, paymentRequest(key, number))
      answered.push(machineTime())
      await passes(number < WARM_UP ? 0 : 20)
    }
    const noted = await stage.takeAll(answered.length)
    const times = noted.filter(([number]) => number >= WARM_UP).map(([number, at]) => at - answered[number]!)
    table(
      ['one payment after the other', 'delivered', 'p50 ms', 'p99 ms'],
      [['answer to delivery', times.length, quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(2)]],
    )
  } finally {
    await stage.close()
  }
}

/** Payments of a merchant with a webhook beside those of one without. */
async function throughputBench(): Promise<void> {
  const stage = await openStage(['well'])
  try {
    const without = paymentRequest(await stage.merchant([]), 0)
    const told = paymentRequest(await stage.merchant(stage.urls), 0)
    const loads: { without: Load[]; told: Load[]; done: number[] } = { without: [], told: [], done: [] }
    for (let round = 0; round <= ROUNDS; round++) {
      const plain = await loaded(stage.port, without, CONNECTIONS, ROUND_MS)
      const began = performance.now()
      const load = await loaded(stage.port, told, CONNECTIONS, ROUND_MS)
      const count = load.latencies_ms.length
      await stage.takeAll(count)
      // The first round warms up.
      if (round === 0) continue
      loads.without.push(plain)
      loads.told.push(load)
      loads.done.push((count * 1000) / (performance.now() - began))
    }
    const rate = (all: readonly Load[]) => median(all.map(({ per_second }) => per_second))
    const [plain, told_rate, done] = [rate(loads.without), rate(loads.told), median(loads.done)]
    table(
      ['POST /payments, 16 at once', '1/s', 'to without'],
      [
        ['no webhook', plain.toFixed(0), ''],
        ['one webhook', told_rate.toFixed(0), (told_rate / plain).toFixed(2)],
        ['one webhook, until all are delivered', done.toFixed(0), (done / plain).toFixed(2)],
      ],
    )
  } finally {
    await stage.close()
  }
}

/** Deliveries a second, when there is nothing to do but these. */
async function rateBench(): Promise<void> {
  const receivers = 50
  const stage = await openStage(Array(receivers).fill('well'))
  try {
    const key = await stage.merchant(stage.urls)
    const rate = await deliveriesPerSecond(stage, key, FANNED_OUT * receivers)
    const bare = Number(
      execFileSync(process.execPath, [join(import.meta.dirname, 'bare-posts.ts')], {
        encoding: 'utf8',
        env: {
          ...process.env,
          URLS: JSON.stringify(stage.urls),
          BODY: 'x'.repeat(1_000),
          COUNT: String(FANNED_OUT * receivers),
          WARM_UP: String(WARM_UP),
          AT_ONCE: String(AT_ONCE_PER_RECEIVER * receivers),
        },
      }),
    )
    const ratio = rate / bare
    table(
      ['deliveries', '1/s', 'bare 1/s', 'ratio', 'aim'],
      [
        [
          'to 50 receivers',
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

/** From the first that comes to the last. */
async function deliveriesPerSecond(stage: Stage, key: string, count: number): Promise<number> {
  const receivers = stage.urls.length
  for (const part of [WARM_UP, count]) {
    await paced(stage.port, {
      count: part / receivers,
      per_second: 1_000,
      request: (number) => paymentRequest(key, number),
    })
    const times = (await stage.takeAll(part)).map(([, at]) => at)
    if (part === count) return ((count - 1) * 1000) / (Math.max(...times) - Math.min(...times))
  }
  return Number.NaN
}
