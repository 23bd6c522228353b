import { openStage, paymentRequest } from './delivery-stage.ts'
import { atFullLoad } from './paced-load.ts'
import { mark, note, quantile, table } from './report.ts'

const EVENTS = 5_000
const CONNECTIONS = 16
const RECEIVERS = 20

/** The number of payments before the measurement. They make the engine compile hot code. */
const WARM_UP = 500

const ONE_TO_MANY_AT_MOST = 2
const ONE_AT_MOST_MS = 500

/** Compares the latency of deliveries to one busy receiver with that to many receivers, at full load. */
export async function busyReceiverBench(): Promise<void> {
  const stage = await openStage(Array(RECEIVERS).fill('well'))
  try {
    const one = [await stage.merchant(stage.urls.slice(0, 1))]
    const many: string[] = []
    for (const url of stage.urls) many.push(await stage.merchant([url]))
    const latencies = async (keys: readonly string[], count: number) => {
      const request = (number: number) => paymentRequest(keys[number % keys.length]!, number)
      const answered = await atFullLoad(stage.port, { count, connections: CONNECTIONS, request })
      const noted = await stage.takeAll(count)
      return noted.map(([number, at]) => at - answered[number]!)
    }
    await latencies(many, WARM_UP)
    const to_many = await latencies(many, EVENTS)
    const to_one = await latencies(one, EVENTS)
    report(to_one, to_many)
  } finally {
    await stage.close()
  }
}

function report(to_one: readonly number[], to_many: readonly number[]): void {
  note(
    `${EVENTS.toLocaleString('en')} payments over ${CONNECTIONS} connections at full load, first of ${RECEIVERS} merchants with a receiver each, then of one`,
    'merchant with one receiver, in one run. Milliseconds from the response to the first delivery.',
  )
  const row = (name: string, some: readonly number[]) => [
    name,
    some.length,
    ...[0.5, 0.9, 0.99].map((part) => quantile(some, part).toFixed(2)),
  ]
  table(['receivers', 'delivered', 'p50 ms', 'p90 ms', 'p99 ms'], [row(String(RECEIVERS), to_many), row('one', to_one)])
  const [one, many] = [quantile(to_one, 0.99), quantile(to_many, 0.99)]
  const at_most = Math.max(ONE_TO_MANY_AT_MOST * many, ONE_AT_MOST_MS)
  table(
    ['p99 to one ms', `aim: ${ONE_TO_MANY_AT_MOST} x that to ${RECEIVERS}, or ${ONE_AT_MOST_MS} ms`],
    [[one.toFixed(2), mark({ value: one, at_most: Math.round(at_most) })]],
  )
}
