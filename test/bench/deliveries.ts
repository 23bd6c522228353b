import { setTimeout as passes } from 'node:timers/promises'
import { type Health, machineTime } from '#test/fixtures/receivers.ts'
import { deliveryRateBench, toldThroughputBench } from './delivery-rates.ts'
import { openStage, paymentRequest } from './delivery-stage.ts'
import { asked, opened, paced } from './paced-load.ts'
import { heading, mark, note, quantile, table } from './report.ts'

const EVENTS = 10_000
const ROUNDS = 2
const PER_SECOND = 100
const WELL = 30
const SICK: readonly Health[] = [...Array(10).fill('hanging'), ...Array(10).fill('dead')]
const SICK_TO_WELL_AT_MOST = 1.2

/** Sent before anything is measured, so that what is run often is compiled. */
const WARM_UP = 500

const ONE_BY_ONE = 200
const PAUSE_MS = 20

/** How soon receivers are told of events, and what it costs the service, on this machine. */
export async function deliveriesBench(): Promise<void> {
  heading('From the event to its receiver')
  note(
    'The data is in memory, on machines that have a place for files there: the speed of the disk is measured above.',
    '',
  )
  await sickBench()
  await aloneBench()
  await toldThroughputBench()
  await deliveryRateBench()
}

/** Fifty receivers, each of a merchant of its own, who are told of events at a fixed pace, without the sick and with them. */
async function sickBench(): Promise<void> {
  note(
    `${EVENTS.toLocaleString('en')} payments, ${PER_SECOND} a second, spread evenly over ${WELL + SICK.length} merchants with a webhook each: ${WELL} receivers that are well, 10 that`,
    'take the request and never answer, 10 where nobody listens. In the runs without these 20 the same payments are made,',
    `and their merchants have no webhook. ${ROUNDS} runs of each, in turns, of ${EVENTS / ROUNDS} payments, each beginning anew. Milliseconds from the`,
    'answer to the POST /payments, seen by its client, to the first delivery, seen by the receiver: below zero when the',
    'delivery is faster than the answer.',
  )
  const times: { without: number[]; beside: number[] } = { without: [], beside: [] }
  for (let round = 0; round < ROUNDS; round++) {
    times.without.push(...(await pacedRun([])))
    times.beside.push(...(await pacedRun(SICK)))
  }
  const ratio = quantile(times.beside, 0.99) / quantile(times.without, 0.99)
  const row = (name: string, some: readonly number[]) => [
    name,
    some.length,
    ...[0.5, 0.9, 0.99].map((part) => quantile(some, part).toFixed(2)),
  ]
  table(
    ['receivers', 'delivered', 'p50 ms', 'p90 ms', 'p99 ms'],
    [row(`${WELL} well`, times.without), row(`${WELL} well, beside ${SICK.length} sick`, times.beside)],
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
    const count = EVENTS / ROUNDS
    const answered = await paced(stage.port, { count, per_second: PER_SECOND, request })
    const noted = await stage.takeAll((count * WELL) / keys.length)
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
      await passes(number < WARM_UP ? 0 : PAUSE_MS)
    }
    const noted = await stage.takeAll(answered.length)
    const times = noted.filter(([number]) => number >= WARM_UP).map(([number, at]) => at - answered[number]!)
    note(`One payment after the other, ${PAUSE_MS} ms apart, of a merchant with one webhook; milliseconds as above.`)
    table(
      ['one payment after the other', 'delivered', 'p50 ms', 'p99 ms'],
      [['answer to delivery', times.length, quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(2)]],
    )
  } finally {
    await stage.close()
  }
}
