import { backgroundFiles, queueNames } from '#shared/background.ts'
import { servedFiles } from '#shared/routes.ts'
import { NEW_TABLE, type Stage, workersAtOnce } from './stage.ts'

/** A quota of AWS for an account and a region, with the value that a stage needs at its limits. */
export interface Quota {
  /** The service and the quota as Service Quotas names them. A quota without a code cannot be requested there. */
  readonly service: string
  readonly code: string
  readonly name: string
  /** What a new account has. */
  readonly default: number
  readonly need: number
}

/**
 * What one request consumes at most, if every request is a card payment with an idempotency key, an event and a
 * delivery. `npm run costs` measures the units. A payment at the acquirer takes 236 ms.
 */
const PER_PAYMENT = {
  read_units: 4,
  write_units: 31,
  vault_calls: 1,
  milliseconds: 240,
} as const

/** What a delivery and its fan-out add, and how long a delivery takes: `npm run costs`. */
const PER_DELIVERY = { read_units: 12, write_units: 27, vault_calls: 2, milliseconds: 250 } as const

/** Twice the average holds a burst and slow answers of the acquirer. */
const RESERVE_FACTOR = 2

/** Lambda leaves these functions to the other stages and tools of the account. */
const RESERVED_FUNCTIONS = 100

/** One stream shard per 1,000 write units a second, and four batches of the fan-out for each. */
const FAN_OUTS_PER_WRITE_UNIT = 4 / 1_000

/** The unpacked size of one bundle. Lambda stores it packed, so the real need is smaller. */
const BUNDLE_GIGABYTES = 0.001

/** The quotas that matter for a stage, each with the need that follows from the limits of the stage. */
export function quotasFor(stage: Stage): Quota[] {
  const { requestsPerSecond: requests, requestsAtOnce, deliveriesAtOnce, workersPerQueue } = stage
  const { readUnits, writeUnits } = stage.warmThroughput ?? NEW_TABLE
  const deliveries = Math.min(requests, Math.round((deliveriesAtOnce * 1_000) / PER_DELIVERY.milliseconds))
  const slots = stage.hasSlots ? 2 : 1
  const workers_of_one = queueNames.reduce((sum, queue) => sum + workersAtOnce(stage, queue), 0)
  // In its first step, the candidate of a release has a tenth of the workers besides those that serve.
  const workers = stage.hasSlots ? Math.ceil(workers_of_one * 1.1) : workers_of_one
  const fan_outs = Math.ceil(writeUnits * FAN_OUTS_PER_WRITE_UNIT) * slots
  const api = Math.ceil((requests * PER_PAYMENT.milliseconds * RESERVE_FACTOR) / 1_000)
  const functions = (servedFiles().length + backgroundFiles.length) * slots
  const reads = requests * PER_PAYMENT.read_units + deliveries * PER_DELIVERY.read_units
  const writes = requests * PER_PAYMENT.write_units + deliveries * PER_DELIVERY.write_units
  const vault = requests * PER_PAYMENT.vault_calls + deliveries * PER_DELIVERY.vault_calls
  const in_flight = Math.max(deliveriesAtOnce, workersPerQueue * 10)
  // biome-ignore format: a table
  return [
    quota('lambda', 'L-B99A9384', 'Concurrent executions', 1_000, api + workers + fan_outs + RESERVED_FUNCTIONS),
    quota('lambda', 'L-2ACBD22F', 'Function and layer storage (GB)', 75, Math.ceil(functions * BUNDLE_GIGABYTES)),
    quota('apigateway', 'L-8A5B8E43', 'Throttle rate', 10_000, requests),
    quota('apigateway', 'L-CDF5615A', 'Throttle burst rate', 5_000, requestsAtOnce),
    quota('dynamodb', 'L-CF0CBE56', 'Table-level read throughput limit', 40_000, Math.max(readUnits, reads)),
    quota('dynamodb', 'L-AB614373', 'Table-level write throughput limit', 40_000, Math.max(writeUnits, writes)),
    quota('kms', 'L-6E3AF000', 'Cryptographic operations (symmetric) request rate', 10_000, vault * RESERVE_FACTOR),
    quota('iam', 'L-FE177D64', 'Roles per account', 1_000, functions + 10),
    quota('sqs', '-', 'Messages in flight per queue', 120_000, in_flight),
    quota('cloudformation', '-', 'Resources in a template', 500, 450),
  ]
}

const quota = (service: string, code: string, name: string, byDefault: number, need: number): Quota => ({
  service,
  code,
  name,
  default: byDefault,
  need,
})

/** Whether a new account must request a higher value before the stage takes its full load. */
export const mustRequest = ({ need, default: byDefault }: Quota): boolean => need > byDefault

/** The quotas as lines of a table, with the value to request rounded up to two digits. */
export function quotaLines(quotas: readonly Quota[]): string[] {
  const rows = [
    ['service', 'code', 'quota', 'default', 'need', 'request'],
    ...quotas.map((row) => [
      row.service,
      row.code,
      row.name,
      ...[row.default, row.need].map((value) => value.toLocaleString('en')),
      mustRequest(row) ? roundedUp(row.need).toLocaleString('en') : 'no',
    ]),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  )
}

/** Rounds up to two significant digits: 1,718 becomes 1,800. */
function roundedUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return Math.ceil(value / unit) * unit
}
