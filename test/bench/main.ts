import { capturesBench } from './captures.ts'
import { clockCallsBench } from './clock-calls.ts'
import { deliveriesBench } from './deliveries.ts'
import { deliveryCostsBench } from './delivery-costs.ts'
import { importTimeBench } from './import-time.ts'
import { listPagesBench } from './list-pages.ts'
import { pagesBench } from './pages.ts'
import { platformCallsBench } from './platform-calls.ts'
import { missedAims, note } from './report.ts'
import { throughputBench } from './throughput.ts'

await throughputBench()
await deliveriesBench()
await clockCallsBench()
await pagesBench()
importTimeBench()
await platformCallsBench()
await deliveryCostsBench()
await listPagesBench()
await capturesBench()
note(missedAims() === 0 ? 'Every aim is met.' : `${missedAims()} aims are missed; each is marked MISSED.`)
