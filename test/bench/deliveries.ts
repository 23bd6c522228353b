import { setTimeout as passes } from 'node:timers/promises'
import { type Health, machineTime } from '#test/support/receivers.ts'
import { deliveryRateBench, toldThroughputBench } from './delivery-rates.ts'
import { openStage, paymentRequest } from './delivery-stage.ts'
import { asked, opened, paced } from './paced-load.ts'
import { heading, mark, median, note, quantile, table } from './report.ts'

const EVENTS = 10_000
const PER_SECOND = 150
const WELL = 30
const SICK: readonly Health[] = [...Array(10).fill('hanging'), ...Array(10).fill('dead')]
const SICK_TO_WELL_AT_MOST = 1.2

/** How much of a run is looked at by itself. */
const STRETCH_SECONDS = 2

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
    'take the request and never answer, 10 where nobody listens. In the run without these 20 the same payments are made,',
    'and their merchants have no webhook. Milliseconds from the answer to the POST /payments, seen by its client, to the',
    'first delivery, seen by the receiver: below zero when the delivery is faster than the answer. A machine shared with others',
    'stops now and then, for longer than any receiver holds up another: so the aim is for the median of the p99s of',
    `stretches of ${STRETCH_SECONDS} s, in which such a stop counts once; the p99 of the whole is beside it.`,
  )
  const without = await pacedRun([])
  const beside = await pacedRun(SICK)
  const ratio = typicalP99(beside) / typicalP99(without)
  const row = (name: string, told: readonly Told[]) => {
    const times = told.map(({ after_ms }) => after_ms)
    const parts = [0.5, 0.9, 0.99].map((part) => quantile(times, part))
    return [name, times.length, ...[...parts, typicalP99(told)].map((time) => time.toFixed(2))]
  }
  table(
    ['receivers', 'delivered', 'p50 ms', 'p90 ms', 'p99 ms', `p99 of ${STRETCH_SECONDS} s`],
    [row(`${WELL} well`, without), row(`${WELL} well, beside ${SICK.length} sick`, beside)],
  )
  table(
    [`p99 of ${STRETCH_SECONDS} s to the same`, 'aim'],
    [[ratio.toFixed(2), mark({ value: ratio, at_most: SICK_TO_WELL_AT_MOST })]],
  )
}

/** A delivery to a receiver that is well: of which payment, by its number, and how long after the answer. */
interface Told {
  readonly number: number
  readonly after_ms: number
}

/** The median of the p99s of stretches of the run. */
function typicalP99(told: readonly Told[]): number {
  const stretches = Map.groupBy(told, ({ number }) => Math.floor(number / (PER_SECOND * STRETCH_SECONDS)))
  return median(
    [...stretches.values()].map((some) =>
      quantile(
        some.map(({ after_ms }) => after_ms),
        0.99,
      ),
    ),
  )
}

/** How long each event took to the receivers that are well. */
async function pacedRun(sick: readonly Health[]): Promise<Told[]> {
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
    return noted.map(([number, at]) => ({ number, after_ms: at - answered[number]! }))
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
