import { capturesBench } from './captures.ts'
import { clockCallsBench } from './clock-calls.ts'
import { deliveriesBench } from './deliveries.ts'
import { deliveryCostsBench } from './delivery-costs.ts'
import { importTimeBench } from './import-time.ts'
import { listPagesBench } from './list-pages.ts'
import { pageLoadsBench } from './page-loads.ts'
import { pagesBench } from './pages.ts'
import { platformCallsBench } from './platform-calls.ts'
import { missedAims, note } from './report.ts'
import { throughputBench } from './throughput.ts'

/** The parts of the bench, in their order. `npm run bench -- pages page-loads` runs two of them. */
const parts: Readonly<Record<string, () => Promise<void> | void>> = {
  throughput: throughputBench,
  deliveries: deliveriesBench,
  'clock-calls': clockCallsBench,
  pages: pagesBench,
  'page-loads': pageLoadsBench,
  'import-time': importTimeBench,
  'platform-calls': platformCallsBench,
  'delivery-costs': deliveryCostsBench,
  'list-pages': listPagesBench,
  captures: capturesBench,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0)
  throw new Error(`The bench has no part ${unknown.join()}: the parts are ${Object.keys(parts).join(', ')}.`)
for (const [name, run] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await run()
note(missedAims() === 0 ? 'Every aim is met.' : `${missedAims()} aims are missed; each is marked MISSED.`)
