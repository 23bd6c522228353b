import { Unit } from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { type Names, SERVICE, UNRESOLVED } from './names.ts'
import { tableUseOf } from './uses.ts'

/*
 * What is measured from the lines of the functions' logs.
 */

interface Measured {
  readonly name: string
  readonly pattern: IFilterPattern
  readonly value?: string
  readonly unit?: Unit
  /** The fields of the line that tell one series from another. */
  readonly by?: readonly string[]
}

function measure(lambda: Lambda, id: string, { name, pattern, value = '1', unit, by }: Measured): void {
  new MetricFilter(lambda, id, {
    logGroup: lambda.logGroup,
    filterPattern: pattern,
    metricNamespace: SERVICE,
    metricName: name,
    metricValue: value,
    ...(unit && { unit }),
    ...(by && { dimensions: Object.fromEntries(by.map((field) => [field, `$.${field}`])) }),
  })
}

const isEvent = (event: string) => FilterPattern.stringValue('$.event', '=', event)

/** Lines that have a number there. A value is only taken from a field that the pattern itself names. */
const tells = (field: string) => FilterPattern.numberValue(field, '>=', 0)

/** For how long the oldest thing that fell due has not been done, and of the events alone, nobody has been told of it. */
export function measureSweep(sweeper: Lambda, names: Names): void {
  const seconds = { value: '$.overdue_seconds', unit: Unit.SECONDS }
  measure(sweeper, 'overdue', { ...seconds, name: names.overdue, pattern: tells('$.overdue_seconds') })
  const isOutbox = FilterPattern.all(FilterPattern.stringValue('$.kind', '=', 'outbox'), tells('$.overdue_seconds'))
  measure(sweeper, 'outbox', { ...seconds, name: names.outbox, pattern: isOutbox })
}

/** Operations whose outcome nobody will ask for any more, and for how long the outcome of others has been unknown. */
export function measureUnresolved(worker: Lambda, queue: string, names: Names): void {
  measure(worker, `${queue}-unresolved`, { name: names.unresolved, pattern: FilterPattern.anyTerm(UNRESOLVED) })
  const seconds = { value: '$.unresolved_seconds', unit: Unit.SECONDS }
  const pattern = tells('$.unresolved_seconds')
  measure(worker, `${queue}-unresolved-seconds`, { ...seconds, name: names.unresolvedSeconds, pattern })
}

/** Charges whose outcome became known, by what it is. Whoever sends to an acquirer may learn it. */
export function measurePayments(lambda: Lambda, file: string, names: Names): void {
  if (!tableUseOf(file).puts?.includes('sandbox')) return
  const pattern = FilterPattern.all(isEvent('payment_settled'), FilterPattern.stringValue('$.outcome', '=', '*'))
  measure(lambda, 'payments', { name: names.payments, pattern, by: ['outcome'] })
}

/** Attempts of deliveries, by their number, and how long after its event each first one began. */
export function measureDeliveries(worker: Lambda, names: Names): void {
  const attempted = FilterPattern.all(isEvent('delivery_attempted'), tells('$.attempt'))
  measure(worker, 'attempts', { name: names.attempts, pattern: attempted, by: ['attempt'] })
  const milliseconds = { value: '$.first_latency_ms', unit: Unit.MILLISECONDS }
  const pattern = tells('$.first_latency_ms')
  measure(worker, 'first-latency', { ...milliseconds, name: names.firstLatency, pattern })
}
