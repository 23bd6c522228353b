import { capturesBench } from './captures.ts'
import { clockCallsBench } from './clock-calls.ts'
import { deliveriesBench } from './deliveries.ts'
import { deliveryCostsBench } from './delivery-costs.ts'
import { importTimeBench } from './import-time.ts'
import { listPagesBench } from './list-pages.ts'
import { liveCallsBench } from './live-calls.ts'
import { notificationsBench } from './notifications.ts'
import { pageLoadsBench } from './page-loads.ts'
import { pagesBench } from './pages.ts'
import { partitionsBench } from './partitions.ts'
import { platformCallsBench } from './platform-calls.ts'
import { heading, mark, missedAims, note, table } from './report.ts'
import { throughputBench } from './throughput.ts'

/** The parts of the bench, in their order. `npm run bench -- pages page-loads` runs two of them. */
const parts: Readonly<Record<string, () => Promise<void> | void>> = {
  throughput: throughputBench,
  deliveries: deliveriesBench,
  'clock-calls': clockCallsBench,
  pages: pagesBench,
  'page-loads': pageLoadsBench,
  notifications: notificationsBench,
  'import-time': importTimeBench,
  'platform-calls': platformCallsBench,
  'live-calls': liveCallsBench,
  'delivery-costs': deliveryCostsBench,
  'list-pages': listPagesBench,
  captures: capturesBench,
  partitions: partitionsBench,
}

/** The aim for the whole bench on a machine with two cores and no other load, without the model of partitions. */
const MINUTES_AT_MOST = 8

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0)
  throw new Error(`The bench has no part ${unknown.join()}: the parts are ${Object.keys(parts).join(', ')}.`)
const seconds: Record<string, number> = {}
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const began = performance.now()
  await run()
  seconds[name] = (performance.now() - began) / 1000
}
timesTable()
note(missedAims() === 0 ? 'Every aim is met.' : `${missedAims()} aims are missed; each is marked MISSED.`)

function timesTable(): void {
  heading('The time of the bench')
  table(
    ['part', 'seconds'],
    Object.entries(seconds).map(([name, taken]) => [name, taken.toFixed(0)]),
  )
  if (wanted.length > 0) return
  const { partitions = 0, ...others } = seconds
  const minutes = Object.values(others).reduce((sum, taken) => sum + taken, 0) / 60
  table(
    ['all but partitions, minutes', 'aim', 'partitions, minutes'],
    [[minutes.toFixed(1), mark({ value: minutes, at_most: MINUTES_AT_MOST }), (partitions / 60).toFixed(1)]],
  )
}
