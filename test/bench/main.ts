import { importTimeBench } from './import-time.ts'
import { listPagesBench } from './list-pages.ts'
import { platformCallsBench } from './platform-calls.ts'
import { missedAims, note } from './report.ts'
import { throughputBench } from './throughput.ts'

await throughputBench()
importTimeBench()
await platformCallsBench()
await listPagesBench()
note(missedAims() === 0 ? 'Every aim is met.' : `${missedAims()} aims are missed; each is marked MISSED.`)
