import { setTimeout as passes } from 'node:timers/promises'
import { type Health, machineTime } from '#test/fixtures/receivers.ts'
import { busyReceiverBench } from './busy-receiver.ts'
import { deliveryRateBench, webhookThroughputBench } from './delivery-rates.ts'
import { openStage, paymentRequest } from './delivery-stage.ts'
import { asked, opened, paced } from './paced-load.ts'
import { heading, mark, note, quantile, table } from './report.ts'

const EVENTS = 4_000
const ROUNDS = 2
const PER_SECOND = 100
const SUCCEEDING = 30
const FAILING: readonly Health[] = [...Array(10).fill('hanging'), ...Array(10).fill('dead')]
const FAILING_TO_NONE_AT_MOST = 1.2

/** The number of payments before the measurement. They make the engine compile hot code. */
const WARM_UP = 500

const ONE_BY_ONE = 200
const PAUSE_MS = 20

/** Measures the latency and the throughput of deliveries on this machine. */
export async function deliveriesBench(): Promise<void> {
  heading('From the event to its receiver')
  note('The data is in memory on machines with /dev/shm, because the speed of the disk is measured above.', '')
  await failingReceiversBench()
  await aloneBench()
  await busyReceiverBench()
  await webhookThroughputBench()
  await deliveryRateBench()
}

/**
 * Fifty receivers, each of its own merchant, get events at a fixed pace. Runs without and with twenty failing
 * receivers.
 */
async function failingReceiversBench(): Promise<void> {
  note(
    `${EVENTS.toLocaleString('en')} payments, ${PER_SECOND} a second, spread evenly over ${SUCCEEDING + FAILING.length} merchants with one webhook each: ${SUCCEEDING} receivers succeed, 10`,
    'accept the request and never respond, 10 do not listen. In the runs without these 20, the payments are the same,',
    `and the other merchants have no webhook. ${ROUNDS} runs of each, alternating, of ${EVENTS / ROUNDS} payments, each in a new process. Milliseconds from the`,
    'response to POST /payments at its client to the first delivery at the receiver. They are negative when the',
    'delivery is faster than the response.',
  )
  const times: { without: number[]; beside: number[] } = { without: [], beside: [] }
  for (let round = 0; round < ROUNDS; round++) {
    times.without.push(...(await pacedRun([])))
    times.beside.push(...(await pacedRun(FAILING)))
  }
  const ratio = quantile(times.beside, 0.99) / quantile(times.without, 0.99)
  const row = (name: string, some: readonly number[]) => [
    name,
    some.length,
    ...[0.5, 0.9, 0.99].map((part) => quantile(some, part).toFixed(2)),
  ]
  table(
    ['receivers', 'delivered', 'p50 ms', 'p90 ms', 'p99 ms'],
    [
      row(`${SUCCEEDING} succeeding`, times.without),
      row(`${SUCCEEDING} succeeding, beside ${FAILING.length} failing`, times.beside),
    ],
  )
  table(['p99 to p99', 'aim'], [[ratio.toFixed(2), mark({ value: ratio, at_most: FAILING_TO_NONE_AT_MOST })]])
}

/** The latency of each event to the succeeding receivers. */
async function pacedRun(failing: readonly Health[]): Promise<number[]> {
  const stage = await openStage([...Array(SUCCEEDING).fill('well'), ...failing])
  try {
    const keys: string[] = []
    for (let merchant = 0; merchant < SUCCEEDING + FAILING.length; merchant++)
      keys.push(await stage.merchant(stage.urls.slice(merchant, merchant + 1)))
    const request = (number: number) => paymentRequest(keys[number % keys.length]!, number)
    await paced(stage.port, { count: WARM_UP, per_second: PER_SECOND, request })
    await stage.takeAll((WARM_UP * SUCCEEDING) / keys.length)
    const count = EVENTS / ROUNDS
    const answered = await paced(stage.port, { count, per_second: PER_SECOND, request })
    const noted = await stage.takeAll((count * SUCCEEDING) / keys.length)
    return noted.map(([number, at]) => at - answered[number]!)
  } finally {
    await stage.close()
  }
}

/** Measures one payment after the other without other load. */
async function aloneBench(): Promise<void> {
  const stage = await openStage(['well'])
  try {
    const key = await stage.merchant(stage.urls)
    const socket = await opened(stage.port)
    const answered: number[] = []
    for (let number = 0; number < WARM_UP + ONE_BY_ONE; number++) {
      await asked(socket, paymentRequest(key, number))
      answered.push(machineTime())
      await passes(number < WARM_UP ? 0 : PAUSE_MS)
    }
    const noted = await stage.takeAll(answered.length)
    const times = noted.filter(([number]) => number >= WARM_UP).map(([number, at]) => at - answered[number]!)
    note(`One payment after the other, ${PAUSE_MS} ms apart, of a merchant with one webhook. Milliseconds as above.`)
    table(
      ['one payment after the other', 'delivered', 'p50 ms', 'p99 ms'],
      [['response to delivery', times.length, quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(2)]],
    )
  } finally {
    await stage.close()
  }
}
